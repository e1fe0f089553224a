// Words and figures as people read them: texts in the page's language, points, names of tiles.
// Nothing here changes the page.

/** @type {Record<string, string>} */
const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");

/** Matches a tile as sentences name it: `7R`, `13K`, `J`. */
const NOTATION = /\b((?:1[0-3]|[1-9])[RBKY]|J)\b/;
/** Matches a card as sentences name it: `7H`, `KS`, `*`. */
const OF_CARDS = /(\b(?:10|[2-9AJQK])[HDCS]\b|\*)/;

/**
 * A shape for each colour, for people who cannot tell the inks apart.
 * @type {Record<string, string>}
 */
const SHAPES = { R: "●", B: "■", K: "◆", Y: "▲" };
/** The suit that each colour stands for, written as text and not as a coloured picture.
 * @type {Record<string, string>} */
const SUITS = { R: "♥\uFE0E", B: "♣\uFE0E", K: "♠\uFE0E", Y: "♦\uFE0E" };
/**
 * What cards show in place of these numbers.
 * @type {Record<string, string>}
 */
const RANKS = { 1: "A", 11: "J", 12: "Q", 13: "K" };
const COLOUR_OF_SUIT = { H: "R", D: "Y", C: "B", S: "K" };

/** Whether this page is about a match of cards. */
export function ofCards() {
  return document.documentElement.dataset.pieces === "cards";
}

/**
 * Returns the number of a tile as it is printed; on some cards it is a letter.
 * @param {string} number
 */
export function printed(number) {
  return (ofCards() && RANKS[number]) || number;
}

/**
 * Returns the face that a sentence names, in the engine's notation: of cards, `JH` is `11R`.
 * @param {string} name
 * @returns {Face}
 */
function faceWritten(name) {
  if (!ofCards()) return name;
  if (name === "*") return "J";
  const [rank, suit] = [name.slice(0, -1), /** @type {"H"} */ (name.slice(-1))];
  const number = Object.keys(RANKS).find((one) => RANKS[one] === rank) ?? rank;
  return number + COLOUR_OF_SUIT[suit];
}

/**
 * Returns the text named `key` with its blanks filled, or the key itself where there is no such
 * text. Of one thing, which the value `count` then says, the text is that of `KEY_one` where there
 * is one.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  const ofOne = values.count === 1 && texts[`${key}_one`];
  return fill(ofOne || (texts[key] ?? key), values);
}

/**
 * Puts the values into the blanks of a text, `{name}`; a blank without a value becomes empty.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** @type {Map<string, Intl.NumberFormat>} by language */
const figures = new Map();

/**
 * Writes points as the server does: with a true minus sign, and with thousands grouped as in the
 * page's language.
 * @param {number} points
 */
export function signed(points) {
  const { lang } = document.documentElement;
  const format = figures.get(lang) ?? new Intl.NumberFormat(lang, { useGrouping: true });
  figures.set(lang, format); // to make one takes longer than to write a whole sheet with it
  const text = format.format(Math.abs(points));
  return points < 0 ? `−${text}` : text;
}

/**
 * Says by how many points the answer to a question may change the score.
 * @param {Question} question
 */
export function effectText({ effect }) {
  return say("js.effect", { count: effect, points: signed(effect) });
}

/**
 * Returns the number of letters for which a figure is fitted to its room, as text; the page's
 * styles know 4 to 9.
 * @param {string} figure
 */
export function lengthOf(figure) {
  return String(Math.min(9, Math.max(4, figure.length)));
}

/**
 * Writes in words points that are known only as an interval.
 * @param {Interval} interval
 */
export function between([low, high]) {
  return low === high ? signed(low) : say("js.between", { low: signed(low), high: signed(high) });
}

const SHORT = 12;

/**
 * Whether an interval fits into one line of half a phone's width.
 * @param {string} text
 */
export function isShort(text) {
  return text.length <= SHORT;
}

/**
 * "1 tile" or "5 tiles".
 * @param {number} count
 */
export function tileCount(count) {
  return say("js.tiles", { count });
}

/**
 * "1 set aside" or "5 set aside"; an empty text for none.
 * @param {number} count
 */
export function asideCount(count) {
  return count ? say("js.aside_count", { count }) : "";
}

/**
 * Returns number and colour letter of a face. The comodín has no number and the colour "J"; an
 * unread tile has "?" and "none".
 * @param {Face | null} face
 * @returns {{ number: string, colour: string }}
 */
export function partsOf(face) {
  if (!face) return { number: "?", colour: "none" };
  if (face === "J") return { number: "", colour: "J" };
  return { number: face.slice(0, -1), colour: face.slice(-1) };
}

/**
 * Returns the name of a tile in words.
 * @param {Face | null} face
 */
export function faceName(face) {
  if (!face) return say("js.unread");
  if (face === "J") return say("tile.J");
  const { number, colour } = partsOf(face);
  const isLetter = printed(number) !== number;
  const rank = isLetter ? say(`rank.${number}`) : number;
  return say("tile.name", { number: rank, colour: say(`colour.${colour}`) });
}

/**
 * Returns the name of a tile for screen readers, and whether it is in doubt.
 * @param {{ face: Face | null, doubtful: boolean }} tile
 */
export function tileLabel({ face, doubtful }) {
  return doubtful ? `${faceName(face)}, ${say("js.doubtful")}` : faceName(face);
}

/**
 * Writes number and shape of a tile, for places that have room only for letters.
 * @param {Face | null} face
 */
export function mark(face) {
  if (!face) return "?";
  if (face === "J") return "★";
  const { number, colour } = partsOf(face);
  return printed(number) + (ofCards() ? SUITS : SHAPES)[colour];
}

/**
 * Splits a sentence at the tiles that it names; the odd parts are their faces.
 * @param {string} sentence
 */
export function splitAtTiles(sentence) {
  const parts = sentence.split(ofCards() ? OF_CARDS : NOTATION);
  return parts.map((part, index) => (index % 2 === 1 ? faceWritten(part) : part));
}

/**
 * Returns a sentence with its tiles named in words, for screen readers and speech.
 * @param {string} sentence
 */
export function spoken(sentence) {
  const parts = splitAtTiles(sentence);
  return parts.map((part, index) => (index % 2 === 1 ? faceName(part) : part)).join("");
}
