// Makes the children of an element become others with as few changes as can be: the browser lays
// out anew what was taken out and put back, and on a phone that takes longer than a tap may.

/** What an element does, by the event's name.
 * @type {WeakMap<Element, Record<string, EventListener>>} */
const listeners = new WeakMap();
/** What holds more than its attributes say, such as what was drawn or typed. */
const WHOLE = new Set(["CANVAS", "IMG", "INPUT", "SELECT", "TEXTAREA", "VIDEO"]);
// Attributes that tell like elements apart.
const NAMES = ["data-key", "data-row", "data-photo", "data-tile"];

/**
 * Has an element listen. Another listener for the same event takes the place of the first, and an
 * element that becomes another one takes over its listeners.
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

/** What a part of the page was made from, and what shows it.
 * @typedef {{ name: string, said: string, made: Element }} Part */
/** @type {Map<string, Part>} by the part's name */
const kept = new Map();
/** Parts of the page by what holds their place among the children of an element.
 * @type {WeakMap<Node, Element>} */
const parts = new WeakMap();
/** @type {WeakMap<Node, Part>} by the element that shows it, or is to show it */
const shown = new WeakMap();

/**
 * A part of the page that stays as it is until something else is to be said, and then becomes what
 * says so; see `hold`.
 * @param {string} name of the part
 * @param {unknown} facts all that the part is made from, as JSON would hold it
 * @param {() => Element} make
 */
export function keep(name, facts, make) {
  return hold(keptPart(name, facts, make));
}

/**
 * The element that shows a part of the page which stays as it is until something else is to be
 * said; it is put into the page by what `hold` gives for it.
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
 * What holds the place of a part of the page among the children of an element, so that the part is
 * not taken from where it stands before it is shown anew.
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
 * Puts parts of the page where their places are held.
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
 * Gives an element these children. Those of its present children that are like one of them, and
 * have the same data-key, data-row, data-photo or data-tile, stay in the page and become it.
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
 * What tells a node from its like; empty for most.
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
 * The page's security policy lets scripts set styles, but not the attribute of that name.
 * @param {Element} old
 * @param {Element} next
 */
function setStyle(old, next) {
  if (!(old instanceof HTMLElement && next instanceof HTMLElement)) return;
  old.style.cssText = next.style.cssText;
}
