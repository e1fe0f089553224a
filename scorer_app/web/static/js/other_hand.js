// Moves photographs that wait for a hand that is gone to the hand under way.

import { toast } from "./dom.js";
import { token } from "./server.js";
import { say } from "./words.js";

/**
 * Opens the hand under way, or a new one, with the photographs that waited for another hand. A
 * sentence tells where that failed; the photographs then wait as before.
 * @param {Outbox} outbox
 * @param {string} hand for which they waited
 */
export async function moveToOtherHand(outbox, hand) {
  try {
    const headers = { "X-CSRF-Token": token() };
    const { ok, url } = await fetch("/score", { method: "POST", headers });
    if (!ok) return toast(say("js.broken"), "error");
    await outbox.move(hand, new URL(url).pathname.split("/").at(-1) ?? "");
    location.assign(url);
  } catch {
    toast(say("js.broken"), "error"); // no answer came
  }
}
