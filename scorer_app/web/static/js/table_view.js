// What is known of a watched table, shown: quads over the picture, the melds, what happened. Fed with states as the server
// tells them; the same for who runs the camera and for who only follows.

import { Alerts } from "./table_alerts.js";
import { MeldList } from "./table_melds.js";
import { Overlay } from "./table_overlay.js";

export class TableView {
  // `orders`, where this device may give some: { pick(tile), overrule(meld, stands) }. `alarm` takes the sentence of a fresh alarm.
  constructor(root, base, { orders = null, alarm = () => {} } = {}) {
    const part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.overlay = new Overlay(part("overlay"));
    this.alerts = new Alerts(part("log"), base, alarm);
    this.melds = part("melds") && new MeldList(part("melds"), part("loose"), orders);
    this.point = null; // the first end of a line being drawn
    this.begin(null);
    new ResizeObserver(() => this.paint()).observe(part("overlay"));
  }

  begin(watch) {
    Object.assign(this, {
      watch,
      version: -1,
      event: 0,
      table: null,
      line: null,
      size: null,
      camera: null,
    });
    this.alerts.clear();
    this.melds?.draw(null);
  }

  // What the server need not tell again.
  get known() {
    return new URLSearchParams({ version: this.version, event: this.event });
  }

  get tiles() {
    return this.table
      ? [
          ...this.table.melds.flatMap((meld) => meld.details),
          ...this.table.loose_details,
          ...this.table.printed_details.flat(),
        ]
      : [];
  }

  take(state) {
    if (state.watch !== this.watch) this.begin(state.watch);
    if (!state.watch || state.version < this.version) return; // an answer that was overtaken
    if (state.version > this.version) {
      this.table = state.table;
      this.melds?.draw(this.table);
    }
    Object.assign(this, {
      version: state.version,
      line: state.line,
      size: state.size,
      camera: state.camera,
    });
    for (const event of state.events.filter((one) => one.number > this.event)) {
      this.event = event.number;
      this.alerts.tell(event, this.watch);
    }
    this.paint();
  }

  paint() {
    if (this.size) this.overlay.draw(this);
  }

  // The tile under a point of the frame, or undefined.
  tileAt([x, y]) {
    return this.tiles.find(({ corners }) => {
      const turns = corners.map(([x0, y0], place) => {
        const [x1, y1] = corners[(place + 1) % 4];
        return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
      });
      return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
    });
  }
}
