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
    const next = typeof child === "string" ? document.createTextNode(child) : child;
    const name = nameOf(next);
    const old = name ? named.get(name) : at;
    if (old && (old === next || canBecome(old, next))) {
      named.delete(name);
      if (old === at) at = at.nextSibling;
      else parent.insertBefore(old, at);
      if (old !== next) become(old, next);
    } else parent.insertBefore(next, at);
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
  return !WHOLE.has(old.nodeName);
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
