// The row that grows while tiles are tapped in: its last tiles, what it is as a meld, and the total
// of its side. Together they have one height, so that no key moves from under a finger.

import { h, tileFace, toast } from "./dom.js";
import { shortTotal } from "./sheet.js";
import { faceRange } from "./typing.js";
import { faceName, say } from "./words.js";

const SHOWN = 9; // tiles

/**
 * Returns what is said of the row that grows: nothing while it is too short to be judged.
 * @param {RowView} row
 */
export function growingText({ verdict, tiles }) {
  if (!verdict || tiles.length <= 2) return "";
  return verdict.valid === false ? `✕ ${say("js.illegal")}` : verdict.text;
}

/**
 * @param {HandView} view
 * @param {RowView | undefined} row
 */
export function tilesOf({ tiles }, row) {
  if (!row) return null;
  const last = row.tiles.slice(-SHOWN).map((id) => tiles[id]);
  return h(
    "span",
    { class: "entry-tiles" },
    last.map(({ face, waiting }) => tileFace(face, { class: waiting ? "waiting" : "" })),
  );
}

/**
 * @param {string} text
 * @param {string} typed keys that are no tile yet
 */
export function wordsOf(text, typed) {
  return h("span", { class: "hint" }, text, typed && h("kbd", {}, typed));
}

/**
 * Returns a side's total, which is not final while a photograph of it has still to be read.
 * @param {Pick<HandScreen, "view" | "isToRead">} screen
 * @param {Side} side
 */
export function totalOf({ view, isToRead }, side) {
  const score = view.score[side];
  const name = isToRead(side) ? `${say("js.so_far")} · ${score.name}` : score.name;
  const total = h("b", {}, shortTotal(view, score));
  return h("p", { class: "entry-total" }, h("span", {}, `${name}:`), " ", total);
}

/**
 * Returns the tiles of a range without its first one, which the row has already. Where these two
 * make no range, says so and returns null.
 * @param {Face} first
 * @param {Face} last
 */
export function rangeAfter(first, last) {
  const range = faceRange(first, last);
  if (range) return range.slice(1);
  toast(say("js.no_range", { first: faceName(first), last: faceName(last) }), "error");
  return null;
}
