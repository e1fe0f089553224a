// What can be done about what waits for a hand that is gone: its photographs can go with another
// hand, and all of it can be let go.

import { h, toast } from "./dom.js";
import { token } from "./server.js";
import { say } from "./words.js";

/**
 * Opens another hand with the photographs that waited for one that is gone. Where no other hand can
 * be begun, the page to which the server leads is opened, or a sentence tells why; the photographs
 * then wait as before.
 * @param {Outbox} outbox
 * @param {string} hand for which they waited
 * @param {string} address of the form that begins the other hand
 * @param {FormData} [form]
 */
export async function moveToOtherHand(outbox, hand, address, form = new FormData()) {
  try {
    const headers = { "X-CSRF-Token": token() };
    const { ok, url } = await fetch(address, { method: "POST", headers, body: form });
    if (!ok) return toast(say("js.broken"), "error");
    const [, there] = /\/hands\/([^/]+)$/.exec(new URL(url).pathname) ?? [];
    if (there) await outbox.move(hand, there);
    location.assign(url);
  } catch {
    toast(say("js.broken"), "error"); // no answer came
  }
}

/**
 * Makes the button that lets go of what waits, once the person has confirmed it.
 * @param {() => unknown} letGo
 */
export function letGoButton(letGo) {
  const props = { type: "button", class: "quiet danger" };
  const ask = () => {
    const said = { ...props, onclick: letGo, "data-key": "sure" };
    const sure = h("button", said, say("js.unsent_sure"));
    offer.replaceWith(sure);
    sure.focus();
  };
  const offered = { ...props, onclick: ask, "data-key": "let-go" };
  const offer = h("button", offered, say("js.unsent_let_go"));
  return offer;
}

/**
 * Offers to let go of edits that wait for a hand that was thrown away.
 * @param {HTMLElement} place
 * @param {import("./hand_line.js").HandLine} line
 */
export function offerLetGo(place, line) {
  const letGo = () => {
    line.letGo([...line.waiting]);
    line.draw();
  };
  place.append(letGoButton(letGo));
}
