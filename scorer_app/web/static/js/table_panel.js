// The watched table beside the tally, on any device that follows the match: shown while a camera
// watches.

import { find } from "./dom.js";
import { ask } from "./server.js";
import { isWatching, panelSentence } from "./table_camera_state.js";
import { Picture } from "./table_picture.js";
import { TableView } from "./table_view.js";

export class TablePanel {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.base = root.dataset.table ?? "";
    this.view = new TableView(root, this.base);
    const image = find(root, "img", HTMLImageElement);
    this.picture = new Picture(image, this.base, { onSilence: () => this.refresh() });
  }

  async refresh() {
    try {
      this.view.take(await ask(`${this.base}/state?${this.view.known}`));
    } catch {
      return; // the page says already that the connection is gone
    }
    const { camera } = this.view;
    this.root.hidden = !isWatching(camera);
    this.picture.follow(isWatching(camera) ? "device" : null);
    const status = find(this.root, '[data-part="status"]', HTMLElement);
    const sentence = panelSentence(camera);
    if (status.textContent !== sentence) status.textContent = sentence; // else it is read out again
  }
}
