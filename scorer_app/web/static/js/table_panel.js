// The watched table beside the tally, on any device that follows the match: shown while a camera
// watches.

import { find, onceReleased } from "./dom.js";
import { inTurn } from "./in_turn.js";
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
    this.refresh = inTurn(() => this.look());
    this.picture = new Picture(image, this.base, { onSilence: this.refresh });
  }

  async look() {
    this.view.take(await ask(`${this.base}/state?${this.view.known}`));
    const { camera } = this.view;
    // It would push what lies below from under a finger.
    onceReleased(document.body, this.root, () => (this.root.hidden = !isWatching(camera)));
    this.picture.follow(isWatching(camera) ? "device" : null);
    const status = find(this.root, '[data-part="status"]', HTMLElement);
    const sentence = panelSentence(camera);
    if (status.textContent !== sentence) status.textContent = sentence; // else it is read out again
  }
}
