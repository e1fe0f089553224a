// Divides one photograph of the whole table: a line drawn over it with two taps separates the melds
// of both sides. What lies on the nearer side of the line belongs to the side that the photograph
// was given to.

import { toast } from "./dom.js";
import { say } from "./words.js";

const BESIDE = 0.9; // share of a rack's distance from the line at which a row stands on it, too
/** @type {Map<string, Point | null>} photographs over which a line is drawn: its first end */
const drawn = new Map();

/** @param {string} photo */
export function isDrawing(photo) {
  return drawn.has(photo);
}

/** @param {string} photo */
export function firstEnd(photo) {
  return drawn.get(photo) ?? null;
}

/**
 * Begins a line, or gives up the one that was begun.
 * @param {HandScreen} screen
 * @param {string} photo
 */
export function toggleLine(screen, photo) {
  if (drawn.delete(photo)) return screen.draw();
  drawn.set(photo, null);
  toast(say("js.first_point"));
  screen.draw();
}

/**
 * Takes a tap as an end of the line. The second end divides the melds between the sides.
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 * @param {Point} point
 */
export function tapLine(screen, photo, point) {
  const first = firstEnd(photo.id);
  if (!first) {
    drawn.set(photo.id, point);
    toast(say("js.second_point"));
    return screen.draw();
  }
  drawn.delete(photo.id);
  const moves = sharedOut(screen.view, photo, [first, point]);
  if (moves.length) screen.edit({ op: "move_rows", moves });
  toast(toldOf(screen.view, photo.id, moves));
  screen.draw();
}

/**
 * Returns the melds that a photograph shows whole.
 * @param {Pick<HandView, "rows" | "tiles">} view
 * @param {string} photo
 */
export function rowsOf(view, photo) {
  return rowsIn(view, photo).filter(({ place }) => place === "melds");
}

/**
 * Returns all rows of which a single photograph shows every tile.
 * @param {Pick<HandView, "rows" | "tiles">} view
 * @param {string} photo
 */
function rowsIn({ rows, tiles }, photo) {
  return rows.filter((row) => row.tiles.every((id) => tiles[id]?.photo === photo));
}

/**
 * Says in words how the rows of a photograph were divided.
 * @param {HandView} view after the edits
 * @param {string} photo
 * @param {Operation[]} moves that shared it out
 */
function toldOf(view, photo, moves) {
  const { A, B } = view.score;
  const counts = { A: 0, B: 0 };
  for (const row of rowsOf(view, photo)) counts[row.side] += 1;
  const told = { here: A.name, count: counts.A, there: B.name, other: counts.B };
  const racks = moves.some(({ place }) => place === "rack");
  return say("js.line_done", told) + (racks ? ` ${say("js.line_racks")}` : "");
}

/**
 * Returns the moves of every meld to the side of the line on which it lies, and every rack
 * to its side.
 * @param {Pick<HandView, "rows" | "tiles">} view
 * @param {Pick<PhotoView, "id" | "side" | "width" | "height">} photo
 * @param {[Point, Point]} line
 * @returns {Operation[]}
 */
export function sharedOut(view, photo, line) {
  const nearest = Math.sign(beyond(line, [(photo.width ?? 0) / 2, photo.height ?? 0]));
  const other = photo.side === "A" ? "B" : "A";
  const lying = rowsIn(view, photo.id).flatMap((row) => {
    const corners = row.tiles.flatMap((id) => view.tiles[id].corners ?? []);
    if (!corners.length || row.place === "rack") return [];
    const far = beyond(line, middleOf(corners));
    const side = Math.sign(far) === nearest ? photo.side : other;
    return [{ row, side, far: Math.abs(far) }];
  });
  const racks = racksOf(lying);
  const found = [];
  for (const { row, side } of lying) {
    const place = racks.has(row) ? "rack" : row.place;
    const moves = place !== row.place || (place === "melds" && side !== row.side);
    if (moves) found.push({ op: "move_row", row: row.id, side, place });
  }
  return found;
}

/**
 * Returns the rows that are racks: tiles that make no meld and lie farther from the line than all
 * melds of their side, and rows set aside that lie about as far.
 * @param {{ row: RowView, side: Side, far: number }[]} lying
 */
function racksOf(lying) {
  /** @type {Set<RowView>} */
  const racks = new Set();
  for (const side of ["A", "B"]) {
    const rows = lying.filter((one) => one.side === side);
    const melds = rows.filter(({ row }) => row.verdict?.valid).map(({ far }) => far);
    const behind = rows.filter(({ far }) => melds.length > 0 && far > Math.max(...melds));
    const racked = behind.filter(({ row }) => row.place === "melds").map(({ far }) => far);
    const from = BESIDE * Math.min(...racked); // infinite where there is no rack
    for (const { row, far } of rows) {
      if (row.place === "pozo" ? far >= from : racked.includes(far)) racks.add(row);
    }
  }
  return racks;
}

/** @param {Point[]} corners */
function middleOf(corners) {
  const [x, y] = [0, 1].map(
    (axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length,
  );
  return /** @type {Point} */ ([x, y]);
}

/**
 * Returns how far a point lies beside a line, in units of the line's length: above 0 on one side,
 * below 0 on the other.
 * @param {[Point, Point]} line
 * @param {Point} point
 */
function beyond([[x1, y1], [x2, y2]], [x, y]) {
  return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
}
