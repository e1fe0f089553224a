// Computes where things lie on a photograph, in plain numbers of the photograph's pixels, and cuts
// a tile out of it: where a person is asked about the tile, and where its face is chosen.

import { svg } from "./dom.js";
import { ofCards } from "./words.js";

const NEAR_ENOUGH = 0.75; // share of the picture's area: a larger part is not worth enlarging
const SLIMMEST = 0.8; // width to height: a slimmer part would be taller than a phone's screen
const CLOSE_UP_MARGIN = 0.35; // of a tile's height, left around it
const TILE_SHAPE = 0.72; // a tile's width to its height
// Of an index's height: how far a card reaches beyond the index by which it was read.
const CARD = 3.5;
// Of the size of a label's letters: how wide they are with their rim, a line's height, and how
// small they may become beside others.
const WIDE_LETTER = 0.8;
const LINE = 1.2;
const SMALLER = 0.8;

/**
 * Returns the part of the photograph that holds all tiles and a tile's height around them, or all
 * cards. It is the whole photograph where the part would be hardly smaller.
 * @param {number} width of the photograph
 * @param {number} height of the photograph
 * @param {Corners[]} tiles
 * @returns {Box}
 */
export function partWithTiles(width, height, tiles) {
  const whole = { x: 0, y: 0, width, height };
  if (!tiles.length) return whole;
  const margin = medianHeight(tiles) * (ofCards() ? CARD : 1);
  const [left, right] = reach(tiles.flat(), 0, margin, width);
  const [top, bottom] = reach(tiles.flat(), 1, margin, height);
  const near = Math.min(width, Math.max(right - left, (bottom - top) * SLIMMEST));
  const x = Math.max(0, Math.min((left + right - near) / 2, width - near));
  const part = { x, y: top, width: near, height: bottom - top };
  return part.width * part.height < NEAR_ENOUGH * width * height ? part : whole;
}

/**
 * Returns between which numbers the points lie along an axis, with a margin, inside the picture.
 * @param {Point[]} points
 * @param {0 | 1} axis 0 for x, 1 for y
 * @param {number} margin
 * @param {number} limit the picture's size along the axis
 */
function reach(points, axis, margin, limit) {
  const values = points.map((point) => point[axis]);
  return [Math.max(0, Math.min(...values) - margin), Math.min(limit, Math.max(...values) + margin)];
}

/**
 * Returns the median of the tiles' heights; 0 without tiles.
 * @param {Corners[]} tiles
 */
export function medianHeight(tiles) {
  const heights = tiles.map(([a, , , d]) => Math.hypot(d[0] - a[0], d[1] - a[1]));
  heights.sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] ?? 0;
}

/**
 * Returns the corners of an upright tile around a point, in whole pixels.
 * @param {{ x: number, y: number }} centre
 * @param {number} height
 * @returns {Corners}
 */
export function uprightTile({ x, y }, height) {
  const [right, down] = [(height * TILE_SHAPE) / 2, height / 2];
  /** @type {Corners} */
  const corners = [
    [x - right, y - down],
    [x + right, y - down],
    [x + right, y + down],
    [x - right, y + down],
  ];
  return corners.map(([cornerX, cornerY]) => [Math.round(cornerX), Math.round(cornerY)]);
}

