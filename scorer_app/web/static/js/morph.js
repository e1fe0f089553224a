// Turns the children of an element into others with as few changes as possible: the browser
// computes the layout of what was taken out and put back anew, and on a phone that takes longer
// than a tap may.

/**
 * The listeners of an element, by the name of their event.
 * @type {WeakMap<Element, Record<string, EventListener>>}
 */
const listeners = new WeakMap();
/** Elements that hold more than their attributes say, such as what was drawn or typed. */
const WHOLE = new Set(["CANVAS", "IMG", "INPUT", "SELECT", "TEXTAREA", "VIDEO"]);
// Attributes that tell like elements apart.
const NAMES = ["data-key", "data-row", "data-photo", "data-tile"];

/**
 * Adds a listener to an element. It replaces an earlier one for the same event. An element that
 * `morph` turns into another one takes over that one's listeners.
 * @param {Element} element
 * @param {string} event
 * @param {EventListener} listener
 */
export function listen(element, event, listener) {
  const own = listeners.get(element) ?? {};
  own[event] = listener;
  listeners.set(element, own);
  element.addEventListener(event, dispatch);
}

/** @param {Event} event */
function dispatch(event) {
  const { currentTarget } = event;
  if (currentTarget instanceof Element) listeners.get(currentTarget)?.[event.type]?.(event);
}

/**
 * A part of the page: its name, the facts that it was made from, as JSON, and the element that
 * shows it.
 * @typedef {{ name: string, said: string, made: Element }} Part
 */
/** @type {Map<string, Part>} by the part's name */
const kept = new Map();
/**
 * The parts of the page, by the element that holds their place among the children of another.
 * @type {WeakMap<Node, Element>}
 */
const parts = new WeakMap();
/** @type {WeakMap<Node, Part>} by the element that shows it, or is to show it */
const shown = new WeakMap();

/**
 * Returns a place holder for a part of the page that is made anew only when its facts change; see
 * `hold`.
 * @param {string} name of the part
 * @param {unknown} facts all that the part is made from, as JSON would hold it
 * @param {() => Element} make
 */
export function keep(name, facts, make) {
  return hold(keptPart(name, facts, make));
}

/**
 * Returns the element that shows a part of the page. It is made anew only when the facts change. To
 * put it into the page, use what `hold` returns for it.
 * @template {Element} Kind
 * @param {string} name of the part
 * @param {unknown} facts all that the part is made from, as JSON would hold it
 * @param {() => Kind} make
 */
export function keptPart(name, facts, make) {
  const said = JSON.stringify(facts);
  let known = kept.get(name);
  if (known?.said !== said) {
    known = { name, said, made: make() };
    shown.set(known.made, known);
    kept.set(name, known);
  }
  return /** @type {Kind} */ (known.made);
}

/**
 * Returns an element that holds the place of a part of the page among the children of another
 * element. So the part itself is not moved before `morph` compares old and new children.
 * @param {Element} part
 */
export function hold(part) {
  const place = document.createElement("template");
  parts.set(place, part);
  return place;
}

/** @param {Node | string} child */
function nodeOf(child) {
  if (typeof child === "string") return document.createTextNode(child);
  return parts.get(child) ?? child;
}

/**
 * Puts the parts of the page in place of the elements that hold their places.
 * @param {Node} node that comes into the page
 */
function filled(node) {
  if (!(node instanceof Element)) return node;
  for (const place of node.querySelectorAll("template")) {
    const part = parts.get(place);
    if (part) place.replaceWith(filled(part));
  }
  return node;
}

/**
 * Gives an element these children. A present child that is like a new one, and has the same
 * data-key, data-row, data-photo or data-tile, stays in the page and takes over the new one's
 * contents.
 * @param {Element} parent
 * @param {(Node | string)[]} children
 */
export function morph(parent, children) {
  const named = new Map([...parent.childNodes].map((child) => [nameOf(child), child]));
  let at = parent.firstChild;
  for (const child of children) {
    const next = nodeOf(child);
    const name = nameOf(next);
    const old = name ? named.get(name) : at;
    if (old && (old === next || canBecome(old, next))) {
      named.delete(name);
      if (old === at) at = at.nextSibling;
      else parent.insertBefore(old, at);
      if (old !== next) become(old, next);
    } else parent.insertBefore(filled(next), at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/**
 * Returns what distinguishes a node from others of its kind, its data-key for instance; empty for
 * most.
 * @param {Node} node
 */
function nameOf(node) {
  if (!(node instanceof Element)) return "";
  for (const name of NAMES) {
    const value = node.getAttribute(name);
    if (value !== null) return `${node.nodeName} ${name} ${value}`;
  }
  return "";
}

/**
 * @param {Node} old
 * @param {Node} next
 */
function canBecome(old, next) {
  if (old.nodeName !== next.nodeName || nameOf(old) !== nameOf(next)) return false;
  return !WHOLE.has(old.nodeName) && shown.get(old)?.name === shown.get(next)?.name;
}

/**
 * @param {Node} old stays in the page
 * @param {Node} next
 */
function become(old, next) {
  if (old instanceof Element && next instanceof Element) {
    setAttributes(old, next);
    const own = listeners.get(next) ?? {};
    listeners.set(old, own);
    for (const event of Object.keys(own)) old.addEventListener(event, dispatch);
    const part = shown.get(next);
    if (part) {
      part.made = old;
      shown.set(old, part);
    }
    morph(old, [...next.childNodes]);
  } else if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
}

/**
 * @param {Element} old
 * @param {Element} next
 */
function setAttributes(old, next) {
  for (const name of old.getAttributeNames()) {
    if (!next.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const name of next.getAttributeNames()) {
    const value = String(next.getAttribute(name));
    if (old.getAttribute(name) === value) continue;
    if (name === "style") setStyle(old, next);
    else old.setAttribute(name, value);
  }
}

/**
 * Copies the styles one by one: the page's security policy lets scripts set styles, but not the
 * attribute `style`.
 * @param {Element} old
 * @param {Element} next
 */
function setStyle(old, next) {
  if (!(old instanceof HTMLElement && next instanceof HTMLElement)) return;
  old.style.cssText = next.style.cssText;
}
