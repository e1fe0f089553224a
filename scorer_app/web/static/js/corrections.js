// Lists what people corrected of what was read in photographs.

/**
 * One correction: `read` is what the reader said, and `now` what the tile is, null where there is
 * no tile.
 * @typedef {{ photo: string, read: Face | null, now: Face | null }} Correction
 */

/**
 * @param {Pick<HandView, "tiles" | "removed">} view
 * @returns {Correction[]}
 */
export function corrections(view) {
  const found = [];
  for (const { photo, settled, read, face } of Object.values(view.tiles)) {
    if (photo && settled && read !== face) found.push({ photo, read, now: face });
  }
  for (const { photo, read } of view.removed) found.push({ photo, read, now: null });
  return found;
}