/** @param {Corners} corners */
export function centreOf(corners) {
  const [x, y] = [0, 1].map(
    (axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length,
  );
  return { x, y };
}

/**
 * Returns how far a point lies from a tile's centre: `across` in the tile's widths, to the right of
 * its face, and `along` in its heights, downwards.
 * @param {{ x: number, y: number }} point
 * @param {Corners} corners
 */
export function offsetFrom(point, corners) {
  const [a, b, c, d] = corners;
  /** @param {0 | 1} axis */
  const width = (axis) => (b[axis] - a[axis] + c[axis] - d[axis]) / 2;
  /** @param {0 | 1} axis */
  const height = (axis) => (d[axis] - a[axis] + c[axis] - b[axis]) / 2;
  const [rightX, rightY, downX, downY] = [width(0), width(1), height(0), height(1)];
  const centre = centreOf(corners);
  const [x, y] = [point.x - centre.x, point.y - centre.y];
  const area = rightX * downY - rightY * downX;
  return { across: (x * downY - y * downX) / area, along: (y * rightX - x * rightY) / area };
}

/**
 * Returns where a tile's label lies: on its lower edge, where it hides neither number nor shape.
 * @param {Corners} corners
 * @returns {Point}
 */
export function labelPoint([a, b, c, d]) {
  /** @param {0 | 1} axis */
  const along = (axis) => (c[axis] + d[axis]) * 0.47 + (a[axis] + b[axis]) * 0.03;
  return [along(0), along(1)];
}

/**
 * Returns how large the labels of tiles are, and where they lie: somewhat smaller than `largest`
 * where they would cover each other, and on two lines, both on their tiles, where that does not do.
 * @param {Corners[]} tiles
 * @param {string[]} marks what the labels say
 * @param {number} largest size of their letters
 * @returns {{ size: number, points: Point[] }}
 */
export function labelsApart(tiles, marks, largest) {
  const points = tiles.map(labelPoint);
  const fromLeft = [...points.keys()].sort((a, b) => points[a][0] - points[b][0]);
  let size = largest;
  /** @param {number} own @param {number} [shift] downwards */
  const isFree = (own, shift = 0) =>
    fromLeft.slice(0, fromLeft.indexOf(own)).every((other) => {
      const [x, y] = [0, 1].map((axis) => points[own][axis] - points[other][axis]);
      const wide = ((marks[own].length + marks[other].length) / 2) * WIDE_LETTER * size;
      return x >= wide || Math.abs(y + shift) >= size;
    });
  while (size > largest * SMALLER && !fromLeft.every((own) => isFree(own))) size -= largest / 20;
  for (const own of fromLeft) {
    const inwards = Math.sign(centreOf(tiles[own]).y - points[own][1]) * size * LINE;
    if (!isFree(own) && isFree(own, inwards)) points[own][1] += inwards;
  }
  return { size, points };
}

/**
 * Returns the part of a photograph that shows one tile close up.
 * @param {Corners} corners
 * @returns {Box}
 */
export function closeUpPart(corners) {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const height = Math.max(...ys) - Math.min(...ys);
  const width = Math.max(...xs) - Math.min(...xs);
  const margin = height * CLOSE_UP_MARGIN;
  return {
    x: Math.min(...xs) - margin,
    y: Math.min(...ys) - margin,
    width: width + 2 * margin,
    height: height + 2 * margin,
  };
}

/**
 * Returns by how many degrees a tile is turned clockwise. The first of its corners is the tile's
 * own top left.
 * @param {Corners} corners
 */
export function turnOf([a, b]) {
  return (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
}

/**
 * Returns the corners after the picture has been turned about the tile's centre so that the tile
 * stands upright.
 * @param {Corners} corners
 * @returns {{ corners: Corners, centre: Point }}
 */
export function turnedUpright(corners) {
  const angle = (-turnOf(corners) * Math.PI) / 180;
  const { x, y } = centreOf(corners);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  /** @type {Corners} */
  const turned = corners.map(([px, py]) => [
    x + (px - x) * cos - (py - y) * sin,
    y + (px - x) * sin + (py - y) * cos,
  ]);
  return { corners: turned, centre: [x, y] };
}

/**
 * Writes a part of a photograph as the viewBox of an SVG drawing.
 * @param {Box} part
 */
export function viewBox({ x, y, width, height }) {
  return `${x} ${y} ${width} ${height}`;
}

/**
 * Writes corners as the points of an SVG polygon.
 * @param {Corners} corners
 */
export function polygonPoints(corners) {
  return corners.map((corner) => corner.join()).join(" ");
}

/**
 * Makes the picture of a tile as photographed, turned upright: the photograph itself, cut by a
 * frame. Returns null for a tile of no photograph.
 * @param {Pick<PickerScreen["view"], "photos">} view
 * @param {Pick<TileView, "corners" | "photo">} tile
 */
export function closeUp(view, { corners, photo: photoId }) {
  const photo = view.photos.find((one) => one.id === photoId);
  if (!corners || !photo?.url) return null;
  const upright = turnedUpright(corners);
  const turn = `rotate(${-turnOf(corners)} ${upright.centre.join(" ")})`;
  return svg(
    "svg",
    { viewBox: viewBox(closeUpPart(upright.corners)), class: "close-up", "aria-hidden": "true" },
    svg("image", {
      href: photo.url,
      width: photo.width,
      height: photo.height,
      transform: turn,
    }),
    svg("polygon", { points: polygonPoints(upright.corners) }),
  );
}
