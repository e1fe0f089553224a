// Shows what is known of a watched table: quads over the picture, the melds, and what happened. It
// is given states as the server sends them, on devices that run the camera and on devices that only
// follow.

import { find, h } from "./dom.js";
import { Alerts } from "./table_alerts.js";
import { Banner } from "./table_banner.js";
import { contains } from "./table_geometry.js";
import { MeldList } from "./table_melds.js";
import { Overlay } from "./table_overlay.js";

const COMMAND = /(burako [a-z]+(?: --[a-z]+)*|--[a-z]+)/;

export class TableView {
  /**
   * @param {HTMLElement} root
   * @param {string} base of the table's addresses
   * @param {object} [options]
   * @param {TableOrders | null} [options.orders] where this device may give some
   * @param {(sentence: string) => void} [options.alarm] takes the sentence of a fresh alarm
   */
  constructor(root, base, { orders = null, alarm = () => {} } = {}) {
    const canvas = find(root, '[data-part="overlay"]', HTMLCanvasElement);
    const names = sideNames(root);
    this.overlay = new Overlay(canvas, names);
    this.alerts = new Alerts(find(root, '[data-part="log"]', HTMLElement), base, alarm, names);
    this.melds = meldList(root, orders, names);
    /** @type {HTMLElement | null} */
    const box = root.querySelector('[data-part="banner"]');
    this.banner = box && new Banner(box, base, names, orders);
    /** @type {Point | null} the first end of a line being drawn */
    this.point = null;
    /** @type {string | null} */
    this.watch = null;
    this.version = -1; // of the table
    this.event = 0; // the number of the latest
    /** @type {Table | null} */
    this.table = null;
    /** @type {[Point, Point] | null} */
    this.line = null;
    /** @type {Size | null} */
    this.size = null;
    this.otherSet = false; // whether tiles of another set than the chosen one lie there
    this.outOfSight = false; // whether the camera does not see the known tiles
    /** @type {CameraView | null} */
    this.camera = null;
    this.begin(null);
    new ResizeObserver(() => this.paint()).observe(canvas);
  }

  /**
   * Forgets what an earlier watch has shown, since a new watch counts from the beginning.
   * @param {string | null} watch
   */
  begin(watch) {
    this.watch = watch;
    this.version = -1;
    this.event = 0;
    this.table = this.line = this.size = this.camera = null;
    this.otherSet = false;
    this.outOfSight = false;
    this.alerts.clear();
    this.banner?.clear();
    this.melds?.draw(null);
  }

  /** What this page knows already, as the query that saves the server from sending it again. */
  get known() {
    const { watch, version, event } = this;
    return new URLSearchParams({
      ...(watch && { watch }),
      version: String(version),
      event: String(event),
    });
  }

  /** All tiles that are seen, inside and outside melds. */
  get tiles() {
    if (!this.table) return [];
    const { melds, loose_details: loose, printed_details: printed } = this.table;
    return [...melds.flatMap((meld) => meld.details), ...loose, ...printed.flat()];
  }

  /** @param {WatchState} state */
  take(state) {
    if (state.watch !== this.watch) this.begin(state.watch);
    if (!state.watch || state.version < this.version) return; // a newer answer came before
    if (state.version > this.version) {
      this.table = state.table;
      this.melds?.draw(this.table);
    }
    this.version = state.version;
    this.line = state.line;
    this.size = state.size;
    this.otherSet = state.other_set;
    this.outOfSight = state.out_of_sight;
    this.camera = state.camera;
    for (const event of state.events) {
      if (event.number <= this.event) continue;
      this.event = event.number;
      this.alerts.add(event, state.watch);
      this.banner?.take(event, state.watch);
    }
    this.banner?.update(this.table);
    this.paint();
  }

  paint() {
    const { size, table, line, point } = this;
    const wrong = this.banner?.meld ?? null;
    if (size) this.overlay.draw({ size, table, line, point, wrong });
  }

  /**
   * Returns the tile under a point of the frame.
   * @param {Point} point
   */
  tileAt(point) {
    return this.tiles.find(({ corners }) => contains(corners, point));
  }
}

/**
 * Returns the names of the sides, or their letters where the page has no names.
 * @param {HTMLElement} root
 * @returns {Record<Side, string>}
 */
function sideNames({ dataset }) {
  return { A: dataset.sideA ?? "A", B: dataset.sideB ?? "B" };
}

/**
 * Makes the list of melds, if the page has a place for it.
 * @param {HTMLElement} root
 * @param {TableOrders | null} orders
 * @param {Record<Side, string>} names
 */
function meldList(root, orders, names) {
  const list = root.querySelector('[data-part="melds"]');
  if (!list) return null;
  return new MeldList(list, find(root, '[data-part="loose"]', HTMLElement), orders, names);
}

/**
 * Splits a sentence at the commands and options that it names; these are the odd parts.
 * @param {string} sentence
 */
export function splitAtCommands(sentence) {
  return sentence.split(COMMAND);
}

/**
 * Splits a sentence into nodes in which commands are never broken at a hyphen or a blank.
 * @param {string} sentence
 */
export function withCommands(sentence) {
  const parts = splitAtCommands(sentence);
  return parts.map((part, index) => (index % 2 ? h("code", {}, part) : part));
}
