// What can be said of edits before they are sent.

/**
 * Whether operations are the same as those before them and would do nothing more. Tiles and points
 * can be added several times.
 * @param {Operation[]} operations
 * @param {Operation[]} before
 */
export function isRepeated(operations, before) {
  const plain = (/** @type {Operation[]} */ some) =>
    JSON.stringify(some.map(({ key: _key, ...fields }) => fields));
  return !operations.some(({ op }) => op.startsWith("add_")) && plain(operations) === plain(before);
}

/**
 * Returns the operation that adds the tiles of another one without the last of them; null where it
 * adds one tile.
 * @param {Operation} added
 * @returns {Operation | null}
 */
export function lessOne({ key: _key, faces, ...added }) {
  const [first, ...others] = /** @type {Face[]} */ (faces ?? []).slice(0, -1);
  if (!first) return null;
  return others.length
    ? { ...added, faces: [first, ...others] }
    : { ...added, op: "add_tile", face: first };
}
