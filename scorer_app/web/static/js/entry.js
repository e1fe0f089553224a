// Scoring without a photograph: one tap a tile. The server decides when a tile begins the next
// meld.

import { announce, find, h, show, tileFace } from "./dom.js";
import { faceGrid } from "./faces.js";
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
 * The row of an area that was begun last.
 * @param {RowView[]} rows
 * @param {Side} side
 * @param {Place} place
 * @returns {RowView | undefined}
 */
export function newestRow(rows, side, place) {
  /** @param {RowView} row */
  const serial = (row) => Number(row.id.slice(1));
  const area = rows.filter((row) => row.side === side && row.place === place);
  return area.toSorted((a, b) => serial(a) - serial(b)).at(-1);
}

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
    this.go(AREAS.findIndex((area) => area[0] === side && area[1] === place));
    this.panel.hidden = false;
    document.body.dataset.entry = "open";
    this.draw();
    find(this.panel, "[aria-selected=true]", HTMLElement).focus();
    // The review stands beside the keys on a wide screen, above them on a narrow one.
    find(document, ".review", HTMLElement).scrollIntoView({ block: "start" });
  }

  close() {
    this.panel.hidden = true;
    document.body.dataset.entry = "closed";
  }

  draw() {
    if (this.panel.hidden) return;
    const row = newestRow(this.screen.view.rows, this.side, this.place);
    show(
      this.panel,
      this.head(),
      this.growing(row),
      faceGrid((face) => this.tap(face), null, this.controls(row)),
    );
  }

  head() {
    const tabs = AREAS.map(([side, place], index) => this.tab(side, place, index));
    return h(
      "div",
      { class: "entry-head" },
      h("div", { class: "tabs", role: "tablist", "aria-label": say("js.areas") }, tabs),
      control({ sign: "✕", label: say("js.close"), key: "close", onclick: () => this.close() }),
    );
  }

  /**
   * @param {Side} side
   * @param {Place} place
   * @param {number} index
   */
  tab(side, place, index) {
    const props = {
      type: "button",
      role: "tab",
      "aria-selected": String(index === this.at),
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
  growing(row) {
    const { tiles, score } = this.screen.view;
    const isMeld = this.place === "melds";
    const hint = say(isMeld ? "js.entry_hint" : "js.entry_hint_rack");
    const begun = row && !this.fresh;
    const text = begun ? growingText(row) : hint;
    return h(
      "div",
      { class: "entry-row", role: "status" },
      begun && row.tiles.slice(-SHOWN).map((id) => tileFace(tiles[id].face)),
      text && h("span", { class: "hint" }, text),
      h("b", { class: "entry-total" }, signed(score[this.side].total)),
    );
  }

  /**
   * The keys in the free corners of the grid, by colour of their line.
   * @param {RowView | undefined} row
   */
  controls(row) {
    const removeLast = () => {
      if (row) this.screen.edit({ op: "remove_tile", tile: row.tiles.at(-1) });
    };
    const beginMeld = () => {
      this.fresh = true;
      this.draw();
    };
    return {
      B: control({
        sign: "⌫",
        label: say("js.delete_last"),
        word: say("js.key_delete"),
        key: "delete-last",
        onclick: removeLast,
      }),
      K: control({
        sign: "⏎",
        label: say("js.new_meld"),
        word: say("js.key_new"),
        key: "new-meld",
        pressed: this.fresh,
        onclick: beginMeld,
      }),
      Y: control({
        sign: "→",
        label: say("js.next_area"),
        word: say("js.key_next"),
        key: "next",
        onclick: () => this.next(),
      }),
    };
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
    this.screen.edit({ op: "add_tile", face, side, place, ...row });
    this.fresh = false;
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
 * @param {boolean} [key.pressed] where the key stays down
 */
function control({ sign, label, key, onclick, word, pressed }) {
  const props = {
    type: "button",
    class: "control",
    "aria-label": label,
    title: label,
    onclick,
    "data-key": key,
    "aria-pressed": pressed === undefined ? null : String(pressed),
  };
  return h("button", props, sign, word && h("small", { "aria-hidden": "true" }, word));
}
