// Layers over the page: Escape closes them, and so does the browser's "back", which would otherwise
// leave the page with the work on it.

import { dropSecondTap } from "./second_tap.js";

/**
 * What is open over the page, the topmost last. Meanwhile the history has one entry more, however
 * much is open: "back" takes that entry.
 * @type {{ close: () => void }[]}
 */
const layers = [];
let isLeaving = false; // the page itself takes the entry

if (history.state?.layer) leaveEntry(); // the page was loaded anew while something was open
addEventListener("popstate", () => {
  history.scrollRestoration = "auto";
  if (!isLeaving) layers.at(-1)?.close();
  isLeaving = false;
  enterEntry();
});

/** @param {{ close: () => void }} layer that "back" is to close */
export function opened(layer) {
  layers.push(layer);
  enterEntry();
}

/** @param {{ close: () => void }} layer that has been closed, whatever closed it */
export function closed(layer) {
  layers.splice(layers.indexOf(layer), 1);
  setTimeout(leaveEntry); // unless another one opens at once
}

function enterEntry() {
  if (!layers.length || history.state?.layer) return;
  history.scrollRestoration = "manual"; // the page stays where it is when the entry goes
  history.pushState({ layer: true }, "");
}

function leaveEntry() {
  if (layers.length || isLeaving || !history.state?.layer) return;
  isLeaving = true;
  history.back();
}

export class Layer {
  /**
   * @param {() => void} onClose hides what the layer shows
   * @param {string} instead selects what gets the keyboard where its opener has gone meanwhile
   */
  constructor(onClose, instead) {
    this.onClose = onClose;
    this.instead = instead;
    this.isOpen = false;
    /** @type {Element | null} the element that had the keyboard before */
    this.opener = null;
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return; // it has closed a dialog
      if (document.querySelector("dialog[open]")) return;
      this.close();
    });
  }

  open() {
    if (this.isOpen) return;
    this.isOpen = true;
    dropSecondTap();
    this.opener = document.activeElement;
    opened(this);
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    dropSecondTap();
    this.onClose();
    closed(this);
    const isThere = this.opener?.checkVisibility();
    const next = isThere ? this.opener : document.querySelector(this.instead);
    if (next instanceof HTMLElement) comeBackTo(next);
  }
}

/**
 * Gives the keyboard to an element. The page may have been scrolled meanwhile: it shows the element
 * to whoever works by keyboard, and stays where it is under a finger.
 * @param {HTMLElement} element
 */
function comeBackTo(element) {
  element.focus({ preventScroll: true });
  if (element.matches(":focus-visible")) element.scrollIntoView({ block: "nearest" });
}
