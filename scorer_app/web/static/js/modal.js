// A dialog over the page, with the page behind it dimmed and out of reach. When one of the
// browser's own modal dialogs opens or closes, the browser computes the styles of everything behind
// it anew, which on a slow phone takes longer than a tap may. Here a veil catches the taps, the Tab
// key stays in the dialog, and screen readers are kept to it.

import { h } from "./dom.js";
import { closed, opened } from "./layer.js";
import { dropSecondTap } from "./second_tap.js";

const REACHED = "a[href], button, input, select, summary, textarea, [tabindex]";
const READ_OUT = "script, [role=status], [role=alert]"; // read out by itself wherever it lies

export class Modal {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {() => void} [onClose]
   */
  constructor(dialog, onClose = () => {}) {
    this.dialog = dialog;
    this.onClose = onClose;
    this.veil = h("div", { class: "veil", hidden: true, onclick: () => this.close() });
    // A press on the veil does not take the keyboard from the dialog.
    this.veil.addEventListener("mousedown", (event) => event.preventDefault());
    dialog.before(this.veil);
    dialog.setAttribute("aria-modal", "true");
    dialog.addEventListener("keydown", (event) => this.goRound(event));
    document.addEventListener("keydown", (event) => this.escape(event), true);
    // The browser tells of a closed dialog later, when it may be open again.
    dialog.addEventListener("close", () => dialog.open || this.close());
    document.addEventListener("focusin", ({ target }) => {
      if (this.isOpen && target instanceof Node && !dialog.contains(target)) this.focus(0);
    });
    this.isOpen = false;
    /** @type {Element | null} what had the keyboard before */
    this.opener = null;
    /** @type {Element[]} kept from screen readers while the dialog is open */
    this.hidden = [];
    /** @type {CloseWatcher | null} told of the Escape key and of "back" on a phone */
    this.watcher = null;
  }

  /** Shows the dialog, unless it is open already. */
  open() {
    if (this.isOpen) return;
    this.isOpen = true;
    dropSecondTap();
    this.opener = document.activeElement;
    this.veil.hidden = false;
    this.dialog.show();
    opened(this);
    this.hidden = besides(this.dialog);
    for (const one of this.hidden) one.setAttribute("aria-hidden", "true");
    if (!("CloseWatcher" in window)) return;
    this.watcher = new CloseWatcher();
    this.watcher.addEventListener("close", () => this.close());
  }

  /** Closes the dialog, and gives the keyboard back to the element that had it. */
  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    dropSecondTap();
    this.veil.hidden = true;
    for (const one of this.hidden) one.removeAttribute("aria-hidden");
    this.watcher?.destroy();
    this.watcher = null;
    this.dialog.close();
    closed(this);
    if (this.opener instanceof HTMLElement || this.opener instanceof SVGElement) {
      this.opener.focus({ preventScroll: true });
    }
    this.onClose();
  }

  /**
   * Closes the dialog on the Escape key, and nothing under it, in browsers without a CloseWatcher.
   * @param {KeyboardEvent} event
   */
  escape(event) {
    if (!this.isOpen || this.watcher || event.key !== "Escape") return;
    event.preventDefault();
    this.close();
  }

  /**
   * Leads the Tab key from the dialog's last element to its first, and back.
   * @param {KeyboardEvent} event
   */
  goRound(event) {
    const { key, shiftKey } = event;
    if (key !== "Tab") return;
    const items = this.items();
    if (document.activeElement !== items.at(shiftKey ? 0 : -1)) return;
    event.preventDefault();
    this.focus(shiftKey ? -1 : 0);
  }

  /** @param {number} index of what gets the keyboard; -1 for the last */
  focus(index) {
    this.items().at(index)?.focus();
  }

  /** Returns what the Tab key reaches in the dialog, in order. */
  items() {
    /** @type {NodeListOf<HTMLElement>} */
    const all = this.dialog.querySelectorAll(REACHED);
    return [...all].filter(
      (one) => one.tabIndex >= 0 && !one.matches(":disabled") && one.checkVisibility(),
    );
  }
}

/**
 * Returns the siblings of an element and of all elements that it lies in.
 * @param {Element} element
 */
function besides(element) {
  /** @type {Element[]} */
  const found = [];
  for (let one = element; one.parentElement; one = one.parentElement) {
    if (one === document.body) break;
    const others = [...one.parentElement.children].filter((other) => other !== one);
    found.push(...others.filter((other) => !other.matches(`${READ_OUT}, [aria-hidden]`)));
  }
  return found;
}
