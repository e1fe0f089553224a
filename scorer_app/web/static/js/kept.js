// What this device keeps from one page to the next. A browser may refuse its storage, or have no
// room left in it: then nothing is kept, and nothing else fails.

/** @typedef {() => Storage} Area */

/** What is kept on this device. */
export const DEVICE = () => localStorage;
/** What is kept as long as the tab is open. */
export const TAB = () => sessionStorage;

/**
 * Returns what was kept under a key; null where nothing was.
 * @param {Area} area
 * @param {string} key
 * @returns {any}
 */
export function recall(area, key) {
  try {
    return JSON.parse(area().getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {Area} area
 * @param {string} key
 * @param {unknown} value
 */
export function keep(area, key, value) {
  try {
    area().setItem(key, JSON.stringify(value));
  } catch {
    // Nothing is kept.
  }
}

/**
 * @param {Area} area
 * @param {string} key
 */
export function forget(area, key) {
  try {
    area().removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
