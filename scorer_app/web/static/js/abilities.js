// Says which features this browser gives to this page, and why one is missing.

import { find, h } from "./dom.js";
import { say } from "./words.js";

/** @type {[string, boolean][]} */
const abilities = [
  ["photos", true],
  ["awake", "wakeLock" in navigator],
  ["live_camera", Boolean(navigator.mediaDevices?.getUserMedia)],
  ["share", "share" in navigator],
];
const reason = say(window.isSecureContext ? "js.not_in_browser" : "js.needs_https");
const list = find(document, "#abilities ul", HTMLUListElement);
for (const [name, there] of abilities) {
  const what = say(`js.ability.${name}`);
  const line = there ? `✓ ${what}` : `✕ ${what} ${reason}`;
  list.append(h("li", { "data-there": there ? "yes" : "no" }, line));
}
