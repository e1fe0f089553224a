// The keys of the tapping pad that are not tiles.

import { h } from "./dom.js";

/**
 * Makes one key: a sign with a word under it.
 * @param {object} key
 * @param {string} key.sign
 * @param {string} key.label
 * @param {string} key.key
 * @param {() => void} key.onclick
 * @param {string} [key.word] written small under the sign
 */
export function control({ sign, label, key, onclick, word }) {
  const props = {
    type: "button",
    class: "control",
    "aria-label": label,
    title: label,
    onclick,
    "data-key": key,
  };
  return h("button", props, sign, word && h("small", { "aria-hidden": "true" }, word));
}
