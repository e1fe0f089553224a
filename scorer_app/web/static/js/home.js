// Tells on the first page what this device has not sent yet: it is sent as soon as its hand is
// opened. What belongs to a hand that no longer exists can be dropped, and its photographs can go
// with another hand. Where matches are shared by links, the hand may be there, behind a newer link.

import { byId, h, show } from "./dom.js";
import { letGoButton, moveToOtherHand } from "./other_hand.js";
import { Outbox } from "./outbox.js";
import { Refused, ask, isGone } from "./server.js";
import { fill, say } from "./words.js";

const list = byId("unsent");
const outbox = new Outbox();

/**
 * @typedef {object} Standing
 * @property {"there" | "gone" | "hidden"} state "hidden" where it may be that this device can see
 *   the hand no longer
 * @property {string} [match] id of the hand's match, where the server tells it
 */

/**
 * Returns what the server answers of a hand. Without an answer it may be there.
 * @param {string} hand
 * @returns {Promise<Standing>}
 */
async function standing(hand) {
  try {
    const { discarded, match } = await ask(`/api/hands/${encodeURIComponent(hand)}`);
    return { state: discarded ? "gone" : "there", match };
  } catch (error) {
    if (!(error instanceof Refused && isGone(error.status))) return { state: "there" };
    return { state: list.dataset.hidden ? "hidden" : "gone" };
  }
}

/**
 * Drops what waits for a hand.
 * @param {HTMLElement} line of the list that tells of it
 * @param {string} hand
 */
async function letGo(line, hand) {
  const entries = await outbox.of(hand);
  await outbox.drop(entries.map(({ key }) => key));
  line.remove();
  list.hidden = !list.childElementCount;
}

/**
 * Makes the button by which the photographs that wait for a hand go with another one of its match
 * or, where the match is gone, too, of the one that this page shows as under way.
 * @param {string} hand
 * @param {string} [match]
 */
function moveButton(hand, match) {
  const score = /** @type {HTMLFormElement} */ (byId("score"));
  const onclick = () =>
    match
      ? moveToOtherHand(outbox, hand, `/matches/${match}/hands`)
      : moveToOtherHand(outbox, hand, score.action, new FormData(score));
  const props = { type: "button", class: "quiet", onclick, "data-key": "move" };
  return h("button", props, say("js.unsent_move"));
}

for (const [hand, count] of await outbox.counts()) {
  const text = fill(list.dataset.text ?? "", { count });
  const line = h("li", {}, h("a", { href: `/hands/${encodeURIComponent(hand)}` }, text));
  list.append(line);
  list.hidden = false;
  const { state, match } = await standing(hand);
  if (state === "there") continue;
  const offer = letGoButton(() => letGo(line, hand));
  const hasPhotos = (await outbox.of(hand)).some(({ photo }) => photo);
  const offers = [hasPhotos && moveButton(hand, match), " ", offer];
  if (state === "gone") show(line, say("js.unsent_gone", { count }), " ", offers);
  else {
    const otherwise = h("summary", {}, list.dataset.otherwise ?? "");
    const told = fill(list.dataset.hidden ?? "", { count });
    show(line, told, h("details", {}, otherwise, offers)); // deleting is not what is wanted first
  }
}
