// All 53 faces of the set as keys to tap, and the keys beside them.

import { h, tileFace } from "./dom.js";
import { rove } from "./roving.js";

export const COLOURS = ["R", "B", "K", "Y"];
const HIGHEST = 13;

/**
 * Makes the keys of all faces, seven a line so that each is as wide as a thumb: of every colour
 * 1-7, then 8-13 and one more key. This is the comodín in the first colour, and in the others what
 * `extra` has for them.
 * @param {(face: Face) => void} onPick
 * @param {Face | null} [current] shown as pressed
 * @param {Record<string, HTMLElement>} [extra] by colour
 */
export function faceGrid(onPick, current = null, extra = {}) {
  /** @param {Face} face */
  const button = (face) =>
    tileFace(face, {
      tag: "button",
      type: "button",
      "data-face": face,
      "data-key": `face-${face}`,
      "aria-pressed": String(face === current),
      onclick: () => onPick(face),
    });
  /** @type {HTMLElement[]} */
  const keys = [];
  for (const colour of COLOURS) {
    for (let number = 1; number <= HIGHEST; number += 1) keys.push(button(`${number}${colour}`));
    keys.push(colour === "R" ? button("J") : (extra[colour] ?? h("span")));
  }
  const grid = h("div", { class: "faces" }, keys);
  rove(
    grid,
    keys.filter((key) => key instanceof HTMLButtonElement),
  );
  return grid;
}

/**
 * Makes one key that is not a tile: a sign with a word under it.
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
