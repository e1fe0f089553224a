// A hand and its parts for the unit tests: each maker takes what a test says of it, the rest is
// plain.

/**
 * @param {Partial<TileView>} [said]
 * @returns {TileView}
 */
export function tile(said = {}) {
  return {
    face: "7R",
    photo: null,
    corners: null,
    read: null,
    doubtful: false,
    perhaps_none: false,
    settled: false,
    added: !said.photo,
    likely: [],
    ...said,
  };
}

/**
 * @param {Partial<RowView>} [said]
 * @returns {RowView}
 */
export function row(said = {}) {
  return {
    id: "r1",
    side: "A",
    place: "melds",
    tiles: ["t1"],
    accepted: false,
    verdict: null,
    ...said,
  };
}

/**
 * @param {Partial<PhotoView>} [said]
 * @returns {PhotoView}
 */
export function photo(said = {}) {
  return {
    id: "p1",
    side: "A",
    place: "melds",
    state: "read",
    width: 400,
    height: 300,
    url: "/photos/p1.jpg",
    text: "leída",
    can_retry: false,
    can_move: false,
    of_table: false,
    notices: [],
    ...said,
  };
}

/**
 * @param {Partial<Question>} [said]
 * @returns {Question}
 */
export function question(said = {}) {
  return {
    ask: "tile",
    effect: 10,
    needed: false,
    subject: "t1",
    tiles: [],
    duplicate_of: null,
    choices: [],
    cause: null,
    text: "¿Es un 7?",
    ...said,
  };
}

/**
 * @param {Partial<SideScore>} [said]
 * @returns {SideScore}
 */
export function score(said = {}) {
  return { name: "Nosotros", lines: [], base: 0, puntos: 0, total: 0, interval: [0, 0], ...said };
}

/**
 * @param {Partial<HandView>} [said]
 * @returns {HandView}
 */
export function hand(said = {}) {
  return {
    id: "h1",
    match: "m1",
    pieces: "tiles",
    version: 1,
    state: "draft",
    saved: null,
    corrected: false,
    discarded: false,
    counts: "",
    position: 1,
    tiles: {},
    removed: [],
    repeats: {},
    rows: [],
    photos: [],
    closing: {
      end: null,
      closed_by: null,
      muerto: { A: null, B: null },
      unplayed: [],
      unplayed_costs: true,
    },
    score: { A: score(), B: score({ name: "Ellos" }) },
    provisional: false,
    notes: [],
    questions: [],
    ready: false,
    undo: null,
    ...said,
  };
}

/**
 * A tile of a watched table, 20 wide and 30 tall.
 * @param {Partial<TableTile>} [said]
 * @returns {TableTile}
 */
export function tableTile(said = {}) {
  return {
    id: 1,
    tile: "7R",
    corners: upright(100, 100),
    doubtful: false,
    alternatives: [],
    ...said,
  };
}

/**
 * @param {Partial<TableMeld>} [said]
 * @returns {TableMeld}
 */
export function tableMeld(said = {}) {
  return {
    id: 1,
    side: null,
    details: [],
    legal: true,
    doubtful: false,
    overruled: false,
    ...said,
  };
}

/**
 * The corners of an upright tile, 20 wide and 30 tall.
 * @param {number} left
 * @param {number} top
 * @returns {Corners}
 */
export function upright(left, top) {
  return [
    [left, top],
    [left + 20, top],
    [left + 20, top + 30],
    [left, top + 30],
  ];
}
