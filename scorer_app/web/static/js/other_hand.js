// Moves photographs that wait for a hand that is gone to another hand.

import { toast } from "./dom.js";
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
