// The latest picture of a table that another camera watches, fetched again and again while somebody
// looks.

import { sleep } from "./server.js";

/** Milliseconds between two pictures, for a camera on the server and for another device's. */
const INTERVALS = { server: 250, device: 1000 };
/**
 * The number of attempts without a new picture after which the state is asked for: a camera that
 * falls silent does not report it.
 */
const SILENT = 5;

export class Picture {
  /**
   * @param {HTMLImageElement} image
   * @param {string} base of the table's addresses
   * @param {object} tell
   * @param {() => void} tell.onSilence
   * @param {() => void} [tell.onShown]
   */
  constructor(image, base, { onSilence, onShown = () => {} }) {
    this.image = image;
    this.base = base;
    this.onSilence = onSilence;
    this.onShown = onShown;
    this.number = 0; // of the picture that is shown
    /** @type {CameraView["kind"] | null} of the camera that is followed */
    this.kind = null;
    this.round = 0; // a new round ends the loops of earlier ones
  }

  /** @param {CameraView["kind"] | null} kind of the camera to follow, null for none */
  follow(kind) {
    if (kind === this.kind) return;
    this.kind = kind;
    this.round += 1;
    if (kind) this.loop(this.round, INTERVALS[kind]);
  }

  /**
   * @param {number} round
   * @param {number} interval in milliseconds
   */
  async loop(round, interval) {
    let silent = 0;
    while (this.round === round) {
      if (document.visibilityState === "visible") silent = (await this.next()) ? 0 : silent + 1;
      if (silent > 0 && silent % SILENT === 0) this.onSilence();
      await sleep(interval);
    }
  }

  /** Shows a new picture if there is one. Returns whether there was. */
  async next() {
    try {
      const answer = await fetch(`${this.base}/picture.jpg?after=${this.number}`);
      if (answer.status !== 200) return false;
      this.number = Number(answer.headers.get("X-Frame-Number"));
      await this.show(await answer.blob());
      return true;
    } catch {
      return false; // the connection is gone; the page says so already
    }
  }

  /** @param {Blob} blob */
  async show(blob) {
    const before = this.image.src;
    this.image.src = URL.createObjectURL(blob);
    await this.image.decode().catch(() => {});
    this.image.hidden = false;
    this.onShown();
    if (before.startsWith("blob:")) URL.revokeObjectURL(before);
  }
}
