// The dialog that shows many finds of one photograph that may be no tiles, such as the figures of a
// cloth: a person taps those that are tiles, and the others go at once. Nothing more is asked of
// those that were tapped, unless it is also in doubt which tile they are.

import { h, show, tileFace } from "./dom.js";
import { Modal } from "./modal.js";
import { closeUp } from "./photo_geometry.js";
import { faceName, say } from "./words.js";

export class Sifting {
  /**
   * @param {Pick<HandScreen, "view" | "edit">} screen
   * @param {HTMLDialogElement} dialog
   */
  constructor(screen, dialog) {
    this.screen = screen;
    this.dialog = dialog;
    this.modal = new Modal(dialog);
    /** @type {TileId[]} */
    this.finds = [];
    /** @type {Set<TileId>} those of which a person says that they are tiles */
    this.kept = new Set();
  }

  /** @param {TileId[]} finds */
  open(finds) {
    this.finds = finds;
    this.kept.clear();
    this.draw();
    this.modal.open();
  }

  draw() {
    const close = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.modal.close(), "data-key": "close" },
      say("js.close"),
    );
    show(
      this.dialog,
      h("header", {}, h("h2", {}, say("js.sift_title")), close),
      h("p", {}, say("js.sift_how")),
      h(
        "div",
        { class: "finds" },
        this.there().map((id, index, all) => this.choice(id, index + 1, all.length)),
      ),
      h("div", { class: "dialog-buttons" }, this.button()),
    );
  }

  /** Returns the finds about which no other device has said anything meanwhile. */
  there() {
    return this.finds.filter((id) => this.screen.view.tiles[id]?.perhaps_none);
  }

  /** Returns those of them that no person has called a tile. */
  gone() {
    return this.there().filter((id) => !this.kept.has(id));
  }

  /**
   * @param {TileId} id
   * @param {number} number of this find, from 1
   * @param {number} count of all that are shown
   */
  choice(id, number, count) {
    const tile = this.screen.view.tiles[id];
    const turn = () => {
      if (!this.kept.delete(id)) this.kept.add(id);
      this.draw();
    };
    const props = {
      type: "button",
      "aria-pressed": String(this.kept.has(id)),
      "aria-label": say("js.sift_find", { number, count, face: faceName(tile.face) }),
      onclick: turn,
      "data-key": `find-${id}`,
    };
    return h("button", props, closeUp(this.screen.view, tile) ?? tileFace(tile.face));
  }

  /**
   * Returns the edits that say what a person has said here. The removal is the last, so that one
   * undo takes it back.
   */
  answers() {
    const { tiles } = this.screen.view;
    const sure = this.there().filter((id) => this.kept.has(id) && tiles[id].face_sure);
    const gone = this.gone();
    /** @type {Operation[]} */
    const edits = sure.map((tile) => {
      const { face } = tiles[tile];
      return { op: "set_tile", tile, face, seen: face };
    });
    return gone.length ? [...edits, { op: "remove_tiles", tiles: gone }] : edits;
  }

  /** Makes the button that takes away what no person has called a tile. */
  button() {
    const props = { type: "button", class: "primary", "data-key": "sifted" };
    const leave = () => {
      const edits = this.answers();
      this.modal.close(); // first, so that the keyboard goes on with the next question
      if (edits.length) this.screen.edit(...edits);
    };
    return h("button", { ...props, onclick: leave }, this.words(this.gone().length));
  }

  /** @param {number} gone how many finds are taken away */
  words(gone) {
    if (!gone) return say("js.sift_all");
    if (!this.kept.size) return say("js.sift_none");
    return say("js.sift_others", { count: gone });
  }
}
