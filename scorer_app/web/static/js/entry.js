// Scoring without a photograph: one tap a tile. The server decides when a tile begins the next meld.

import { faceName, announce, h, say, show, signed, tileFace } from "./dom.js";
import { faceGrid } from "./picker.js";

const AREAS = [
  ["A", "melds"],
  ["A", "rack"],
  ["B", "melds"],
  ["B", "rack"],
];

export class TapEntry {
  constructor(screen, panel) {
    this.screen = screen;
    this.panel = panel;
    this.at = 0;
    this.fresh = false; // the next tile begins a meld, whatever would fit
    panel.ownerDocument
      .querySelectorAll("[data-open-entry]")
      .forEach((button) => button.addEventListener("click", () => this.open(button)));
  }

  open(button) {
    const area = button.closest("[data-slot]")?.dataset;
    if (area)
      this.at = AREAS.findIndex(([side, place]) => side === area.side && place === area.place);
    this.panel.hidden = false;
    document.body.dataset.entry = "open";
    this.draw();
    this.panel.querySelector("[aria-selected=true]")?.focus();
    document.querySelector(".review").scrollIntoView({ block: "start" }); // beside the keys on a wide screen, above them on a narrow one
  }

  close() {
    this.panel.hidden = true;
    document.body.dataset.entry = "closed";
  }

  get side() {
    return AREAS[this.at][0];
  }
  get place() {
    return AREAS[this.at][1];
  }

  draw() {
    if (this.panel.hidden) return;
    const rows = this.screen.view.rows.filter(
      (row) => row.side === this.side && row.place === this.place,
    );
    const last = rows.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))).at(-1);
    const control = (text, label, action, key, pressed, word) =>
      h(
        "button",
        {
          type: "button",
          class: "control",
          "aria-label": label,
          title: label,
          onclick: action,
          "data-key": key,
          "aria-pressed": pressed,
        },
        text,
        word && h("small", { "aria-hidden": "true" }, word),
      );
    show(
      this.panel,
      h(
        "div",
        { class: "entry-head" },
        h(
          "div",
          { class: "tabs", role: "tablist", "aria-label": say("js.areas") },
          AREAS.map((area, index) => this.tab(area, index)),
        ),
        control("✕", say("js.close"), () => this.close(), "close"),
      ),
      h(
        "div",
        { class: "entry-row", role: "status" },
        this.fresh || !last
          ? h(
              "span",
              { class: "hint" },
              say(this.place === "melds" ? "js.entry_hint" : "js.entry_hint_rack"),
            )
          : last.tiles.slice(-9).map((id) => tileFace(this.screen.view.tiles[id].face)),
        last?.verdict && last.tiles.length > 2 && !this.fresh
          ? h(
              "span",
              { class: "hint" },
              last.verdict.valid === false ? `✕ ${say("js.live.illegal")}` : last.verdict.text,
            )
          : null,
        h("b", { class: "entry-total" }, signed(this.screen.view.score[this.side].total)),
      ),
      faceGrid((face) => this.tap(face), null, {
        B: control(
          "⌫",
          say("js.delete_last"),
          () => last && this.screen.edit({ op: "remove_tile", tile: last.tiles.at(-1) }),
          "delete-last",
          null,
          say("js.key_delete"),
        ),
        K: control(
          "⏎",
          say("js.new_meld"),
          () => ((this.fresh = true), this.draw()),
          "new-meld",
          String(this.fresh),
          say("js.key_new"),
        ),
        Y: control("→", say("js.next_area"), () => this.next(), "next", null, say("js.key_next")),
      }),
    );
  }

  tab([side, place], index) {
    const name = this.screen.view.score[side].name;
    return h(
      "button",
      {
        type: "button",
        role: "tab",
        "aria-selected": String(index === this.at),
        onclick: () => this.go(index),
        "data-key": `tab-${index}`,
      },
      h("b", {}, name),
      " ",
      say(`js.place.${place}`),
    );
  }

  go(index) {
    this.at = index;
    this.fresh = false;
    this.draw();
  }

  next() {
    if (this.at < AREAS.length - 1) this.go(this.at + 1);
    else this.close();
  }

  tap(face) {
    this.screen.edit({
      op: "add_tile",
      face,
      side: this.side,
      place: this.place,
      ...(this.fresh && { row: "new" }),
    });
    this.fresh = false;
    announce(faceName(face));
    if (navigator.vibrate) navigator.vibrate(8);
  }
}
