// What is wrong with the layout of a page as it stands, by the boxes of its elements.

const CONTROLS = "a[href], button, select, summary, textarea, input:not([type=hidden])";
const SLACK = 1.5; // px by which boxes may miss each other where sizes are rounded

const OVER_ALL = "dialog[open], #entry:not([hidden]), [data-referee=yes]";

/**
 * The part of the page that can be used now: an open dialog, the keys to tap tiles in or the
 * referee's full screen, else all.
 * @returns {HTMLElement}
 */
function usable() {
  /** @type {HTMLElement | null} */
  const open = document.querySelector(OVER_ALL);
  return open ?? document.body;
}

/** @param {Element} element */
function isShown(element) {
  const options = { checkVisibilityCSS: true, checkOpacity: true };
  const apart = ".visually-hidden, svg, option, script, [inert], .skip";
  return element.checkVisibility(options) && !element.closest(apart);
}

/** @param {Element} element */
function lineage(element) {
  const all = [];
  for (let one = element; one !== document.body; one = /** @type {Element} */ (one.parentElement))
    all.push(one);
  return all;
}

/** @param {CSSStyleDeclaration} style */
function isBox(style) {
  const painted = style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.backgroundImage !== "none";
  return painted || parseFloat(style.borderRightWidth) > 0;
}

/** @param {Element} element */
function layerOf(element) {
  return lineage(element).find((one) => /fixed|sticky/.test(getComputedStyle(one).position));
}

/**
 * @param {Element} element
 * @param {string} what
 */
function told(element, what) {
  const text = element instanceof HTMLElement ? element.innerText : "";
  const name = element.id || element.className || element.tagName;
  return `${what}: ${name} «${text.slice(0, 40)}»`;
}

/** @param {HTMLElement} root */
function textsOf(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const text = /** @type {Text} */ (walker.currentNode);
    if (text.data.trim() && text.parentElement && isShown(text.parentElement)) found.push(text);
  }
  return found;
}

/**
 * What is wrong with a line of text: it leaves a box around it, is cut off by one, or leaves the
 * window. What scrolls, and what ends in an ellipsis, holds its text.
 * @param {HTMLElement} element
 * @param {DOMRect} box
 */
function faultOf(element, box) {
  for (const one of lineage(element)) {
    const style = getComputedStyle(one);
    const frame = one.getBoundingClientRect();
    if (/auto|scroll/.test(style.overflowX) || style.textOverflow === "ellipsis") return null;
    const clips = /hidden|clip/.test(style.overflowX);
    const inLine = style.display.startsWith("inline") && !isBox(style);
    if (inLine || !(clips || isBox(style))) continue;
    if (box.left < frame.left - SLACK || box.right > frame.right + SLACK)
      return told(element, clips ? "cut off" : "leaves its box");
  }
  const wide = document.documentElement.clientWidth;
  const inside = box.left >= -SLACK && box.right <= wide + SLACK;
  return inside ? null : told(element, "outside the window");
}

/**
 * The part of a box that is seen through what scrolls or cuts off around it.
 * @param {Element} element
 * @param {DOMRect} box
 */
function seenPart(element, box) {
  let { left, top, right, bottom } = box;
  for (const one of lineage(element).slice(1)) {
    if (getComputedStyle(one).overflow === "visible") continue;
    const frame = one.getBoundingClientRect();
    [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
    [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
  }
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
}

/**
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
function overlap(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return across > 2 && down > 2 && down > 0.4 * Math.min(one.height, other.height);
}

/** @param {{element: HTMLElement, box: DOMRect, layer: Element | undefined}[]} lines */
function covered(lines) {
  const found = [];
  for (const [at, one] of lines.entries())
    for (const other of lines.slice(at + 1)) {
      const nested = one.element.contains(other.element) || other.element.contains(one.element);
      if (nested || one.layer !== other.layer || !overlap(one.box, other.box)) continue;
      found.push(told(other.element, `over «${one.element.innerText.slice(0, 30)}»`));
    }
  return found;
}

/**
 * Whether a person can tap a control once it is scrolled to.
 * @param {Element} control
 */
function isReached(control) {
  control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const [whole] = [...control.getClientRects()].filter(({ width, height }) => width && height);
  if (!whole) return true;
  const box = seenPart(control, whole);
  const down = Math.min(box.height / 2, 20);
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + down);
  if (!hit) return false;
  const label = control.closest("label");
  const same = label !== null && hit.closest("label") === label;
  return control.contains(hit) || same || (hit.tagName === "A" && hit.contains(control));
}

/** @param {HTMLElement} root */
function controlsOf(root) {
  /** @type {Element[]} */
  const found = [];
  for (const control of root.querySelectorAll(CONTROLS)) {
    const unseen = getComputedStyle(control).opacity === "0" ? control.closest("label") : control;
    if (unseen && isShown(unseen) && !control.matches(":disabled") && !control.closest(".overlay"))
      found.push(unseen);
  }
  return found;
}

/** What is wrong with the layout, one sentence each. */
export function layoutFaults() {
  const root = usable();
  const lines = [];
  const found = [];
  for (const text of textsOf(root)) {
    const element = /** @type {HTMLElement} */ (text.parentElement);
    const range = document.createRange();
    range.selectNodeContents(text);
    const layer = layerOf(element);
    for (const box of range.getClientRects()) {
      if (box.width <= 1) continue;
      found.push(faultOf(element, box));
      const seen = seenPart(element, box);
      const own = getComputedStyle(element).textOverflow === "ellipsis";
      if (own) seen.width = Math.min(seen.width, element.getBoundingClientRect().right - seen.left);
      if (seen.width && seen.height) lines.push({ element, box: seen, layer });
    }
  }
  found.push(...covered(lines));
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`${scrollWidth} px wide, the window ${clientWidth}`);
  const hidden = controlsOf(root).filter((control) => !isReached(control));
  found.push(...hidden.map((control) => told(control, "cannot be reached")));
  scrollTo(0, 0);
  return [...new Set(found)].filter((fault) => fault !== null);
}

/**
 * The words that do not stay in one line, each with the text around it. An address of a page is no
 * word: it goes on in the next line where it is too long.
 */
export function brokenWords() {
  const found = new Set();
  for (const text of textsOf(document.body)) {
    const words = text.data.replace(/https?:\/\/\S+/g, (address) => " ".repeat(address.length));
    for (const { 0: word, index } of words.matchAll(/[\p{L}\d]{2,}/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      if (lines.size > 1) found.add(`${word} in «${text.data.trim().slice(0, 40)}»`);
    }
  }
  return [...found];
}

/** The element that has the focus, and where it stands in the document; null for none. */
export function focused() {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const box = (element.closest("label") ?? element).getBoundingClientRect();
  return {
    name: element.innerText || element.getAttribute("aria-label") || element.id,
    left: box.left,
    right: box.right,
    top: box.top + scrollY,
    bottom: box.bottom + scrollY,
    fixed: layerOf(element) !== undefined,
    shown: box.width > 1 && box.bottom > 0 && box.top < innerHeight,
  };
}
