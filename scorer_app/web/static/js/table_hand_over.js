// The button that hands a watched table over to scoring.

import { ask } from "./server.js";

export class HandOver {
  /**
   * @param {HTMLButtonElement} button
   * @param {string} base of the table's addresses
   * @param {(error: unknown) => void} onError
   */
  constructor(button, base, onError) {
    this.button = button;
    this.base = base;
    this.onError = onError;
    button.addEventListener("click", () => this.handOver());
    window.addEventListener("pageshow", () => (button.disabled = false));
  }

  async handOver() {
    this.button.disabled = true; // a second tap would replace the hand's pictures once more
    try {
      const { url } = await ask(`${this.base}/hand-over`, { method: "POST" });
      location.assign(url);
    } catch (error) {
      this.button.disabled = false;
      this.onError(error);
    }
  }
}
