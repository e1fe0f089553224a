// Many small buttons as one stop of the Tab key: the arrow keys move between them.

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * @param {Element} container
 * @param {(HTMLElement | SVGElement)[]} items inside it, in order
 * @param {Element} [first] where the Tab key leads to at first, the first item unless given
 */
export function rove(container, items, first = items[0]) {
  /** @param {EventTarget | Element | null} one */
  const lead = (one) => {
    for (const item of items) item.setAttribute("tabindex", item === one ? "0" : "-1");
  };
  lead(first);
  container.addEventListener("focusin", ({ target }) => {
    if (items.some((item) => item === target)) lead(target);
  });
  container.addEventListener("keydown", (event) => {
    const step = event instanceof KeyboardEvent ? STEPS[event.key] : undefined;
    const at = items.findIndex((item) => item === document.activeElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    items[(at + step + items.length) % items.length].focus();
  });
}
