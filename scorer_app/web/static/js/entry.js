// Scoring without a photograph, by one tap for each tile. The server decides when a tile begins the
// next meld.

import { announce, find, frameShown, h, show } from "./dom.js";
import { growingText, rangeAfter, tilesOf, totalOf, wordsOf } from "./entry_row.js";
import { control, faceGrid } from "./faces.js";
import { Layer } from "./layer.js";
import { typed } from "./typing.js";
import { BROWSER } from "./outbox.js";
import { growingRow, keyOfWaiting } from "./waiting.js";
import { faceName, say } from "./words.js";

/**
 * The areas in the order in which they are scored.
 * @type {[Side, "melds" | "rack"][]}
 */
const AREAS = [
  ["A", "melds"],
  ["A", "rack"],
  ["B", "melds"],
  ["B", "rack"],
];
const TAP_FELT = 8; // ms of vibration
const NOT_FOR_TILES = "input, select, textarea"; // what has a use for every key
// What has the keyboard after the keys, where the question that opened them is answered.
const GOES_ON = "[data-part=question] [data-key=question], [data-part=save]:not(:disabled)";
const PRESSES = [" ", "Enter"]; // keys that press the button which has the keyboard

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
    /** @type {Face | null} the face that was tapped last, with which a range may begin */
    this.last = null;
    this.ranging = false; // the next tile ends a range
    this.typed = ""; // keys that are no tile yet: "1", "3-9"
    this.layer = new Layer(() => this.hide(), GOES_ON);
    this.newMeld = this.newMeldKey();
    this.range = this.rangeKey();
    this.tabs = AREAS.map((_, index) => this.tab(index));
    this.growing = h("div", { class: "entry-row", role: "status" });
    document.addEventListener("keydown", (event) => this.type(event));
    frameShown().then(() => this.build());
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
    return growingRow(this.screen.view, this.side, this.place, BROWSER);
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
    this.build();
    this.panel.hidden = false;
    document.body.dataset.entry = "open";
    this.layer.open();
    this.go(AREAS.findIndex((area) => area[0] === side && area[1] === place));
    find(this.panel, "[aria-selected=true]", HTMLElement).focus();
    // The review stands beside the keys on a wide screen, above them on a narrow one.
    const review = find(document, ".review", HTMLElement);
    frameShown().then(() => review.scrollIntoView({ block: "start" }));
  }

  close() {
    this.layer.close();
  }

  hide() {
    this.panel.hidden = true;
    document.body.dataset.entry = "closed";
  }

  /** Puts the keys into the panel, once: a key that stays in the page loses no press. */
  build() {
    if (this.panel.childElementCount) return;
    show(
      this.panel,
      this.head(),
      h("div", { class: "entry-line" }, this.growing, this.range),
      faceGrid((face) => this.tap(face), null, this.controls()),
      h("p", { class: "typing-hint" }, say("js.typing_hint")),
    );
  }

  draw() {
    if (this.panel.hidden) return;
    this.tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", String(index === this.at));
      tab.tabIndex = index === this.at ? 0 : -1;
    });
    this.newMeld.setAttribute("aria-pressed", String(this.fresh));
    this.range.setAttribute("aria-pressed", String(this.ranging));
    this.range.disabled = !this.last || this.last === "J";
    show(this.growing, ...this.grown(this.row));
  }

  head() {
    /** @param {KeyboardEvent} event */
    const onkeydown = (event) => this.turn(event);
    const props = { class: "tabs", role: "tablist", "aria-label": say("js.areas"), onkeydown };
    return h(
      "div",
      { class: "entry-head" },
      h("div", props, this.tabs),
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
   * Returns what the panel shows of the row that grows, or a hint at what to do.
   * @param {RowView | undefined} row
   */
  grown(row) {
    const { view } = this.screen;
    const hint = say(this.place === "melds" ? "js.entry_hint" : "js.entry_hint_rack");
    const begun = this.fresh ? undefined : row;
    const said = begun ? growingText(begun) : hint;
    const text = this.ranging ? say("js.range_to", { tile: faceName(this.last) }) : said;
    return [tilesOf(view, begun), wordsOf(text, this.typed), totalOf(this.screen, this.side)];
  }

  /** Makes the keys for the free corners of the grid, by the colour of their line. */
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

  /** Makes the key for a range: its first tile, this key and its last tile stand for many taps. */
  rangeKey() {
    return control({
      sign: "…",
      label: say("js.range"),
      word: say("js.key_range"),
      key: "range",
      onclick: () => {
        this.ranging = !this.ranging;
        this.draw();
      },
    });
  }

  removeLast() {
    const last = this.row?.tiles.at(-1);
    this.last = null;
    this.ranging = false;
    if (!last) return this.draw();
    const waiting = keyOfWaiting(last);
    if (waiting) this.screen.takeBackTile(waiting);
    else this.screen.edit({ op: "remove_tile", tile: last });
  }

  /** @param {number} index of the area */
  go(index) {
    this.at = index;
    this.fresh = this.ranging = false;
    this.last = null;
    this.typed = "";
    this.draw();
  }

  /**
   * Goes to the area beside this one: the Enter key, which opens another tab, begins a meld here.
   * @param {KeyboardEvent} event
   */
  turn(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.go((this.at + step + AREAS.length) % AREAS.length);
    this.tabs[this.at].focus();
  }

  next() {
    if (this.at < AREAS.length - 1) this.go(this.at + 1);
    else this.close();
  }

  /** @param {Face} face */
  tap(face) {
    const { ranging, last } = this;
    const faces = ranging && last && last !== face ? rangeAfter(last, face) : [face];
    navigator.vibrate?.(TAP_FELT);
    if (!faces) return; // another tile may end the range
    this.ranging = false;
    this.add(faces);
  }

  /** @param {Face[]} faces */
  add(faces) {
    const { side, place } = this;
    if (!faces.length) return;
    const added =
      faces.length > 1 ? { op: "add_tiles", faces } : { op: "add_tile", face: faces[0] };
    const row = this.fresh ? { row: "new" } : {};
    this.fresh = false;
    this.last = faces[faces.length - 1];
    this.screen.edit({ ...added, side, place, by: BROWSER, ...row });
    announce(faces.map(faceName).join(", "));
  }

  /**
   * Takes a key of the keyboard while the tapping keys are shown: digits and a colour's letter name
   * a tile.
   * @param {KeyboardEvent} event
   */
  type(event) {
    if (this.panel.hidden || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, target } = event;
    if (!(target instanceof HTMLElement) || target.matches(NOT_FOR_TILES)) return;
    if (PRESSES.includes(key) && target.matches("button:not([role=tab])")) return;
    const next = typed(this.typed, key);
    if (next) {
      this.typed = next.open;
      this.add(next.faces);
    } else if (key === "Backspace") this.rubOut();
    else if (key === "Enter") this.fresh = true;
    else return;
    event.preventDefault();
    this.draw();
  }

  /** Takes back what has been typed of a tile or, where nothing has, the last tile. */
  rubOut() {
    if (this.typed) this.typed = this.typed.slice(0, -1);
    else this.removeLast();
  }
}
