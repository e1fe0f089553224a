// Says which features this browser gives to this page, and why one is missing.

import { h, say } from "./dom.js";

const list = document.querySelector("#abilities ul");
const secure = window.isSecureContext;
const rows = [
  ["photos", true],
  ["awake", "wakeLock" in navigator],
  ["live_camera", Boolean(navigator.mediaDevices?.getUserMedia)],
  ["share", Boolean(navigator.share)],
];
for (const [name, there] of rows) {
  const why = there ? "" : ` ${say(secure ? "js.not_in_browser" : "js.needs_https")}`;
  list.append(
    h(
      "li",
      { "data-there": there ? "yes" : "no" },
      `${there ? "✓" : "✕"} ${say(`js.ability.${name}`)}${why}`,
    ),
  );
}
