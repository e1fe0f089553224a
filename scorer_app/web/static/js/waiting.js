// Works out the hand as it will be once the server has the edits that wait on this device. It knows
// no rules: it shows only what is plain, until the server's answer takes its place.

/** The operation that undoes another edit; it has an address of its own on the server. */
export const UNDO = "undo";
/** The beginning of the id of a tile that waits; the key of its edit follows. */
const WAITING = "w-";
const OF_MANY = "."; // between an edit's key and the number of one of its tiles
const FIRST_ROW = 1_000_000; // number of the first row that waits; the server's are smaller
/**
 * Edits that answer a question, each with its field that names what the question is about.
 * @type {Record<string, string>}
 */
const ANSWERS = {
  set_tile: "tile",
  accept_row: "row",
  split_row: "row",
  keep_copies: "face",
  drop_repeats: "photo",
  drop_tapped: "photo",
  keep_tapped: "photo",
  tell_apart: "photo",
  nothing_counts: "photo",
  keep_blurred: "photo",
  empty_rack: "side",
};

/**
 * Returns the row of an area that grows with the next tile that is tapped in: the one begun last.
 * Among the melds, those that were read in a photograph or begun on another browser do not grow.
 * @param {Pick<HandView, "rows" | "tiles">} view
 * @param {Side} side
 * @param {Place} place
 * @param {unknown} by the name of the browser on which the tile is tapped in
 * @returns {RowView | undefined}
 */
export function growingRow({ rows, tiles }, side, place, by) {
  /** @param {RowView} row */
  const serial = (row) => Number(row.id.slice(1));
  const area = rows.filter((row) => row.side === side && row.place === place);
  const growing = area.filter(
    (row) => (row.by ?? by) === by && row.tiles.every((id) => tiles[id].added),
  );
  return (place === "melds" ? growing : area).toSorted((a, b) => serial(a) - serial(b)).at(-1);
}

/**
 * Returns the key of the edit that adds this tile and waits, perhaps with other tiles; null where
 * the server has the tile.
 * @param {TileId} tile
 */
export function keyOfWaiting(tile) {
  const id = String(tile);
  return id.startsWith(WAITING) ? id.slice(WAITING.length).split(OF_MANY)[0] : null;
}

/**
 * Returns the keys of the edits that are undone by operations among those that wait.
 * @param {Operation[]} waiting
 */
export function cancelledBy(waiting) {
  return new Set(waiting.filter(({ op }) => op === UNDO).map(({ of }) => of));
}

/**
 * Notes in each undo operation that waits which tiles it will remove, where the edit that it undoes
 * has just arrived. These tiles are hidden until the undo operation arrives, too.
 * @param {Operation[]} waiting
 * @param {Operation[]} arrived
 * @param {HandView} before the view from before they arrived
 * @param {HandView} after
 */
export function noteUndone(waiting, arrived, before, after) {
  for (const undoing of waiting) {
    const added = arrived.find(({ key }) => undoing.op === UNDO && undoing.of === key);
    if (added) undoing.tiles = tilesOf(added, before, after);
  }
}

/**
 * Returns the ids of the tiles that an edit added: the newest of their area with its faces.
 * @param {Operation} added
 * @param {HandView} before
 * @param {HandView} after
 */
function tilesOf({ face, faces = [face], side, place }, before, after) {
  const area = after.rows.filter((row) => row.side === side && row.place === place);
  const fresh = area.flatMap((row) => row.tiles).filter((id) => !before.tiles[id]);
  fresh.sort((a, b) => Number(b.slice(1)) - Number(a.slice(1)));
  /** @type {string[]} */
  const found = [];
  for (const one of /** @type {Face[]} */ (faces)) {
    const id = fresh.find((name) => after.tiles[name].face === one && !found.includes(name));
    if (id) found.push(id);
  }
  return found;
}

/**
 * @param {HandView} view
 * @param {Operation[]} waiting
 * @returns {HandView}
 */
export function withWaiting(view, waiting) {
  if (!waiting.length) return view;
  const gone = cancelledBy(waiting);
  const made = waiting
    .filter(({ op, key }) => op !== UNDO && !gone.has(key))
    .flatMap((one) => /** @type {Operation[]} */ (one.moves ?? one));
  const next = {
    ...view,
    tiles: { ...view.tiles },
    removed: [...view.removed],
    rows: view.rows.map((row) => ({ ...row, tiles: [...row.tiles] })),
    closing: { ...view.closing, muerto: { ...view.closing.muerto } },
  };
  for (const operation of made) apply(next, operation);
  for (const { op, tiles } of waiting) {
    if (op === UNDO && Array.isArray(tiles)) tiles.forEach((tile) => removeTile(next, tile));
  }
  next.rows = next.rows.filter(({ tiles }) => tiles.length > 0);
  next.wasRefused = view.questions.some(({ ask }) => ask === "closing");
  /** @param {Question} question */
  const isOpen = (question) => !isAnswered(view, question, made);
  next.questions = view.questions.filter(isOpen);
  next.partner = view.partner && isOpen(view.partner) ? view.partner : undefined;
  return next;
}

/**
 * @param {HandView} view is changed
 * @param {Operation} operation
 */
