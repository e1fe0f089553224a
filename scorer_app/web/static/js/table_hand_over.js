// The button that hands a watched table over to scoring.

import { SURE_FOR, dropSecondTap } from "./second_tap.js";
import { ask, codeOf } from "./server.js";
import { say } from "./words.js";

const REPLACES = "replaces"; // the server's refusal where melds handed over before would go

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
    this.words = button.textContent;
    this.replaces = false; // whether the next tap agrees that earlier melds go
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.later = undefined;
    button.addEventListener("click", () => this.handOver());
    window.addEventListener("pageshow", () => (button.disabled = false));
  }

  async handOver() {
    this.button.disabled = true; // a second tap would replace the hand's pictures once more
    try {
      const query = this.replaces ? "?replace=yes" : "";
      const { url } = await ask(`${this.base}/hand-over${query}`, { method: "POST" });
      location.assign(url);
    } catch (error) {
      this.button.disabled = false;
      this.onError(error);
      this.agree(codeOf(error) === REPLACES);
    }
  }

  /** @param {boolean} replaces whether the next tap agrees that earlier melds go */
  agree(replaces) {
    clearTimeout(this.later);
    this.replaces = replaces;
    this.button.textContent = replaces ? say("js.live.replace_sure") : this.words;
    if (!replaces) return;
    dropSecondTap();
    this.later = setTimeout(() => this.agree(false), SURE_FOR);
  }
}
