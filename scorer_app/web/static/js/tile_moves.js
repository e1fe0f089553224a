// Where a tile or a row of a hand can go: what is offered, with the edit that each offer makes, and
// where a tile goes that is tapped on a photograph; and the list from which a place is chosen.

import { h } from "./dom.js";
import { centreOf, offsetFrom } from "./photo_geometry.js";
import { ofCards, say } from "./words.js";

// How far the centre of a tile may lie from that of its neighbour in a row, in the neighbour's
// widths: 1 where the tiles touch, and more where a gap lies between them or the tap was not exact.
const NEXT = [0.4, 1.6];
const LEVEL = 0.7; // in heights; the tiles of another row lie further above or below
// The same of cards, in heights of the index by which a card was read: they lie over one another in
// any direction, and the next card of a column shows at 1 to 5 of them.
const CARD_STEP = 5.5;

/**
 * One thing that can be done to a tile: `key` names its button, and `text` is the key of its text.
 * @typedef {{ key: string, text: string, edit: Operation }} Move
 */

/**
 * Returns what can be done to one tile with a single tap.
 * @param {RowView} row
 * @param {TileId} tile
 * @returns {Move[]}
 */
export function movesOf(row, tile) {
  const at = row.tiles.indexOf(String(tile));
  const alone = { op: "move_tile", tile, row: "new", side: row.side };
  const isMeld = row.place === "melds";
  /** @type {Move[]} */
  const moves = [{ key: "delete", text: "js.delete", edit: { op: "remove_tile", tile } }];
  if (isMeld) {
    moves.push({ key: "new-meld", text: "js.new_meld", edit: { ...alone, place: "melds" } });
  }
  if (isMeld && at > 0) {
    moves.push({ key: "split", text: "js.split_here", edit: { op: "split_row", row: row.id, at } });
  }
  if (row.place !== "pozo") {
    moves.push({ key: "aside", text: "js.aside_tile", edit: { ...alone, place: "pozo" } });
  }
  return moves;
}

/**
 * Returns where a tile, or all of its row, can go: the melds that they can join, and the rack, for
 * which `into` is null.
 * @param {RowView[]} rows of the hand
 * @param {RowView} row
 * @param {TileId} tile
 * @returns {{ text: string | null, into: RowView | null, edit: Operation }[]}
 */
export function destinations(rows, row, tile) {
  const others = rows.filter(
    (one) => one.id !== row.id && one.place === "melds" && one.side === row.side,
  );
  /** @type {ReturnType<typeof destinations>} */
  const found = others.map((into) => ({
    text: null,
    into,
    edit: { op: "move_tile", tile, row: into.id },
  }));
  if (row.place !== "rack") {
    const away = { op: "move_tile", tile, row: "new", side: row.side, place: "rack" };
    found.push({ text: "js.tile_to_rack", into: null, edit: away });
  }
  if (row.place !== "melds" || row.tiles.length < 2) return found;
  for (const into of others) {
    const edit = { op: "join_rows", row: row.id, into: into.id };
    found.push({ text: "js.join_all", into, edit });
  }
  found.push({ text: "js.row_to_rack", into: null, edit: rackMove(row.id, row.side) });
  return found;
}

/**
 * Returns the edit that moves a row to the rack of its side.
 * @param {string} row
 * @param {Side} side
 * @returns {Operation}
 */
export function rackMove(row, side) {
  return { op: "move_row", row, side, place: "rack" };
}

/**
 * Returns where a tile goes that the reader missed and a person taps on a photograph of melds: into
 * the row beside whose tile it lies, or else into a new one. Where nothing was read on the
 * photograph, nobody knows how large its tiles are; then the tile goes where a tile goes that is
 * tapped in without a place, as one of a rack does.
 * @param {PickerScreen["view"]} view
 * @param {Pick<PhotoView, "id" | "side" | "place">} photo
 * @param {Corners} corners
 * @returns {{ side: Side, place: Place, row?: string, index?: number }}
 */
