// A layer over the page: Escape closes it, and so does the browser's "back", which would otherwise
// leave the page with the work on it.

import { dropSecondTap } from "./second_tap.js";

export class Layer {
  /** @param {() => void} onClose hides what the layer shows */
  constructor(onClose) {
    this.onClose = onClose;
    this.isOpen = false;
    /** @type {Element | null} the element that had the keyboard before */
    this.opener = null;
    if (history.state?.layer) history.back(); // the page was loaded anew while a layer was open
    addEventListener("popstate", () => this.leave());
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return; // it has closed a dialog
      if (document.querySelector("dialog[open]")) return;
      if (this.isOpen) this.close();
    });
  }

  open() {
    if (this.isOpen) return;
    this.isOpen = true;
    dropSecondTap();
    this.opener = document.activeElement;
    history.pushState({ layer: true }, "");
  }

  close() {
    if (!this.isOpen) return;
    this.leave();
    if (history.state?.layer) history.back();
  }

  leave() {
    if (!this.isOpen) return;
    this.isOpen = false;
    dropSecondTap();
    this.onClose();
    if (this.opener instanceof HTMLElement) this.opener.focus({ preventScroll: true });
  }
}
