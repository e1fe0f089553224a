// Presents the watched table as the picker of a hand expects it: its tiles on one photograph, the
// frame without a hand over the table.

const LIKELY = 3;

/**
 * Returns the likeliest faces of a tile, best first: what was read, and what else it may be.
 * @param {Pick<TableTile, "tile" | "alternatives">} tile
 * @returns {Face[]}
 */
export function likelyFaces({ tile, alternatives }) {
  const faces = alternatives.map(([face]) => face);
  if (tile) faces.unshift(tile);
  return [...new Set(faces)].slice(0, LIKELY);
}

/**
 * @param {{ tiles: TableTile[], version: number, size: Size | null }} table
 * @param {string} base of the table's addresses
 * @returns {PickerScreen["view"]}
 */
export function pickerView({ tiles, version, size }, base) {
  const [width, height] = size ?? [0, 0];
  const photo = { id: "now", url: `${base}/settled.jpg?${version}`, width, height };
  /** @type {PickerScreen["view"]["tiles"]} */
  const shown = {};
  for (const tile of tiles) {
    const likely = likelyFaces(tile);
    shown[tile.id] = { face: tile.tile, corners: tile.corners, photo: photo.id, likely };
  }
  return { tiles: shown, rows: [], photos: [photo] };
}
