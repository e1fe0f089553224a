// What may be done with a row behind its "⋯": it goes to the other side, to the rack, or aside.

import { h } from "./dom.js";
import { rackMove } from "./tile_moves.js";
import { say } from "./words.js";

/** @type {Set<string>} rows of which more is offered than is seen at once */
const opened = new Set();

/**
 * Whether the menu of a row is open.
 * @param {RowView} row
 */
export const isOpen = ({ id }) => opened.has(id);

/**
 * Makes the menu of a row; null where there is nothing in it.
 * @param {HandScreen} screen
 * @param {RowView} row
 * @param {HTMLElement[]} others buttons that come last
 */
export function rowMenu(screen, row, others) {
  const buttons = [...others];
  if (row.place === "melds" && !row.waiting) buttons.unshift(toRack(screen, row));
  if (mayChangeSide(screen, row)) buttons.unshift(toOther(screen, row));
  if (!buttons.length) return null;
  const summary = h("summary", { "aria-label": say("js.row_more"), "data-key": `more-${row.id}` });
  summary.append("⋯");
  /** @param {Event} event */
  const ontoggle = ({ currentTarget }) => {
    if (currentTarget instanceof HTMLDetailsElement && currentTarget.open) opened.add(row.id);
    else opened.delete(row.id);
  };
  return h(
    "details",
    { class: "row-more", open: isOpen(row), ontoggle },
    summary,
    h("span", { class: "row-rest" }, buttons),
  );
}

/**
 * Whether a row can be given to the other side: any meld, since a photograph may show melds of both
 * and a person may tap them in for the wrong one, and a rack that was tapped in. One that was
 * photographed goes with its photograph.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function mayChangeSide({ view }, { place, tiles, waiting }) {
  if (waiting || place === "pozo") return false;
  return place === "melds" || tiles.some((id) => !view.tiles[id].photo);
}

/**
 * Makes the button that moves a row of melds to the rack of its side: a photograph of melds may
 * show a rack beside them.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function toRack(screen, { id, side }) {
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": say("js.row_to_rack"),
      onclick: () => screen.edit(rackMove(id, side)),
      "data-key": `rack-${id}`,
    },
    `→ ${say("js.place.rack")}`,
  );
}

/**
 * Makes the button that moves a row to the other side.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function toOther(screen, row) {
  const side = row.side === "A" ? "B" : "A";
  const { name } = screen.view.score[side];
  const move = { op: "move_row", row: row.id, side, place: row.place };
  const label = row.place === "melds" ? "js.to_other" : "js.all_to_other";
  return h(
    "button",
    {
      type: "button",
      class: "quiet to-other",
      "aria-label": say(label, { side: name }),
      onclick: () => screen.edit(move),
      "data-key": `other-${row.id}`,
    },
    `→ ${name}`,
  );
}
