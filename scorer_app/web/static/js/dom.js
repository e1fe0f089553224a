// Builds and shows elements. Text is always text, never markup, so that a name can contain
// anything.

import { listen, morph } from "./morph.js";
import { faceName, partsOf, printed, splitAtTiles } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an HTML element. A property whose name begins with "on" is a listener, any other an
 * attribute.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, props = {}, ...children) {
  return furnish(document.createElement(name), props, children);
}

/**
 * Makes an SVG element, as `h` makes an HTML element.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, props = {}, ...children) {
  return furnish(document.createElementNS(SVG, name), props, children);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Attributes} props
 * @param {(Child | Child[])[]} children
 */
function furnish(element, props, children) {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function")
      listen(element, key.slice("on".length), /** @type {EventListener} */ (value));
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/**
 * Returns the children that are there: empty places of the list are left out, and lists in it are
 * joined.
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function present(children) {
  const there = [];
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    there.push(typeof child === "number" ? String(child) : child);
  }
  return there;
}

/**
 * The element that each finger presses, by the id of its pointer; the space bar counts as a finger.
 * @type {Map<number | string, EventTarget | null>}
 */
const pressed = new Map();
/**
 * What is done to an element once nothing in an area of the page is pressed any more.
 * @type {Map<Element, { area: Element, act: () => void }>}
 */
const postponed = new Map();

addEventListener("pointerdown", ({ pointerId, target }) => pressed.set(pointerId, target), true);
addEventListener("pointerup", ({ pointerId }) => release(pointerId), true);
addEventListener("pointercancel", ({ pointerId }) => release(pointerId), true);
addEventListener(
  "keydown",
  ({ key, target }) => {
    if (key === " ") pressed.set(key, target);
  },
  true,
);
addEventListener("keyup", ({ key }) => release(key), true);
addEventListener("blur", () => [...pressed.keys()].forEach(release));

/** @param {number | string} finger that is lifted; what it clicks is clicked first */
function release(finger) {
  if (!pressed.has(finger)) return;
  setTimeout(() => {
    pressed.delete(finger);
    for (const [element, { area, act }] of postponed) {
      if (isPressed(area)) continue;
      postponed.delete(element);
      act();
    }
  });
}

/** @param {Element} container */
function isPressed(container) {
  return [...pressed.values()].some((one) => one instanceof Node && container.contains(one));
}

/**
 * Does what changes an element, or moves what lies beside it. While something in the area is
 * pressed, it waits for the release: a button that moves from under the finger is not clicked. Of
 * several changes that wait for the same element only the last one is made.
 * @param {Element} area
 * @param {Element} element
 * @param {() => void} act
 */
export function onceReleased(area, element, act) {
  if (isPressed(area)) return void postponed.set(element, { area, act });
  postponed.delete(element);
  act();
}

/**
 * Replaces what a container shows. Elements that stay the same stay in the page, and the keyboard
 * stays on the element with the same data-key. It goes on at the element with data-goes-on where
 * that key is gone, and where the value of data-goes-on, which names what the container is about,
 * has changed. Without such an element it goes on at the nearest one after what is gone, or else
 * before it. While something in the container is pressed, nothing is replaced, since the press
 * would be lost; the new children then come with the release.
 * @param {Element} container
 * @param {...(Child | Child[])} children
 */
export function show(container, ...children) {
  onceReleased(container, container, () => replace(container, children));
}

/**
 * @param {Element} container
 * @param {(Child | Child[])[]} children
 */
function replace(container, children) {
  const focused = document.activeElement;
  const key =
    focused instanceof HTMLElement || focused instanceof SVGElement ? focused.dataset.key : "";
  const inside = container.contains(focused);
  const about = container.querySelector("[data-goes-on]")?.getAttribute("data-goes-on");
  const before = inside && key ? keysIn(container) : [];
  const at = before.indexOf(key ?? "");
  morph(container, present(children));
  if (!inside || !key) return;
  const start = container.querySelector("[data-goes-on]");
  const left = keysIn(container);
  const same = left.includes(key) ? keyed(container, key) : null;
  const again = start?.getAttribute("data-goes-on") === about ? (same ?? start) : start;
  const near = [...before.slice(at + 1), ...before.slice(0, at + 1).reverse()];
  const next = again ?? keyed(container, near.find((one) => left.includes(one)) ?? "");
  if (next instanceof HTMLElement || next instanceof SVGElement) {
    next.focus({ preventScroll: next === again });
  }
}

/** What can have the keyboard: a button that roves is not always a stop of the Tab key. */
const KEYED = "[data-key]:is(button, a, input, select, summary, [tabindex]):not(:disabled)";

/** @param {Element} container */
const keysIn = (container) =>
  [...container.querySelectorAll(KEYED)]
    .filter((one) => one.checkVisibility()) // nothing in a part that is closed
    .map((one) => one.getAttribute("data-key") ?? "");

/**
 * @param {Element} container
 * @param {string} key
 */
const keyed = (container, key) => container.querySelector(`[data-key="${CSS.escape(key)}"]`);

/**
 * Returns a function that does what a button asks for. Where that hides the button or disables it,
 * the keyboard goes on at the first of the elements that is shown, unless a person has moved it.
 * @param {() => void | Promise<void>} act
 * @param {HTMLElement[]} elements
 */
export function goingOn(act, elements) {
  return async () => {
    await act();
    const focused = document.activeElement;
    if (focused !== document.body && focused?.checkVisibility()) return;
    elements.find((one) => one.checkVisibility())?.focus({ preventScroll: true });
  };
}

/**
 * Returns the first element that matches. Throws an error where there is none of this kind, which
 * is a fault of the page.
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function find(root, selector, kind) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`no ${kind.name} at ${selector}`);
  return found;
}

/**
 * Returns the element of the template with this id.
 * @param {string} id
 */
export function byId(id) {
  return find(document, `#${id}`, HTMLElement);
}

/**
 * Makes a tile as it looks on the table, ivory with its number in ink and a shape; or a card.
 * @param {Face | null} face
 * @param {Attributes} [props] of the element; `tag` "button" makes it one
 */
export function tileFace(face, { tag = "span", ...props } = {}) {
  const { number, colour } = partsOf(face);
  const looks = {
    ...props,
    class: `tile ${props.class ?? ""}`,
    "data-colour": colour,
    "aria-label": props["aria-label"] ?? faceName(face),
  };
  return h(
    tag === "button" ? "button" : "span",
    looks,
    h("span", { class: "tile-number", "aria-hidden": "true" }, printed(number)),
    h("span", { class: "tile-shape", "aria-hidden": "true" }),
  );
}

/**
 * Splits a sentence into nodes in which its tiles look as they do on the table. Punctuation stays
 * on the line of the tile before it.
 * @param {string} sentence
 */
export function withTiles(sentence) {
  const parts = splitAtTiles(sentence);
  return parts.map((part, index) => {
    if (index % 2 === 0) return index ? part.slice(closing(part).length) : part;
    const tile = tileFace(part, { class: "word", role: "img" });
    const end = closing(parts[index + 1] ?? "");
    return end ? h("span", { class: "together" }, tile, end) : tile;
  });
}

/** @param {string} text */
function closing(text) {
  return text.match(/^[.,:;!?)»]+/)?.[0] ?? "";
}

/**
 * Lets screen readers say a text.
 * @param {string} text
 */
export function announce(text) {
  const place = document.getElementById("announce");
  if (place) place.textContent = text;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

/**
 * Shows a sentence over the page for a few seconds, an error for longer.
 * @param {string} text
 * @param {"info" | "error"} [kind]
 */
export function toast(text, kind = "info") {
  const place = byId("toast");
  place.textContent = text;
  place.dataset.kind = kind;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.hidden = true), kind === "error" ? 8000 : 4000);
}

const FRAME = 250; // ms after which no frame is waited for, as where nobody sees the page

/**
 * Settles once the browser has shown what has just changed. Work that can wait until then waits for
 * it.
 * @returns {Promise<void>}
 */
export function frameShown() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, FRAME);
  });
}
