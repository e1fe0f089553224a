// Where a tile of a hand can go: what is offered, with the edit that each offer makes.

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
 * Returns the melds that a tile, or all of its row, can join. `into` is null where the whole row
 * goes to the rack.
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
  if (row.place !== "melds") return found;
  for (const into of others) {
    const edit = { op: "join_rows", row: row.id, into: into.id };
    found.push({ text: "js.join_all", into, edit });
  }
  const toRack = { op: "move_row", row: row.id, side: row.side, place: "rack" };
  found.push({ text: "js.row_to_rack", into: null, edit: toRack });
  return found;
}
