// Makes many small buttons one stop of the Tab key: the arrow keys move between them.

import { listen } from "./morph.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** @typedef {HTMLElement | SVGElement} Item */

/**
 * @param {Element} container
 * @param {Item[]} items inside it, in order
 * @param {Item} [first] where the Tab key leads to at first, the first item unless given; an item
 *   that the page shows already and that has the keyboard comes before it
 */
export function rove(container, items, first = items[0]) {
  const focused = keyOf(document.activeElement);
  const held = items.find((item) => focused && keyOf(item) === focused);
  lead(items, held ?? first);
  listen(container, "focusin", ({ currentTarget, target }) => {
    const present = itemsOf(currentTarget);
    const item = present.find((one) => one === target);
    if (item) lead(present, item);
  });
  listen(container, "keydown", (event) => {
    const step = event instanceof KeyboardEvent ? STEPS[event.key] : undefined;
    const present = itemsOf(event.currentTarget);
    const at = present.findIndex((item) => item === document.activeElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    present[(at + step + present.length) % present.length].focus();
  });
}

/** @param {Element | null} one */
function keyOf(one) {
  return one instanceof HTMLElement || one instanceof SVGElement ? one.dataset.key : undefined;
}

/**
 * Makes one of the items the stop of the Tab key.
 * @param {Item[]} items
 * @param {Item} one
 */
function lead(items, one) {
  for (const item of items) item.setAttribute("tabindex", item === one ? "0" : "-1");
}

/**
 * @param {EventTarget | null} container
 * @returns {Item[]}
 */
function itemsOf(container) {
  if (!(container instanceof Element)) return [];
  return /** @type {Item[]} */ ([...container.querySelectorAll("[tabindex]")]);
}
