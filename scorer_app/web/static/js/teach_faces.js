// The screen on which a person confirms what a photograph has taught.

import { h } from "./dom.js";
import { COLOURS, faceGrid } from "./faces.js";
import { byFace } from "./taught.js";
import { faceName, say } from "./words.js";

const NUMBERS = Array.from({ length: 13 }, (_, at) => at + 1);
const ALL_FACES = 53;

/** @param {string} picture a PNG file in base64 */
function source(picture) {
  return `data:image/png;base64,${picture}`;
}

/** @param {TaughtFace} face */
function image({ picture }) {
  return h("img", { src: source(picture), width: 48, height: 64, alt: "" });
}

/**
 * Makes the form that asks for the colours of a photograph's rows, if one of them could not be told
 * from its ink; otherwise nothing.
 * @param {Taught} taught
 * @param {(row: number, colour: string) => void} choose
 */
export function askForRows(taught, choose) {
  const unsure = new Set(taught.rows.filter((row) => !row.sure).map((row) => row.photo));
  if (!unsure.size) return null;
  return h(
    "div",
    {},
    h("h2", {}, say("js.set.which_colour")),
    taught.rows.map((row, at) => unsure.has(row.photo) && askForRow(taught, at, choose)),
  );
}

/**
 * @param {Taught} taught
 * @param {number} at
 * @param {(row: number, colour: string) => void} choose
 */
function askForRow(taught, at, choose) {
  const inks = COLOURS.map((colour) => {
    const props = {
      type: "radio",
      name: `row-${at}`,
      value: colour,
      checked: taught.rows[at].colour === colour,
      "data-key": `row-${at}-${colour}`,
      onchange: () => choose(at, colour),
    };
    return h("label", {}, h("input", props), h("span", {}, say(`colour.${colour}`)));
  });
  const strip = taught.faces.filter((face) => face.row === at).map(image);
  return h(
    "fieldset",
    { class: "asked-row" },
    h("legend", {}, say("js.set.row", { n: at + 1 })),
    h("div", { class: "strip" }, strip),
    h("div", { class: "inks" }, inks),
  );
}

/**
 * Makes the grid of all 53 faces, each with its own picture; missing ones are grey.
 * @param {Taught} taught
 * @param {string} refusal of what was to be kept; empty where there is none
 * @param {boolean} isLeaving whether one more tap throws everything away
 * @param {{ open: (index: number) => void, save: () => void, discard: () => void }} acts
 */
export function gridOfFaces(taught, refusal, isLeaving, { open, save, discard }) {
  const found = byFace(taught);
  const lines = COLOURS.map((colour) => {
    const faces = NUMBERS.map((number) => `${number}${colour}`);
    return line(say(`colour.${colour}`), faces, taught, found, open);
  });
  const count = Object.keys(found).length;
  const leave = {
    type: "button",
    class: isLeaving ? "quiet danger" : "quiet",
    onclick: discard,
    "data-key": "discard",
  };
  return h(
    "div",
    {},
    h("h2", {}, say("js.set.found", { count, all: ALL_FACES })),
    h("p", { class: "remark" }, say("js.set.confirm")),
    lines,
    line(say("tile.J"), ["J"], taught, found, open),
    refusal && h("p", { class: "alert", role: "alert" }, refusal),
    h(
      "div",
      { class: "dialog-buttons" },
      h("button", leave, say(isLeaving ? "js.set.discard_sure" : "js.set.discard")),
      h("button", { type: "button", class: "primary", id: "keep", onclick: save }, say("js.save")),
    ),
  );
}

/**
 * @param {string} title
 * @param {Face[]} faces
 * @param {Taught} taught
 * @param {Record<Face, number[]>} found
 * @param {(index: number) => void} open
 */
function line(title, faces, taught, found, open) {
  const cells = faces.flatMap((face) =>
    found[face]
      ? found[face].map((index) => filled(taught.faces[index], index, open))
      : [missing(face)],
  );
  const heading = h("span", { class: "ink", "aria-hidden": "true" }, title);
  return h("div", { class: "own-line", role: "group", "aria-label": title }, heading, cells);
}

/** @param {Face} face */
function short(face) {
  return face === "J" ? "★" : String(parseInt(face, 10));
}

/**
 * @param {TaughtFace} one
 * @param {number} index
 * @param {(index: number) => void} open
 */
function filled(one, index, open) {
  const props = {
    type: "button",
    class: "own-face",
    "data-face": one.face,
    "data-key": `taught-${index}`,
    "aria-label": faceName(one.face),
    onclick: () => open(index),
  };
  return h("button", props, image(one), h("span", { "aria-hidden": "true" }, short(one.face)));
}

/** @param {Face} face */
function missing(face) {
  const label = `${faceName(face)}: ${say("js.set.missing")}`;
  return h(
    "span",
    { class: "own-face missing", role: "img", "aria-label": label },
    h("i", { "aria-hidden": "true" }),
    h("span", { "aria-hidden": "true" }, short(face)),
  );
}

/**
 * Makes the choice of what one picture shows: any face, or no tile at all.
 * @param {TaughtFace} one
 * @param {{ choose: (face: Face) => void, drop: () => void, close: () => void }} acts
 */
export function whichFace(one, { choose, drop, close }) {
  const header = h(
    "header",
    {},
    h("h2", {}, faceName(one.face)),
    h("button", { type: "button", class: "quiet", onclick: close }, say("js.close")),
  );
  return h(
    "div",
    {},
    header,
    h("div", { class: "sighting" }, h("img", { ...large(one), class: "close-up" })),
    faceGrid(choose, one.face),
    h(
      "div",
      { class: "moves" },
      h("button", { type: "button", onclick: drop }, say("js.set.no_tile")),
    ),
  );
}

/** @param {TaughtFace} one */
function large({ picture }) {
  return { src: source(picture), width: 96, height: 128, alt: "" };
}
