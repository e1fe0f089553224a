// Scoring without a photograph: one tap a tile. The server decides when a tile begins the next
// meld.

import { announce, find, h, show, tileFace } from "./dom.js";
import { faceGrid } from "./faces.js";
import { Layer } from "./layer.js";
import { keyOfWaiting, newestRow } from "./waiting.js";
import { faceName, say, signed } from "./words.js";

/** In the order in which they are scored.
 * @type {[Side, "melds" | "rack"][]} */
const AREAS = [
  ["A", "melds"],
  ["A", "rack"],
  ["B", "melds"],
  ["B", "rack"],
];
const SHOWN = 9; // tiles of the row that grows
const TAP_FELT = 8; // ms of vibration

/**
 * What is said of the row that grows: nothing while it is too short to be judged.
 * @param {RowView | undefined} row
 */
export function growingText(row) {
  if (!row?.verdict || row.tiles.length <= 2) return "";
  return row.verdict.valid === false ? `✕ ${say("js.live.illegal")}` : row.verdict.text;
}

export class TapEntry {
  /**
   * @param {HandScreen} screen
   * @param {HTMLElement} panel
   */
  constructor(screen, panel) {
    this.screen = screen;
    this.panel = panel;
    this.at = 0;
    this.fresh = false; // the next tile begins a meld, whatever would fit
    this.layer = new Layer(() => this.hide());
    this.newMeld = this.newMeldKey();
    this.tabs = AREAS.map((_, index) => this.tab(index));
    this.growing = h("div", { class: "entry-row", role: "status" });
    for (const button of document.querySelectorAll("[data-open-entry]")) {
      button.addEventListener("click", () => this.openFrom(button));
    }
  }

  get side() {
    return AREAS[this.at][0];
  }

  get place() {
    return AREAS[this.at][1];
  }

  /** The row that grows, as the hand has it now. */
  get row() {
    return newestRow(this.screen.view.rows, this.side, this.place);
  }

  /** @param {Element} button in the area that is scored first */
  openFrom(button) {
    const slot = button.closest("[data-slot]");
    const { side, place } = slot instanceof HTMLElement ? slot.dataset : {};
    this.open(side === "B" ? "B" : "A", place === "rack" ? "rack" : "melds");
  }

  /**
   * @param {Side} side
   * @param {Place} place of the area that is scored first
   */
  open(side, place) {
    if (!this.panel.childElementCount) this.build();
    this.panel.hidden = false;
    document.body.dataset.entry = "open";
    this.layer.open();
    this.go(AREAS.findIndex((area) => area[0] === side && area[1] === place));
    find(this.panel, "[aria-selected=true]", HTMLElement).focus();
    // The review stands beside the keys on a wide screen, above them on a narrow one.
    find(document, ".review", HTMLElement).scrollIntoView({ block: "start" });
  }

  close() {
    this.layer.close();
  }

  hide() {
    this.panel.hidden = true;
    document.body.dataset.entry = "closed";
  }

  /** Puts the keys into the panel, once: a key that stays where it is loses no press. */
  build() {
    show(
      this.panel,
      this.head(),
      this.growing,
      faceGrid((face) => this.tap(face), null, this.controls()),
    );
  }

  draw() {
    if (this.panel.hidden) return;
    this.tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", String(index === this.at));
    });
    this.newMeld.setAttribute("aria-pressed", String(this.fresh));
    show(this.growing, ...this.grown(this.row));
  }

  head() {
    return h(
      "div",
      { class: "entry-head" },
      h("div", { class: "tabs", role: "tablist", "aria-label": say("js.areas") }, this.tabs),
      control({ sign: "✕", label: say("js.close"), key: "close", onclick: () => this.close() }),
    );
  }

  /** @param {number} index of the area */
  tab(index) {
    const [side, place] = AREAS[index];
    const props = {
      type: "button",
      role: "tab",
      onclick: () => this.go(index),
      "data-key": `tab-${index}`,
    };
    const { name } = this.screen.view.score[side];
    return h("button", props, h("b", {}, name), " ", say(`js.place.${place}`));
  }

  /**
   * The last tiles of the row that grows, what it is worth as a meld, and the side's total.
   * @param {RowView | undefined} row
   */
  grown(row) {
    const { tiles, score } = this.screen.view;
    const isMeld = this.place === "melds";
    const hint = say(isMeld ? "js.entry_hint" : "js.entry_hint_rack");
    const begun = row && !this.fresh;
    const text = begun ? growingText(row) : hint;
    const last = begun ? row.tiles.slice(-SHOWN) : [];
    return [
      ...last.map((id) => tileFace(tiles[id].face, { class: tiles[id].waiting ? "waiting" : "" })),
      text && h("span", { class: "hint" }, text),
      h("b", { class: "entry-total" }, signed(score[this.side].total)),
    ];
  }

  /** The keys in the free corners of the grid, by colour of their line. */
  controls() {
    return {
      B: control({
        sign: "⌫",
        label: say("js.delete_last"),
        word: say("js.key_delete"),
        key: "delete-last",
        onclick: () => this.removeLast(),
      }),
      K: this.newMeld,
      Y: control({
        sign: "→",
        label: say("js.next_area"),
        word: say("js.key_next"),
        key: "next",
        onclick: () => this.next(),
      }),
    };
  }

  newMeldKey() {
    return control({
      sign: "⏎",
      label: say("js.new_meld"),
      word: say("js.key_new"),
      key: "new-meld",
      onclick: () => {
        this.fresh = true;
        this.draw();
      },
    });
  }

  removeLast() {
    const last = this.row?.tiles.at(-1);
    if (!last) return;
    const waiting = keyOfWaiting(last);
    if (waiting) this.screen.takeBack(waiting);
    else this.screen.edit({ op: "remove_tile", tile: last });
  }

  /** @param {number} index of the area */
  go(index) {
    this.at = index;
    this.fresh = false;
    this.draw();
  }

  next() {
    if (this.at < AREAS.length - 1) this.go(this.at + 1);
    else this.close();
  }

  /** @param {Face} face */
  tap(face) {
    const { side, place } = this;
    const row = this.fresh ? { row: "new" } : {};
    this.fresh = false;
    this.screen.edit({ op: "add_tile", face, side, place, ...row });
    announce(faceName(face));
    navigator.vibrate?.(TAP_FELT);
  }
}

/**
 * A key that is no tile.
 * @param {object} key
 * @param {string} key.sign
 * @param {string} key.label
 * @param {string} key.key
 * @param {() => void} key.onclick
 * @param {string} [key.word] written small under the sign
 */
function control({ sign, label, key, onclick, word }) {
  const props = {
    type: "button",
    class: "control",
    "aria-label": label,
    title: label,
    onclick,
    "data-key": key,
  };
  return h("button", props, sign, word && h("small", { "aria-hidden": "true" }, word));
}