function apply(view, operation) {
  const { op } = operation;
  if (op === "add_tile") addTile(view, WAITING + operation.key, operation);
  if (op === "add_tiles") addTiles(view, operation);
  if (op === "set_tile") setFace(view, operation);
  tilesRemoved(operation).forEach((tile) => removeTile(view, tile));
  if (op === "set_end" || op === "set_muerto") close(view.closing, operation);
  if (op === "accept_row" || op === "move_row") setRow(view, operation);
}

/**
 * @param {HandView} view is changed
 * @param {Operation} operation
 */
function addTiles(view, { key, faces, row, ...area }) {
  /** @type {Face[]} */ (faces).forEach((face, index) => {
    const begun = index > 0 && row === "new" ? undefined : row;
    addTile(view, `${WAITING}${key}${OF_MANY}${index}`, { ...area, face, row: begun, op: "" });
  });
}

/**
 * @param {HandView} view is changed
 * @param {string} id of the new tile
 * @param {Operation} operation
 */
function addTile(view, id, { face, side, place, row, index, photo, corners, by }) {
  const { tiles, rows } = view;
  tiles[id] = {
    face: /** @type {Face} */ (face),
    photo: corners ? /** @type {string} */ (photo) : null,
    corners: /** @type {Corners | null} */ (corners ?? null),
    read: null,
    doubtful: false,
    perhaps_none: false,
    settled: true,
    added: true,
    likely: [],
    waiting: true,
  };
  const area = /** @type {[Side, Place]} */ ([side, place]);
  const into =
    row === undefined ? growingRow(view, ...area, by) : rows.find((one) => one.id === row);
  const at = typeof index === "number" ? index : into?.tiles.length;
  if (into && row !== "new") return void into.tiles.splice(at ?? 0, 0, id);
  rows.push({
    id: `r${FIRST_ROW + rows.length}`,
    side: area[0],
    place: area[1],
    tiles: [id],
    accepted: false,
    verdict: null,
    waiting: true,
    by: /** @type {string | undefined} */ (by),
  });
}

/**
 * @param {HandView} view is changed
 * @param {Operation} operation
 */
function setFace({ tiles }, { tile, face }) {
  const id = String(tile);
  if (!tiles[id]) return;
  const said = { face: /** @type {Face} */ (face), doubtful: false, settled: true };
  tiles[id] = { ...tiles[id], ...said, waiting: true };
}

/**
 * Returns the ids of the tiles that an operation removes.
 * @param {Operation} operation
 * @returns {string[]}
 */
function tilesRemoved({ op, tile, tiles }) {
  if (op === "remove_tile") return [String(tile)];
  return op === "remove_tiles" ? /** @type {string[]} */ (tiles) : [];
}

/**
 * @param {HandView} view is changed
 * @param {string} tile
 */
function removeTile({ tiles, rows, removed }, tile) {
  const { photo = null, read = null } = tiles[tile] ?? {};
  if (photo && read) removed.push({ photo, read });
  delete tiles[tile];
  for (const row of rows) row.tiles = row.tiles.filter((one) => one !== tile);
}

/**
 * @param {HandView} view is changed
 * @param {Operation} operation that accepts a row or moves it
 */
function setRow({ rows }, { row: id, side, place, accepted }) {
  const row = rows.find((one) => one.id === id);
  if (!row) return;
  row.accepted = accepted === true;
  row.side = /** @type {Side} */ (side ?? row.side);
  row.place = /** @type {Place} */ (place ?? row.place);
}

/**
 * @param {Closing} closing is changed
 * @param {Operation} operation that says how the hand ended, or of a muerto
 */
function close(closing, { op, end, closed_by: closedBy, side, taken, played }) {
  if (op === "set_end") {
    closing.end = /** @type {Closing["end"]} */ (end);
    closing.closed_by = /** @type {Closing["closed_by"]} */ (closedBy);
    return;
  }
  const named = /** @type {Side} */ (side);
  closing.muerto[named] = /** @type {boolean} */ (taken);
  closing.unplayed = closing.unplayed.filter((one) => one !== named);
  if (taken && played === false) closing.unplayed.push(named);
}

/**
 * @param {HandView} view
 * @param {Question} question
 * @param {Operation[]} made
 */
function isAnswered({ photos, closing, tiles }, { ask, subject, cause }, made) {
  /** @param {unknown} side */
  const isEmptyRack = (side) =>
    cause === "nothing" &&
    photos.some((one) => one.id === subject && one.place === "rack" && one.side === side);
  return made.some((operation) => {
    if (operation.op === "set_end") return ask === "end" || ask === "closing";
    if (operation.op === "set_muerto") {
      const { side, taken } = operation;
      if (ask === "muerto") return side === subject;
      return subject === "muerto_not_taken" && side === closing.closed_by && taken === true;
    }
    const gone = tilesRemoved(operation);
    if (ask === "copies" && gone.some((id) => tiles[id]?.face === subject)) return true;
    if (ask === "tile" && gone.includes(subject)) return true;
    if (operation.op === "add_tile" && !operation.corners)
      return ask === "row" && operation.row === subject;
    const field = ANSWERS[operation.op];
    if (operation.op === "move_row") return operation.row === subject && operation.place === "pozo";
    if (operation.op === "empty_rack")
      return (ask === "rack" && operation.side === subject) || isEmptyRack(operation.side);
    return field !== undefined && operation[field] === subject;
  });
}
