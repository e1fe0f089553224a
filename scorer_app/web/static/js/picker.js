// Says what one tile is: the three likeliest readings first, then every face; or where it belongs.

import { faceName, h, say, show, tileFace } from "./dom.js";

export const COLOURS = ["R", "B", "K", "Y"];

export class Picker {
  constructor(screen, dialog) {
    this.screen = screen;
    this.dialog = dialog;
    this.tile = null;
    this.fresh = null; // { photo, corners } of a tile the reader missed
    this.alike = []; // tiles to be compared with it
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener(
      "close",
      () => ((this.tile = null), (this.fresh = null), (this.alike = [])),
    );
  }

  open(tileId, alike = []) {
    this.tile = tileId;
    this.fresh = null;
    this.alike = alike;
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
  }

  openNew(photo, corners) {
    this.tile = null;
    this.fresh = { photo, corners };
    this.draw();
    this.dialog.showModal();
  }

  draw() {
    if (!this.tile && !this.fresh) return;
    const tile = this.tile && this.screen.view.tiles[this.tile];
    if (this.tile && !tile) return this.dialog.close();
    const row = tile && this.screen.view.rows.find((one) => one.tiles.includes(this.tile));
    const likely = tile?.likely ?? [];
    show(
      this.dialog,
      h(
        "header",
        {},
        h("h2", {}, tile ? faceName(tile.face) : say("js.missed_tile")),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            onclick: () => this.dialog.close(),
            "data-key": "close",
          },
          say("js.close"),
        ),
      ),
      this.comparison(),
      h(
        "div",
        { class: "sighting" },
        tile && !this.alike.length ? this.closeUp(tile) : null,
        likely.length > (this.alike.length && 1)
          ? h(
              "div",
              { class: "likely" },
              likely.map((face) => this.key(face, tile)),
            )
          : null,
      ),
      faceGrid((face) => this.choose(face), tile?.face),
      row ? this.moves(row) : null,
    );
  }

  key(face, tile) {
    return tileFace(face, {
      tag: "button",
      type: "button",
      class: "big",
      "data-key": `likely-${face}`,
      "aria-pressed": String(tile?.face === face),
      onclick: () => this.choose(face),
    });
  }

  choose(face) {
    if (this.tile) this.screen.edit({ op: "set_tile", tile: this.tile, face });
    else {
      const { photo, corners } = this.fresh;
      this.screen.edit({
        op: "add_tile",
        face,
        side: photo.side,
        place: photo.place,
        photo: photo.id,
        corners,
      });
    }
    this.dialog.close();
  }

  // All that are said to be the same, side by side: which of them is misread is seen at once.
  comparison() {
    if (!this.alike.length) return null;
    const { tiles } = this.screen.view;
    const one = (id) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(id === this.tile),
          "aria-label": faceName(tiles[id].face),
          onclick: () => this.open(id, this.alike),
          "data-key": `alike-${id}`,
        },
        this.closeUp(tiles[id]) ?? tileFace(tiles[id].face),
      );
    return h("div", { class: "comparison" }, this.alike.filter((id) => tiles[id]).map(one));
  }

  // The tile as photographed: the picture itself, cut by its frame.
  closeUp(tile) {
    const photo = tile.corners && this.screen.view.photos.find((one) => one.id === tile.photo);
    if (!photo?.url) return null;
    const [xs, ys] = [0, 1].map((axis) => tile.corners.map((corner) => corner[axis]));
    const margin = (Math.max(...ys) - Math.min(...ys)) * 0.35;
    const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
    const [w, v] = [
      Math.max(...xs) - Math.min(...xs) + 2 * margin,
      Math.max(...ys) - Math.min(...ys) + 2 * margin,
    ];
    const svg = h("svg", {
      viewBox: `${x} ${y} ${w} ${v}`,
      class: "close-up",
      "aria-hidden": "true",
    });
    const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
    for (const [name, value] of Object.entries({
      href: photo.url,
      width: photo.width,
      height: photo.height,
    }))
      image.setAttribute(name, value);
    svg.append(
      image,
      h("polygon", { points: tile.corners.map((corner) => corner.join()).join(" ") }),
    );
    return svg;
  }

  moves(row) {
    const edit = (operation) => () => (this.screen.edit(operation), this.dialog.close());
    const at = row.tiles.indexOf(this.tile);
    const others = this.screen.view.rows.filter(
      (one) => one.id !== row.id && one.place === "melds" && one.side === row.side,
    );
    const button = (text, operation, key) =>
      h("button", { type: "button", onclick: edit(operation), "data-key": key }, text);
    return h(
      "div",
      { class: "moves" },
      button(say("js.delete"), { op: "remove_tile", tile: this.tile }, "delete"),
      row.place === "melds"
        ? button(
            say("js.new_meld"),
            { op: "move_tile", tile: this.tile, row: "new", side: row.side, place: "melds" },
            "new-meld",
          )
        : null,
      row.place === "melds" && at > 0
        ? button(say("js.split_here"), { op: "split_row", row: row.id, at }, "split")
        : null,
      row.place !== "pozo"
        ? button(
            say("js.aside_tile"),
            { op: "move_tile", tile: this.tile, row: "new", side: row.side, place: "pozo" },
            "aside",
          )
        : null,
      others.length || row.place === "melds" ? this.moveTo(row, others) : null,
    );
  }

  moveTo(row, others) {
    const label = (one) => one.tiles.map((id) => this.screen.view.tiles[id].face ?? "?").join(" ");
    const select = h(
      "select",
      {
        onchange: (event) => (
          this.screen.edit(JSON.parse(event.target.value)),
          this.dialog.close()
        ),
        "aria-label": say("js.move_to"),
      },
      h("option", { value: "" }, say("js.move_to")),
      others.map((one) =>
        h(
          "option",
          { value: JSON.stringify({ op: "move_tile", tile: this.tile, row: one.id }) },
          label(one),
        ),
      ),
      row.place === "melds"
        ? others.map((one) =>
            h(
              "option",
              { value: JSON.stringify({ op: "join_rows", row: row.id, into: one.id }) },
              `${say("js.join_all")} ${label(one)}`,
            ),
          )
        : null,
      row.place === "melds"
        ? h(
            "option",
            {
              value: JSON.stringify({ op: "move_row", row: row.id, side: row.side, place: "rack" }),
            },
            say("js.row_to_rack"),
          )
        : null,
    );
    return select;
  }
}

// All 53 faces, seven a line so that each is a thumb wide: 1-7 and 8-13 of every colour; `extra` fills the free corners.
export function faceGrid(onPick, current = null, extra = {}) {
  const button = (face) =>
    tileFace(face, {
      tag: "button",
      type: "button",
      "data-face": face,
      "data-key": `face-${face}`,
      "aria-pressed": String(face === current),
      onclick: () => onPick(face),
    });
  const cells = COLOURS.flatMap((colour) =>
    [...Array(13).keys()]
      .map((number) => button(`${number + 1}${colour}`))
      .concat(colour === "R" ? button("J") : (extra[colour] ?? h("span", {}))),
  );
  return h("div", { class: "faces" }, cells);
}
