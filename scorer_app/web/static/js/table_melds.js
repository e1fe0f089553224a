// The melds on the watched table, and what lies loose; where this device may correct, every tile opens the picker.

import { faceName, h, say, show, tileFace } from "./dom.js";
import { stateOf } from "./table_overlay.js";

export class MeldList {
  constructor(list, loose, orders) {
    Object.assign(this, { list, loose, orders });
  }

  draw(table) {
    const melds = [...(table?.melds ?? [])].sort(
      (a, b) => (a.side ?? "C").localeCompare(b.side ?? "C") || a.id - b.id,
    );
    show(
      this.list,
      ...(melds.length
        ? melds.map((meld) => this.meld(meld))
        : [h("li", {}, say("js.live.no_melds"))]),
    );
    const apart = [
      ...this.apart("js.live.loose", [table?.loose_details ?? []]),
      ...this.apart("js.live.printed", table?.printed_details ?? []),
    ];
    this.loose.hidden = !apart.length;
    show(this.loose, ...apart);
  }

  // A heading and rows that count nothing.
  apart(heading, rows) {
    const shown = rows
      .filter((row) => row.length)
      .map((row) =>
        h(
          "div",
          { class: "live-row" },
          row.map((tile) => this.tile(tile)),
        ),
      );
    return shown.length ? [h("h3", {}, say(heading)), ...shown] : [];
  }

  meld(meld) {
    const state = stateOf(meld);
    const told = [meld.side, meld.overruled ? say("js.accepted") : say(`js.live.${state}`)]
      .filter(Boolean)
      .join(" · ");
    const accept =
      this.orders &&
      (meld.overruled || state === "illegal") &&
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "data-key": `accept-${meld.id}`,
          onclick: () => this.orders.overrule(meld.id, !meld.overruled),
        },
        say(meld.overruled ? "js.accept_no_more" : "js.accept_anyway"),
      );
    return h(
      "li",
      { "data-state": state },
      h(
        "div",
        { class: "live-row" },
        meld.details.map((tile) => this.tile(tile)),
      ),
      h(
        "p",
        { class: "live-told" },
        h("span", { class: "mark", "aria-hidden": "true" }),
        told,
        accept,
      ),
    );
  }

  tile(tile) {
    const looks = `small ${tile.doubtful ? "doubtful" : ""}`;
    if (!this.orders) return tileFace(tile.tile, { class: looks, role: "img" });
    const label = `${faceName(tile.tile)}${tile.doubtful ? `, ${say("js.doubtful")}` : ""}`;
    return tileFace(tile.tile, {
      tag: "button",
      type: "button",
      class: looks,
      "aria-label": label,
      "data-key": `tile-${tile.id}`,
      onclick: () => this.orders.pick(tile),
    });
  }
}
