// The watched table beside the tally, on any device that follows the match: shown while a camera watches.

import { say } from "./dom.js";
import { ask } from "./server.js";
import { Picture } from "./table_picture.js";
import { TableView } from "./table_view.js";

export class TablePanel {
  constructor(root) {
    this.root = root;
    this.base = root.dataset.table;
    this.view = new TableView(root, this.base);
    this.picture = new Picture(root.querySelector("img"), this.base, {
      onSilence: () => this.refresh(),
    });
  }

  async refresh() {
    try {
      this.view.take(await ask(`${this.base}/state?${this.view.known}`));
    } catch {
      return; // the page says already that the connection is gone
    }
    const { camera } = this.view;
    const watched = isWatched(camera);
    this.root.hidden = !watched;
    this.picture.follow(watched ? "device" : null);
    const status = this.root.querySelector('[data-part="status"]');
    const sentence = watched && camera.state === "stalled" ? say("js.live.camera.stalled") : "";
    if (status.textContent !== sentence) status.textContent = sentence;
  }
}

export const isWatched = (camera) => Boolean(camera) && !["failed", "ended"].includes(camera.state);
