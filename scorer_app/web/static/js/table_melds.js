// The melds on the watched table, and what lies loose; where this device may correct, every tile
// opens the picker.

import { h, show, tileFace } from "./dom.js";
import { stateOf } from "./table_overlay.js";
import { say, tileCount, tileLabel } from "./words.js";

/**
 * Groups the melds by side A, side B and no side, each group in the order in which the melds were
 * laid.
 * @param {TableMeld[]} melds
 */
export function bySide(melds) {
  return melds.toSorted((a, b) => (a.side ?? "C").localeCompare(b.side ?? "C") || a.id - b.id);
}

/**
 * Says in words of which side a meld is, and the verdict on it.
 * @param {TableMeld} meld
 * @param {Record<Side, string>} names of the sides
 */
export function meldText(meld, names) {
  const verdict = meld.overruled ? say("js.accepted") : say(`js.live.${stateOf(meld)}`);
  return [meld.side && names[meld.side], verdict].filter(Boolean).join(" · ");
}

export class MeldList {
  /**
   * @param {Element} list
   * @param {HTMLElement} loose where tiles are shown that are in no meld
   * @param {TableOrders | null} orders
   * @param {Record<Side, string>} [names] of the sides
   */
  constructor(list, loose, orders, names = { A: "A", B: "B" }) {
    this.list = list;
    this.loose = loose;
    this.orders = orders;
    this.names = names;
  }

  /** @param {Table | null} table */
  draw(table) {
    const melds = bySide(table?.melds ?? []).map((meld) => this.meld(meld));
    show(this.list, melds.length ? melds : h("li", {}, say("js.live.no_melds")));
    const apart = [
      ...this.apart(say("js.live.loose"), [table?.loose_details ?? []]),
      ...this.apart(say("js.live.printed"), table?.printed_details ?? []),
    ];
    this.loose.hidden = !apart.length;
    show(this.loose, apart);
  }

  /**
   * Makes a heading and rows of tiles that count for nobody; nothing where there are no such rows.
   * @param {string} heading
   * @param {TableTile[][]} rows
   */
  apart(heading, rows) {
    const shown = rows.filter((row) => row.length).map((row) => this.row(row));
    return shown.length ? [h("h3", {}, heading), ...shown] : [];
  }

  /** @param {TableTile[]} tiles */
  row(tiles) {
    const faces = tiles.map((tile) => this.tile(tile));
    const label = tileCount(tiles.length);
    return h("div", { class: "live-row", role: "group", "aria-label": label }, faces);
  }

  /** @param {TableMeld} meld */
  meld(meld) {
    const sign = h("span", { class: "mark", "aria-hidden": "true" });
    const words = h(
      "p",
      { class: "live-told" },
      sign,
      meldText(meld, this.names),
      this.acceptance(meld),
    );
    return h("li", { "data-state": stateOf(meld) }, this.row(meld.details), words);
  }

  /**
   * Makes the button that accepts an illegal meld, or takes that back.
   * @param {TableMeld} meld
   */
  acceptance(meld) {
    const { orders } = this;
    const { id, overruled } = meld;
    if (!orders || (!overruled && stateOf(meld) !== "illegal")) return null;
    const props = {
      type: "button",
      class: "quiet",
      "data-key": `accept-${id}`,
      onclick: () => orders.overrule(id, !overruled),
    };
    return h("button", props, say(overruled ? "js.accept_no_more" : "js.accept_anyway"));
  }

  /** @param {TableTile} tile */
  tile(tile) {
    const { orders } = this;
    const looks = tile.doubtful ? "small doubtful" : "small";
    if (!orders) return tileFace(tile.tile, { class: looks, role: "img" });
    return tileFace(tile.tile, {
      tag: "button",
      type: "button",
      class: looks,
      "aria-label": tileLabel({ face: tile.tile, doubtful: tile.doubtful }),
      "data-key": `tile-${tile.id}`,
      onclick: () => orders.pick(tile),
    });
  }
}
