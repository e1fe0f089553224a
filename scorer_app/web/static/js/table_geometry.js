// Computes where things lie on a frame of the watched table, in plain numbers of the frame's
// pixels.

/**
 * Whether a point lies inside a tile, in whichever direction its corners are listed.
 * @param {Corners} corners
 * @param {Point} point
 */
export function contains(corners, [x, y]) {
  const turns = corners.map(([x0, y0], place) => {
    const [x1, y1] = corners[(place + 1) % corners.length];
    return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
  });
  return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
}

/**
 * Returns the point of the frame where a tap meets the shown picture.
 * @param {{ clientX: number, clientY: number }} tap
 * @param {{ left: number, top: number, width: number, height: number }} box of the shown picture
 * @param {Size} size of the frame
 * @returns {Point}
 */
export function pointOnFrame(tap, box, [width, height]) {
  return [
    ((tap.clientX - box.left) / box.width) * width,
    ((tap.clientY - box.top) / box.height) * height,
  ];
}

/**
 * Converts a point from pixels to shares of the picture's width and height.
 * @param {Point} point
 * @param {Size} size
 * @returns {Point}
 */
export function toShares([x, y], [width, height]) {
  return [x / width, y / height];
}

/**
 * Converts a point from shares of the picture's width and height to pixels.
 * @param {Point} share
 * @param {Size} size
 * @returns {Point}
 */
export function fromShares([x, y], [width, height]) {
  return [x * width, y * height];
}

/**
 * Returns where a tile's letters stand and how tall they are: under its lowest corner, no wider
 * than the tile.
 * @param {Corners} corners
 * @param {number} tallest
 * @returns {{ x: number, y: number, height: number }}
 */
export function labelUnder(corners, tallest) {
  const [topLeft, topRight] = corners;
  const width = Math.hypot(topRight[0] - topLeft[0], topRight[1] - topLeft[1]);
  const height = Math.min(tallest, width * 0.62);
  const x = corners.reduce((sum, corner) => sum + corner[0], 0) / corners.length;
  const bottom = Math.max(...corners.map((corner) => corner[1]));
  return { x, y: bottom + height * 0.15, height };
}

/**
 * Returns the line between the sides, extended beyond the frame, and where the letters of the sides
 * stand: A to the right of the line, seen from its first point to its second. The letters stand
 * where the line enters the picture, because there is more room than in the middle of the table.
 * @param {[Point, Point]} line
 * @param {Size} size of the frame
 * @param {number} letters their height
 * @param {number} step in which the place is looked for
 * @returns {{ from: Point, to: Point, a: Point, b: Point }}
 */
export function dividingLine([[x1, y1], [x2, y2]], [width, height], letters, step) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const far = width + height; // further than the frame reaches from any point of it
  /** @type {(along: number) => Point} */
  const at = (along) => [x1 + dx * along, y1 + dy * along];
  let along = -far;
  while (along < far && roomAround(at(along), [width, height]) <= letters) along += step;
  const [x, y] = at(along);
  return {
    from: [x1 - dx * far, y1 - dy * far],
    to: [x2 + dx * far, y2 + dy * far],
    a: [x - dy * letters, y + dx * letters],
    b: [x + dy * letters, y - dx * letters],
  };
}

/**
 * Returns how far a point is from the nearest edge of the frame; negative outside the frame.
 * @param {Point} point
 * @param {Size} size
 */
function roomAround([x, y], [width, height]) {
  return Math.min(x, y, width - x, height - y);
}
