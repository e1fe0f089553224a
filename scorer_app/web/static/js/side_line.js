// One photograph of the whole table: a line drawn over it with two taps parts the melds of both
// sides. What lies on the nearer side of the line belongs to the side that the photograph was given
// to.

import { toast } from "./dom.js";
import { say } from "./words.js";

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
 * Begins a line, or gives it up.
 * @param {HandScreen} screen
 * @param {string} photo
 */
export function toggleLine(screen, photo) {
  if (drawn.delete(photo)) return screen.draw();
  drawn.set(photo, null);
  toast(say("js.live.first_point"));
  screen.draw();
}

/**
 * Takes a tap as the next end of the line; the second one shares the melds out.
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 * @param {Point} point
 */
export function tapLine(screen, photo, point) {
  const first = firstEnd(photo.id);
  if (!first) {
    drawn.set(photo.id, point);
    toast(say("js.live.second_point"));
    return screen.draw();
  }
  drawn.delete(photo.id);
  const edits = sharedOut(screen.view, photo, [first, point]);
  if (edits.length) screen.edit(...edits);
  const { A, B } = screen.view.score;
  const counts = { A: 0, B: 0 };
  for (const row of rowsOf(screen.view, photo.id)) counts[row.side] += 1;
  const told = { here: A.name, count: counts.A, there: B.name, other: counts.B };
  toast(say("js.line_done", told));
  screen.draw();
}

/**
 * The melds that a photograph shows whole.
 * @param {Pick<HandView, "rows" | "tiles">} view
 * @param {string} photo
 */
export function rowsOf({ rows, tiles }, photo) {
  return rows.filter(
    (row) => row.place === "melds" && row.tiles.every((id) => tiles[id]?.photo === photo),
  );
}

/**
 * The edits that move every meld to the side of the line on which it lies.
 * @param {Pick<HandView, "rows" | "tiles">} view
 * @param {Pick<PhotoView, "id" | "side" | "width" | "height">} photo
 * @param {[Point, Point]} line
 * @returns {Operation[]}
 */
export function sharedOut(view, photo, line) {
  const nearest = sideOfLine(line, [(photo.width ?? 0) / 2, photo.height ?? 0]);
  const other = photo.side === "A" ? "B" : "A";
  const edits = [];
  for (const row of rowsOf(view, photo.id)) {
    const corners = row.tiles.flatMap((id) => view.tiles[id].corners ?? []);
    if (!corners.length) continue;
    const [x, y] = [0, 1].map(
      (axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length,
    );
    const side = sideOfLine(line, [x, y]) === nearest ? photo.side : other;
    if (side !== row.side) edits.push({ op: "move_row", row: row.id, side, place: "melds" });
  }
  return edits;
}

/**
 * On which side of a line a point lies: 1, -1, or 0 on it.
 * @param {[Point, Point]} line
 * @param {Point} point
 */
function sideOfLine([[x1, y1], [x2, y2]], [x, y]) {
  return Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
}