export function placeOfTap({ rows, tiles }, { id, side, place }, corners) {
  const wasRead = Object.values(tiles).some((tile) => tile.photo === id && tile.read);
  if (place !== "melds" || !wasRead) return { side, place };
  const point = centreOf(corners);
  /** @param {string} name */
  const quadOf = (name) => (tiles[name].photo === id ? tiles[name].corners : null);
  const melds = rows.filter((row) => row.place === "melds");
  const all = melds.flatMap((row) =>
    row.tiles.map((name, at) => ({ row, at, far: howFar(point, quadOf(name)) })),
  );
  const [nearest] = all.filter(({ far }) => far < Infinity).sort((a, b) => a.far - b.far);
  if (!nearest) return { side, place, row: "new" };
  const { row, at } = nearest;
  if (row.waiting) return { side: row.side, place }; // the server has given it no id yet
  const index = at + Number(liesAfter(point, row.tiles.map(quadOf), at));
  return { side: row.side, place, row: row.id, index };
}

/**
 * Returns how far a point lies from a tile whose neighbour it may be; infinity if it is none.
 * @param {{ x: number, y: number }} point
 * @param {Corners | null} corners of the tile
 */
function howFar(point, corners) {
  if (!corners) return Infinity;
  const { across, along } = offsetFrom(point, corners);
  if (ofCards()) {
    const { x, y } = centreOf(corners);
    const [, b, c] = corners;
    const far = Math.hypot(point.x - x, point.y - y) / Math.hypot(c[0] - b[0], c[1] - b[1]);
    return far <= CARD_STEP ? far : Infinity;
  }
  const [width, height] = [Math.abs(across), Math.abs(along)];
  const isBeside = NEXT[0] <= width && width <= NEXT[1] && height <= LEVEL;
  return isBeside ? Math.hypot(width, 2 * height) : Infinity;
}

/**
 * Whether a point lies on that side of a row's tile on which the row goes on.
 * @param {{ x: number, y: number }} point
 * @param {(Corners | null)[]} row the corners of its tiles, null for those not on the photograph
 * @param {number} at which of the tiles
 */
function liesAfter(point, row, at) {
  const corners = row[at] ?? [];
  const [before, after] = [row[at - 1], row[at + 1]];
  if (!before && !after) return offsetFrom(point, corners).across > 0;
  const [from, to] = [before ?? corners, after ?? corners].map(centreOf);
  const { x, y } = centreOf(corners);
  return (point.x - x) * (to.x - from.x) + (point.y - y) * (to.y - from.y) > 0;
}

/**
 * Makes a list of places to which something goes as soon as a person chooses one. In some browsers
 * an arrow key already chooses the next place of a closed list: there nothing is done until the
 * Enter key, so that each place can be reached by keyboard.
 * @param {string} title what the list says and is called while no place is chosen
 * @param {string[]} places
 * @param {(index: number) => void} act
 * @param {Record<string, string>} [props] further attributes of the list
 */
export function choiceOf(title, places, act, props = {}) {
  let isByKey = false; // a key that is handled right now changes the choice
  const go = () => {
    const { value } = select;
    select.value = "";
    if (value) act(Number(value));
  };
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.key === "Enter" && select.value) {
      event.preventDefault();
      return go();
    }
    isByKey = true;
    setTimeout(() => (isByKey = false));
  };
  const select = h(
    "select",
    {
      "aria-label": title,
      onkeydown,
      onchange: () => isByKey || go(),
      onblur: () => (select.value = ""),
      ...props,
    },
    h("option", { value: "" }, title),
    places.map((place, index) => h("option", { value: index }, place)),
  );
  return select;
}

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
  const names = ["quiet", `rack-${id}`, say("js.row_to_rack"), say("js.place.rack")];
  return moveButton(screen, rackMove(id, side), ...names);
}

/**
 * Makes the button that moves a row to the other side.
 * @param {HandScreen} screen
 * @param {RowView} row
 */
function toOther(screen, { id, side, place }) {
  const other = side === "A" ? "B" : "A";
  const { name } = screen.view.score[other];
  const label = say(place === "melds" ? "js.to_other" : "js.all_to_other", { side: name });
  const move = { op: "move_row", row: id, side: other, place };
  return moveButton(screen, move, "quiet to-other", `other-${id}`, label, name);
}

/**
 * @param {HandScreen} screen
 * @param {Operation} move
 * @param {string[]} names its class and its key, what is said of it, and where it leads
 */
function moveButton(screen, move, ...[looks, key, label, text]) {
  const onclick = () => screen.edit(move);
  const props = { type: "button", class: looks, "aria-label": label, onclick, "data-key": key };
  return h("button", props, `→ ${text}`);
}
