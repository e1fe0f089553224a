// The dialog in which a person says what a tile is, by the three likeliest readings or by any face,
// or where it belongs; and which tile was missed.

import { frameShown, h, show, tileFace, toast } from "./dom.js";
import { faceGrid } from "./faces.js";
import { Modal } from "./modal.js";
import { closeUp } from "./photo_geometry.js";
import { choiceOf, destinations, movesOf, placeOfTap } from "./tile_moves.js";
import { faceName, mark, say } from "./words.js";

/** @typedef {PickerScreen["view"]["tiles"][TileId]} PickerTile */

/** @param {RowView} row */
function isNoMeld({ place, verdict }) {
  return place === "melds" && verdict?.valid === false;
}

export class Picker {
  /**
   * @param {PickerScreen} screen
   * @param {HTMLDialogElement} dialog
   */
  constructor(screen, dialog) {
    this.screen = screen;
    this.dialog = dialog;
    /** @type {TileId | null} */
    this.tile = null;
    /** @type {Face | null | undefined} the tile's face when it was picked */
    this.seen = null;
    /** @type {{ photo: PhotoView, corners: Corners } | null} where the reader missed a tile */
    this.missed = null;
    /** @type {string | null} a row that lacks a tile */
    this.lacking = null;
    /** @type {TileId[]} tiles to be compared with it */
    this.alike = [];
    this.modal = new Modal(dialog, () => {
      this.tile = this.missed = this.lacking = null;
      this.alike = [];
    });
  }

  /**
   * @param {TileId} tile
   * @param {TileId[]} [alike] tiles that are said to be the same, shown side by side
   */
  open(tile, alike = []) {
    this.tile = tile;
    this.seen = this.screen.view.tiles[tile]?.face;
    this.missed = this.lacking = null;
    this.alike = alike;
    this.appear();
  }

  /**
   * Asks for a tile that the reader missed.
   * @param {PhotoView} photo
   * @param {Corners} corners
   */
  openNew(photo, corners) {
    this.tile = this.lacking = null;
    this.missed = { photo, corners };
    this.appear();
  }

  /**
   * Asks for a tile that a row lacks.
   * @param {string} row
   */
  openLacking(row) {
    this.tile = this.missed = null;
    this.lacking = row;
    this.appear();
  }

  /** Shows the dialog at once, and adds its many keys in the next frame. */
  appear() {
    if (this.modal.isOpen) return this.draw();
    this.draw(false);
    this.modal.open();
    frameShown().then(() => this.draw());
  }

  /** @param {boolean} isWhole with a key for each face, for which there is room without */
  draw(isWhole = true) {
    if (this.tile === null && !this.missed && !this.lacking) return;
    if (this.isGone()) return this.leave();
    const { tiles, rows } = this.screen.view;
    const tile = this.tile === null ? null : tiles[this.tile];
    const row = rows.find((one) => one.tiles.includes(String(this.tile)));
    show(
      this.dialog,
      this.header(tile ? faceName(tile.face) : say(this.missed ? "js.missed_tile" : "js.lacks")),
      this.comparison(),
      this.sighting(tile),
      isWhole ? faceGrid((face) => this.choose(face), tile?.face) : h("div", { class: "faces" }),
      row && this.moves(row),
    );
  }

  /**
   * Whether the tile or the photograph of a missed one has been taken away since, or the row lacks
   * nothing any more.
   */
  isGone() {
    const { tiles, photos, rows } = this.screen.view;
    if (this.tile !== null) return !tiles[this.tile];
    if (this.lacking) return !rows.some((row) => row.id === this.lacking && isNoMeld(row));
    return !photos.some(({ id }) => id === this.missed?.photo.id);
  }

  /** Closes the dialog, and says why it did so under a person's finger. */
  leave() {
    this.modal.close();
    toast(say("js.picked_gone"));
  }

  /** @param {string} title */
  header(title) {
    const close = h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () => this.modal.close(),
        "data-key": "close",
      },
      say("js.close"),
    );
    return h("header", {}, h("h2", {}, title), close);
  }

  /**
   * Makes the tile as photographed and its likeliest readings. Where tiles are compared, their
   * pictures stand above already, and a single reading is left out because it is no choice.
   * @param {PickerTile | null} tile
   */
  sighting(tile) {
    const compared = this.alike.length > 0;
    const likely = tile?.likely ?? [];
    const isChoice = likely.length > (compared ? 1 : 0);
    const keys = likely.map((face) => this.key(face, tile?.face === face));
    return h(
      "div",
      { class: "sighting" },
      tile && !compared && closeUp(this.screen.view, tile),
      isChoice && h("div", { class: "likely" }, keys),
    );
  }

  /**
   * @param {Face} face
   * @param {boolean} pressed
   */
  key(face, pressed) {
    return tileFace(face, {
      tag: "button",
      type: "button",
      class: "big",
      "data-key": `likely-${face}`,
      "aria-pressed": String(pressed),
      onclick: () => this.choose(face),
    });
  }

  /** @param {Face} face */
  choose(face) {
    const { tile, seen, lacking } = this;
    const row = this.screen.view.rows.find(({ id }) => id === lacking);
    if (row) {
      const { side, place } = row;
      return this.edit({ op: "add_tile", face, row: row.id, side, place });
    }
    if (!this.missed) return this.edit({ op: "set_tile", tile, face, seen });
    const { photo, corners } = this.missed;
    const goes = placeOfTap(this.screen.view, photo, corners);
    this.edit({ op: "add_tile", face, ...goes, photo: photo.id, corners });
  }

  /**
   * Makes the pictures of all tiles that are said to be the same, side by side, so that a person
   * sees which is misread.
   */
  comparison() {
    if (!this.alike.length) return null;
    const { tiles } = this.screen.view;
    const present = this.alike.filter((id) => tiles[id]);
    return h(
      "div",
      { class: "comparison" },
      present.map((id) => this.compared(id, tiles[id])),
    );
  }

  /**
   * @param {TileId} id
   * @param {PickerTile} tile
   */
  compared(id, tile) {
    const props = {
      type: "button",
      "aria-pressed": String(id === this.tile),
      "aria-label": faceName(tile.face),
      onclick: () => this.open(id, this.alike),
      "data-key": `alike-${id}`,
    };
    return h("button", props, closeUp(this.screen.view, tile) ?? tileFace(tile.face));
  }

  /** @param {Operation} operation */
  edit(operation) {
    // The edit draws the page anew, and not what is closed before it. The keyboard is back on the
    // page by then, and goes on beside what the edit takes away.
    this.tile = this.missed = this.lacking = null;
    this.modal.close();
    this.screen.edit(operation);
  }

  /** @param {RowView} row */
  moves(row) {
    const tile = this.tile ?? "";
    const buttons = movesOf(row, tile).map(({ key, text, edit }) =>
      h("button", { type: "button", onclick: () => this.edit(edit), "data-key": key }, say(text)),
    );
    const places = destinations(this.screen.view.rows, row, tile);
    return h("div", { class: "moves" }, buttons, places.length > 0 && this.moveTo(places));
  }

  /** @param {ReturnType<typeof destinations>} places */
  moveTo(places) {
    const { tiles } = this.screen.view;
    const names = places.map(({ text, into }) => {
      const name = into?.tiles.map((id) => mark(tiles[id].face)).join(" ");
      return [text && say(text), name].filter(Boolean).join(" ");
    });
    return choiceOf(say("js.move_to"), names, (index) => this.edit(places[index].edit));
  }
}
