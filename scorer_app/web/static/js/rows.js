// A row of tiles with its verdict and what one may do with it.

import { h, tileFace, withTiles } from "./dom.js";
import { repairAnswers } from "./question.js";
import { rove } from "./roving.js";
import { say, signed, tileCount } from "./words.js";

/**
 * What a row is, for its looks and for what one may do with it: "plain" where nothing is judged.
 * @param {RowView} row
 * @returns {"plain" | "unread" | "legal" | "accepted" | "illegal"}
 */
export function rowState({ verdict, accepted }) {
  if (!verdict) return "plain";
  if (verdict.valid === null) return "unread";
  if (verdict.valid) return "legal";
  return accepted ? "accepted" : "illegal";
}

/**
 * The edits that a row offers: each button's key, its text's key and what it does.
 * @param {RowView} row
 * @returns {{ key: string, text: string, edit: Operation }[]}
 */
export function rowEdits(row) {
  const { id, side, place } = row;
  const state = rowState(row);
  /** @type {ReturnType<typeof rowEdits>} */
  const edits = [];
  if (row.waiting) return edits;
  if (state === "illegal") {
    const accept = { op: "accept_row", row: id, accepted: true };
    edits.push({ key: "accept", text: "js.accept_anyway", edit: accept });
  }
  if (state === "accepted") {
    const refuse = { op: "accept_row", row: id, accepted: false };
    edits.push({ key: "accept", text: "js.accept_no_more", edit: refuse });
  }
  if (place === "melds") {
    const aside = { op: "move_row", row: id, side, place: "pozo" };
    edits.push({ key: "aside", text: "js.set_aside", edit: aside });
  }
  if (place === "pozo") {
    const count = { op: "move_row", row: id, side, place: "melds" };
    edits.push({ key: "count", text: "js.count_as_meld", edit: count });
  }
  return edits;
}

/**
 * What is said of a row: the verdict, or how many tiles it has where nothing is judged.
 * @param {RowView} row
 */
export function rowText(row) {
  if (!row.verdict) return tileCount(row.tiles.length);
  const { text } = row.verdict;
  return rowState(row) === "accepted" ? `${text} ${say("js.accepted")}` : text;
}

/**
 * @param {HandScreen} screen
 * @param {RowView} row
 */
export function rowCard(screen, row) {
  const props = {
    class: "row",
    "data-row": row.id,
    "data-state": rowState(row),
    "data-canasta": row.verdict?.canasta,
  };
  const tiles = row.tiles.map((id) => chip(screen, id));
  const shelf = h("div", { class: "row-tiles" }, tiles);
  rove(shelf, tiles);
  return h(
    "div",
    props,
    shelf,
    h("div", { class: "row-foot" }, words(screen, row), tools(screen, row)),
  );
}

/**
 * @param {HandScreen} screen
 * @param {string} id
 */
function chip(screen, id) {
  const { face, read, doubtful, settled, waiting } = screen.view.tiles[id];
  const states = [
    waiting && "waiting",
    doubtful && "doubtful",
    screen.lit.includes(id) && "lit",
    settled && read && read !== face && "corrected",
  ];
  return tileFace(face, {
    tag: "button",
    type: "button",
    class: states.filter(Boolean).join(" "),
    "data-tile": id,
    "data-key": `chip-${id}`,
    onclick: () => screen.pick(id),
  });
}

/**
 * Whether anything in the row has not reached the server yet.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function isWaiting(screen, row) {
  return row.tiles.some((id) => screen.view.tiles[id].waiting);
}

/**
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function words(screen, row) {
  const points = row.verdict?.points ?? row.points;
  const notices = (row.verdict?.notices ?? []).map((notice) =>
    h("span", { class: "row-notice" }, withTiles(notice)),
  );
  return h(
    "p",
    { class: "verdict" },
    h("span", { class: "mark", "aria-hidden": "true" }),
    h("span", {}, withTiles(rowText(row)), notices),
    isWaiting(screen, row) && h("span", { class: "row-waiting" }, say("js.row_waiting")),
    points !== undefined && h("b", { class: "row-points" }, signed(points)),
  );
}

/**
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function tools(screen, row) {
  const repairs = rowState(row) === "illegal" ? repairAnswers(row) : [];
  const buttons = [...repairs, ...rowEdits(row)].map(({ key, text, edit }, index) =>
    h(
      "button",
      {
        type: "button",
        class: index < repairs.length ? "quiet repair" : "quiet",
        onclick: () => screen.edit(edit),
        "data-key": `${key}-${row.id}`,
      },
      withTiles(say(text)),
    ),
  );
  const photographed = row.tiles.some((id) => screen.view.tiles[id].photo);
  if (row.place === "melds" && photographed) {
    buttons.splice(-1, 0, toOther(screen, row)); // before the last, which sets the row aside
  }
  return h("span", { class: "row-tools" }, buttons);
}

/**
 * A photograph may show melds of both sides: this moves one over.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function toOther(screen, row) {
  const side = row.side === "A" ? "B" : "A";
  const { name } = screen.view.score[side];
  const move = { op: "move_row", row: row.id, side, place: "melds" };
  return h(
    "button",
    {
      type: "button",
      class: "quiet to-other",
      "aria-label": say("js.to_other", { side: name }),
      onclick: () => screen.edit(move),
      "data-key": `other-${row.id}`,
    },
    `→ ${name}`,
  );
}
