// What a person is told about a hand besides its tiles: its number, what "undo" would undo, how
// much waits on this device, and that another device has closed the hand or changed an answer.

import { announce, byId, find, toast } from "./dom.js";
import { UNDO, cancelledBy } from "./waiting.js";
import { faceName, say } from "./words.js";

/**
 * Shows the number of the hand, and what belongs to it as it stands: unfinished, saved, out of the
 * tally or thrown away.
 * @param {HTMLElement} root
 * @param {HandView} view
 */
export function drawStanding(root, view) {
  drawNumber(view);
  root.dataset.standing = view.discarded ? "discarded" : view.state;
  const standing = [root.dataset.standing, view.corrected ? "corrected" : "", view.counts];
  for (const one of root.querySelectorAll("[data-when]")) {
    if (one instanceof HTMLElement) one.hidden = !standing.includes(one.dataset.when ?? "");
  }
}

/**
 * Writes the number of the hand, which changes where another device counts a hand before it.
 * @param {HandView} view
 */
function drawNumber(view) {
  const title = byId("hand-number");
  const written = (title.dataset.written ?? "").replace("{n}", String(view.position));
  if (title.textContent === written) return;
  title.textContent = written;
  document.title = `${written} – Burako`;
}

/**
 * Returns in words what "undo" would undo now; null where there is nothing.
 * @param {HandView} view
 * @param {Operation[]} waiting
 */
export function undoName(view, waiting) {
  const gone = cancelledBy(waiting);
  const last = waiting.findLast(({ op, key }) => op !== UNDO && !gone.has(key));
  if (last) return waitingName(last);
  return view.undo && !gone.has(view.undo.key) ? view.undo.text : null;
}

/** @param {Operation} operation that waits */
function waitingName({ op, face }) {
  const isFace = (op === "add_tile" || op === "set_tile") && typeof face === "string";
  return isFace ? faceName(face) : say("js.undo_waiting");
}

/**
 * @param {HTMLElement} button
 * @param {string | null} name of what it undoes
 */
export function drawUndo(button, name) {
  find(button, "small", HTMLElement).textContent = name ?? "";
}

/**
 * Does what changes the hand, and tells screen readers what was done once the server has it. Where
 * nothing was, as after a refusal, nothing is told.
 * @param {Pick<import("./hand_line.js").HandLine, "view">} line
 * @param {() => Promise<unknown>} act
 */
export async function tellDone(line, act) {
  const before = line.view?.undo?.key;
  await act();
  const done = line.view?.undo;
  if (done && done.key !== before) announce(say("js.done", { what: done.text }));
}

/**
 * Tells screen readers that a photograph was removed and how it comes back. Whoever removed it by
 * keyboard, with a button that is gone now, goes on with the button that undoes it.
 * @param {Promise<HandView | null>} removing null where it stays
 * @param {HTMLElement} undo
 */
export async function tellRemoved(removing, undo) {
  if (!(await removing)) return;
  announce(say("js.photo_removed"));
  if (document.activeElement === document.body) undo.focus({ preventScroll: true });
}

/**
 * Returns a sentence about how much waits on this device; empty where nothing does.
 * @param {number} edits
 * @param {number} photos
 */
export function unsentText(edits, photos) {
  const parts = [];
  if (edits) parts.push(say("js.unsent_edits", { count: edits }));
  if (photos) parts.push(say("js.unsent_photos", { count: photos }));
  return parts.length ? say("js.unsent", { what: parts.join(say("js.and")) }) : "";
}

/**
 * Shows how much waits on this device. Edits of a hand that was thrown away are kept until the
 * person lets them go.
 * @param {HTMLElement} place
 * @param {import("./hand_line.js").HandLine} line
 * @param {number} photos that wait
 */
export function drawUnsentText(place, line, photos) {
  const { length: count } = line.waiting;
  const isOver = count > 0 && line.view?.discarded;
  const text = isOver ? say("js.unsent_gone", { count }) : unsentText(count, photos);
  if (place.firstChild?.textContent === text) return;
  place.textContent = text;
  // Where this script does not come, the first page offers the same.
  if (isOver) import("./other_hand.js").then((it) => it.offerLetGo(place, line)).catch(() => {});
}

/** @typedef {Pick<HandView, "state" | "saved" | "corrected" | "undo">} Standing */

/**
 * Returns what to say where another device has closed the hand, or its correction, between two
 * views of it; null where none has. A correction that can be undone was not closed: it was put back
 * by hand to what is saved.
 * @param {Standing} before
 * @param {Standing} after
 */
export function closedElsewhere(before, after) {
  if (before.corrected && !after.corrected) {
    if (before.saved !== after.saved) return say("js.correction_saved_elsewhere");
    return after.undo ? null : say("js.correction_dropped_elsewhere");
  }
  if (before.state !== "draft" || after.state === "draft") return null;
  return say(after.state === "saved" ? "js.saved_elsewhere" : "js.discarded_elsewhere");
}

/**
 * Whether a hand was saved as this device has asked, though the answer may have been lost.
 * @param {Pick<HandView, "version" | "saved"> | null} asked the hand that was to be saved
 * @param {Pick<HandView, "version" | "saved">} now
 */
export function isSavedAs(asked, now) {
  return asked !== null && now.version === asked.version + 1 && now.saved !== asked.saved;
}

/**
 * Closes what is open over the page and tells the person why: another device has closed the hand.
 * @param {{ close: () => void }} entry the keys for tiles
 * @param {string} sentence
 */
export function leaveTools(entry, sentence) {
  entry.close();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  toast(sentence, "error");
}

/**
 * Returns what to say where another device has changed how the hand ended, what was said of a
 * muerto, or the melds of a watched table, between two views of it; null where none has, where this
 * device is about to say it, or where the hand itself has been closed.
 * @param {Standing & Pick<HandView, "closing" | "photos">} before
 * @param {Standing & Pick<HandView, "closing" | "photos" | "score">} after
 * @param {Operation[]} waiting
 */
export function answeredElsewhere(before, after, waiting) {
  if (closedElsewhere(before, after)) return null;
  const { closing: was } = before;
  const { closing: is, score } = after;
  const mine = new Set(waiting.map(({ op }) => op));
  const isOther = was.end !== is.end || was.closed_by !== is.closed_by;
  if (was.end && isOther && !mine.has("set_end")) {
    if (!is.end) return say("js.end_gone_elsewhere");
    const who = is.closed_by ? score[is.closed_by].name : say("js.nobody");
    return say("js.end_elsewhere", { who });
  }
  if (isCountedAnew(before.photos, after.photos)) return say("js.table_elsewhere");
  if (mine.has("set_muerto")) return null;
  for (const side of /** @type {const} */ (["A", "B"])) {
    if (was.muerto[side] === null || was.muerto[side] === is.muerto[side]) continue;
    return say("js.muerto_elsewhere", { side: score[side].name });
  }
  return null;
}

/**
 * Whether a watched table was handed over to the hand again.
 * @param {PhotoView[]} before
 * @param {PhotoView[]} after
 */
function isCountedAnew(before, after) {
  const [was, is] = [before, after].map((photos) =>
    photos.flatMap(({ id, of_table }) => (of_table ? id : [])),
  );
  return was.some((id) => !is.includes(id)) && is.some((id) => !was.includes(id));
}
