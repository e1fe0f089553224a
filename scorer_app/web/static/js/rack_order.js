// The orders in which a rack's tiles can be shown: as they stand in the photograph, or sorted.

import { COLOURS } from "./faces.js";
import { medianHeight } from "./photo_geometry.js";
import { partsOf } from "./words.js";

/** @typedef {"photo" | "sorted" | "tapped"} RackOrder */

const SAME_LINE = 0.6; // of a tile's height: centres that are nearer stand in one line

/**
 * Returns the orders in which a rack can be shown, the usual one first.
 * @param {TileView[]} tiles
 * @returns {RackOrder[]}
 */
export function rackOrders(tiles) {
  return [tiles.some(({ corners }) => corners) ? "photo" : "tapped", "sorted"];
}

/**
 * Returns the ids of a rack's tiles in an order. Tiles without a place in a photograph come last.
 * @param {string[]} ids
 * @param {Record<string, TileView>} tiles
 * @param {RackOrder} order
 */
export function inOrder(ids, tiles, order) {
  if (order === "tapped") return ids;
  if (order === "sorted") {
    /** @param {string} id */
    const rank = (id) => faceRank(tiles[id].face);
    return ids.toSorted((a, b) => rank(a) - rank(b));
  }
  const photos = [...new Set(ids.map((id) => tiles[id].photo))];
  const standing = ids.filter((id) => tiles[id].corners);
  const others = ids.filter((id) => !tiles[id].corners);
  return [
    ...photos.flatMap((photo) =>
      lines(
        standing.filter((id) => tiles[id].photo === photo),
        tiles,
      ),
    ),
    ...others,
  ];
}

/**
 * Returns a number that sorts faces by colour, then by number; comodines and unread tiles come
 * last.
 * @param {Face | null} face
 */
function faceRank(face) {
  const { number, colour } = partsOf(face);
  const ink = COLOURS.indexOf(colour);
  return (ink < 0 ? COLOURS.length : ink) * 100 + (Number(number) || 0);
}

/**
 * Returns the tiles of one photograph line by line from the top, each line from the left.
 * @param {string[]} ids of tiles with corners
 * @param {Record<string, TileView>} tiles
 */
function lines(ids, tiles) {
  const placed = ids.map((id) => ({ id, ...centre(tiles[id].corners ?? []) }));
  placed.sort((a, b) => a.y - b.y);
  const near = medianHeight(ids.map((id) => tiles[id].corners ?? [])) * SAME_LINE;
  /** @type {(typeof placed)[]} */
  const found = [];
  for (const tile of placed) {
    const line = found.at(-1);
    if (line && tile.y - line[line.length - 1].y < near) line.push(tile);
    else found.push([tile]);
  }
  return found.flatMap((line) => line.toSorted((a, b) => a.x - b.x).map(({ id }) => id));
}

/** @param {Corners} corners */
function centre(corners) {
  const [x, y] = [0, 1].map(
    (axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length,
  );
  return { x, y };
}
