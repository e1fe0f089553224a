// The red banner over a watched table: which move is not allowed, by which rule, and what mends it.
// It disappears when the table is mended, or for good when a person says that it was understood.

import { h, show, withTiles } from "./dom.js";
import { keep, recall, TAB } from "./kept.js";
import { stateOf } from "./table_overlay.js";
import { faceName, say } from "./words.js";

const REMEMBERED = "burako-understood"; // for pages that are loaded anew
const MOST_REMEMBERED = 50;

/** @returns {string[]} the names of the moves that a person has understood, newest last */
function understood() {
  return recall(TAB, REMEMBERED) ?? [];
}

/** @param {string} name */
function remember(name) {
  const names = [...understood(), name].slice(-MOST_REMEMBERED);
  keep(TAB, REMEMBERED, names);
}

/**
 * @param {TableEvent} event
 * @param {string} watch
 */
function nameOf(event, watch) {
  return `${watch} ${event.number}`;
}

/**
 * Whether a later event mends an earlier one that was not allowed.
 * @param {TableEvent} later
 * @param {TableEvent} earlier
 */
export function mends(later, earlier) {
  return later.mends.includes(earlier.meld_id);
}

/**
 * Returns the illegal meld that an event is about, if it still lies on the table.
 * @param {Table | null} table
 * @param {TableEvent} event
 */
export function illegalMeld(table, event) {
  const meld = table?.melds.find(({ id }) => id === event.meld_id);
  return meld && stateOf(meld) === "illegal" ? meld : null;
}

/**
 * A move that is not allowed and not mended yet.
 * @typedef {{ event: TableEvent, watch: string }} Wrong
 */

export class Banner {
  /**
   * @param {HTMLElement} box
   * @param {string} base of the table's addresses
   * @param {Record<Side, string>} names of the sides
   * @param {TableOrders | null} orders
   */
  constructor(box, base, names, orders) {
    this.box = box;
    this.base = base;
    this.names = names;
    this.orders = orders;
    /** @type {Wrong[]} newest last */
    this.wrongs = [];
    /** @type {Wrong | null} */
    this.shown = null;
  }

  clear() {
    this.wrongs = [];
    this.draw();
  }

  /**
   * @param {TableEvent} event that alarms, or may mend another
   * @param {string} watch
   */
  take(event, watch) {
    this.wrongs = this.wrongs.filter((wrong) => !mends(event, wrong.event));
    if (!event.alarming) return;
    this.wrongs = this.wrongs.filter((wrong) => wrong.event.meld_id !== event.meld_id);
    if (understood().includes(nameOf(event, watch))) return;
    this.wrongs.push({ event, watch });
  }

  /**
   * Drops the moves that left an illegal meld which has been mended or accepted since, and shows
   * the newest of the others.
   * @param {Table | null} table
   */
  update(table) {
    this.wrongs = this.wrongs.filter(({ event }) => !event.lies || illegalMeld(table, event));
    this.draw();
  }

  /** The meld that the banner is about; null for none. */
  get meld() {
    return this.shown?.event.meld_id ?? null;
  }

  draw() {
    const wrong = this.wrongs.at(-1) ?? null;
    if (wrong === this.shown) return;
    this.shown = wrong;
    // Whoever pressed a button of the last banner by keyboard goes on with the log of the moves.
    if (!wrong && this.box.contains(document.activeElement)) {
      document.getElementById("live-log")?.focus({ preventScroll: true });
    }
    this.box.hidden = wrong === null;
    show(this.box, wrong ? this.content(wrong) : []);
  }

  /** @param {Wrong} wrong */
  content({ event, watch }) {
    const side = event.side ? this.names[event.side] : null;
    const title = [side, say("js.live.not_valid")].filter(Boolean).join(": ");
    return [
      h("h2", {}, title),
      event.thumbnail && this.picture(event, watch),
      h("p", { class: "banner-rule" }, withTiles(event.rule ?? event.message)),
      event.fix && h("p", { class: "banner-fix" }, withTiles(event.fix)),
      h("p", { class: "links" }, this.buttons(event, watch)),
    ];
  }

  /**
   * @param {TableEvent} event
   * @param {string} watch
   */
  buttons(event, watch) {
    const { orders } = this;
    const seen = () => {
      remember(nameOf(event, watch));
      this.wrongs = this.wrongs.filter((wrong) => wrong.event !== event);
      this.draw();
    };
    const props = { type: "button", class: "quiet" };
    return [
      h("button", { ...props, onclick: seen, "data-key": "understood" }, say("js.live.understood")),
      event.lies &&
        orders &&
        h(
          "button",
          {
            ...props,
            onclick: () => orders.overrule(event.meld_id, true),
            "data-key": "accept",
          },
          say("js.accept_anyway"),
        ),
    ];
  }

  /**
   * @param {TableEvent} event
   * @param {string} watch
   */
  picture(event, watch) {
    const query = new URLSearchParams({ watch, event: String(event.number) });
    const tiles = event.tiles.map(faceName).join(", ");
    return h("img", {
      src: `${this.base}/thumbnail.jpg?${query}`,
      alt: say("js.live.thumbnail", { tiles }),
    });
  }
}
