// Presents the watched table as the picker of a hand expects it: its tiles on one photograph, the
// frame without a hand over the table.

import { Picker } from "./picker.js";

const LIKELY = 3;

/** @typedef {import("./table_view.js").TableView} TableView */

/**
 * Returns a function that asks in the dialog which face a tile of the watched table has.
 * @param {TableView} view
 * @param {string} base of the table's addresses
 * @param {HTMLDialogElement} dialog
 * @param {(correction: Operation, known: string) => void} correct is given the answer, and what was
 *   known of the table when the person was asked, as a query: another table may be watched by then
 * @returns {(tile: Pick<TableTile, "id">) => void}
 */
export function tilePicker(view, base, dialog, correct) {
  let known = "";
  const picker = new Picker(
    {
      get view() {
        return pickerView(view, base);
      },
      edit: ({ tile, face }) => correct({ op: "correct", tile, face }, known),
    },
    dialog,
  );
  return ({ id }) => {
    known = String(view.known);
    picker.open(id);
  };
}

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
