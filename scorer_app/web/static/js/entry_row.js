// The row that grows while tiles are tapped in: its last tiles, what it is as a meld, and the total
// of its side. Together they have one height, so that no key moves from under a finger.

import { h, tileFace } from "./dom.js";
import { shortTotal } from "./sheet.js";
import { say } from "./words.js";

const SHOWN = 9; // tiles

/**
 * Returns what is said of the row that grows: nothing while it is too short to be judged.
 * @param {RowView} row
 */
export function growingText({ verdict, tiles }) {
  if (!verdict || tiles.length <= 2) return "";
  return verdict.valid === false ? `✕ ${say("js.live.illegal")}` : verdict.text;
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
 * @param {HandView} view
 * @param {Side} side
 */
export function totalOf(view, side) {
  const score = view.score[side];
  const total = h("b", {}, shortTotal(view, score));
  return h("p", { class: "entry-total" }, h("span", {}, `${score.name}:`), " ", total);
}
