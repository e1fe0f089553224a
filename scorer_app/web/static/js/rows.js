// A row of tiles with its verdict and with what a person may do with it.

/** @typedef {import("./rack_order.js").RackOrder} RackOrder */

import { h, tileFace, withTiles } from "./dom.js";
import { repairAnswers } from "./question.js";
import { inOrder, rackOrders } from "./rack_order.js";
import { rove } from "./roving.js";
import { isOpen, rowMenu } from "./tile_moves.js";
import { say, signed, tileCount, tileLabel } from "./words.js";

/**
 * Returns the state of a row, which decides its looks and what may be done with it; "plain" where
 * nothing is judged.
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
 * Returns the edits that a row offers: the key of each button, the key of its text, and the edit.
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
 * Returns what is said of a row: the verdict or, where nothing is judged, how many tiles it has.
 * @param {RowView} row
 */
export function rowText(row) {
  if (!row.verdict) return tileCount(row.tiles.length);
  const { text } = row.verdict;
  return rowState(row) === "accepted" ? `${text} ${say("js.accepted")}` : text;
}

/**
 * Returns everything that a row's card is made from.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
export function rowFacts(screen, row) {
  const { tiles, score } = screen.view;
  const shown = row.tiles.map((id) => tiles[id]);
  return [row, shown, orderOf(screen, row), isOpen(row), score.A.name, score.B.name];
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
  const tiles = shownTiles(screen, row).map((id) => chip(screen, id));
  const label = tileCount(tiles.length);
  const shelf = h("div", { class: "row-tiles", role: "group", "aria-label": label }, tiles);
  rove(shelf, tiles);
  return h(
    "div",
    props,
    shelf,
    h("div", { class: "row-foot" }, words(screen, row), tools(screen, row)),
  );
}

/** @type {Map<string, RackOrder>} by row, where a person has chosen another than the first */
const chosenOrders = new Map();
/**
 * @param {HandScreen} screen
 * @param {RowView} row
 * @returns {RackOrder}
 */
function orderOf({ view }, row) {
  return chosenOrders.get(row.id) ?? rackOrders(row.tiles.map((id) => view.tiles[id]))[0];
}

/**
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function shownTiles(screen, row) {
  if (row.place !== "rack") return row.tiles;
  return inOrder(row.tiles, screen.view.tiles, orderOf(screen, row));
}

/**
 * Makes the button that shows a rack in its other order; null where the rack has a single tile.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function orderButton(screen, row) {
  if (row.place !== "rack" || row.tiles.length < 2) return null;
  const orders = rackOrders(row.tiles.map((id) => screen.view.tiles[id]));
  const other = orders.find((one) => one !== orderOf(screen, row)) ?? orders[0];
  const turn = () => {
    chosenOrders.set(row.id, other);
    screen.draw();
  };
  const props = { type: "button", class: "quiet", onclick: turn, "data-key": `order-${row.id}` };
  return h("button", props, say(`js.rack_as.${other}`));
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
    settled && read && read !== face && "corrected",
  ];
  return tileFace(face, {
    tag: "button",
    type: "button",
    class: states.filter(Boolean).join(" "),
    "aria-label": tileLabel({ face, doubtful }),
    "data-tile": id,
    "data-key": `chip-${id}`,
    onclick: () => screen.pick(id),
  });
}

/**
 * Whether an edit of this row has not reached the server yet.
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
  const isRack = row.place === "rack" && row.tiles.length > 1;
  const notices = (row.verdict?.notices ?? []).map((notice) =>
    h("span", { class: "row-notice" }, withTiles(notice)),
  );
  return h(
    "p",
    { class: "verdict" },
    h("span", { class: "mark", "aria-hidden": "true" }),
    h(
      "span",
      {},
      withTiles(rowText(row)),
      isRack && ` · ${say(`js.rack_is.${orderOf(screen, row)}`)}`,
      notices,
    ),
    isWaiting(screen, row) && h("span", { class: "row-waiting" }, say("js.row_waiting")),
    points !== undefined && h("b", { class: "row-points" }, signed(points)),
  );
}

/**
 * Makes the buttons of a row: those that its state calls for, and the others behind one more tap.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function tools(screen, row) {
  const repairs = rowState(row) === "illegal" ? repairAnswers(row) : [];
  const edits = rowEdits(row);
  const isIllegal = rowState(row) === "illegal" && row.place === "melds" && !row.waiting;
  const buttons = [
    isIllegal && lackButton(screen, row),
    ...repairs.map((one) => editButton(screen, row, one, "quiet repair")),
    ...edits.filter(({ key }) => key !== "aside").map((one) => editButton(screen, row, one)),
  ];
  const aside = edits
    .filter(({ key }) => key === "aside")
    .map((one) => editButton(screen, row, one));
  return h(
    "span",
    { class: "row-tools" },
    buttons,
    orderButton(screen, row),
    rowMenu(screen, row, aside),
  );
}

/**
 * Makes the button that asks which tile a row lacks.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function lackButton(screen, { id }) {
  const onclick = () => screen.addTo(id);
  const props = { type: "button", class: "quiet", onclick, "data-key": `lacks-${id}` };
  return h("button", props, say("js.one_lacks"));
}

/**
 * @param {HandScreen} screen
 * @param {RowView} row
 * @param {{ key: string, text: string, edit: Operation }} offer
 * @param {string} [looks]
 */
function editButton(screen, row, { key, text, edit }, looks = "quiet") {
  const onclick = () => screen.edit(edit);
  const props = { type: "button", class: looks, onclick, "data-key": `${key}-${row.id}` };
  return h("button", props, withTiles(say(text)));
}
