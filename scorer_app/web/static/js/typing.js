// Tiles written with the keyboard: `7r 8r 9r`, `3-9r`, `j`; cards: `7h jh`, `3-9h`, `*`. A letter
// names the colour or the suit and ends a tile, so that no other key is needed between two.

import { COLOURS } from "./faces.js";
import { ofCards, say } from "./words.js";

const HIGHEST = 13;
/** The letters of each colour: of the notation, and of its Spanish, English and Italian names as
 * far as no other colour has them.
 * @type {Record<string, string>} */
const LETTERS = { r: "R", b: "B", a: "B", k: "K", n: "K", y: "Y", m: "Y", g: "Y" };
/** The letters that begin a card.
 * @type {Record<string, string>} */
const RANKS = { a: "1", j: "11", q: "12", k: "13" };

/**
 * The faces from one to another: numbers of one colour upwards, over 13 to 1 at most, or colours of
 * one number. Null where they make neither.
 * @param {Face} first
 * @param {Face} last
 * @returns {Face[] | null}
 */
export function faceRange(first, last) {
  if (first === "J" || last === "J" || first === last) return null;
  const [from, to] = [first, last].map((face) => Number(face.slice(0, -1)));
  const [inkFrom, inkTo] = [first, last].map((face) => face.slice(-1));
  if (from === to) {
    const [a, b] = [inkFrom, inkTo].map((ink) => COLOURS.indexOf(ink)).toSorted((x, y) => x - y);
    const inks = COLOURS.slice(a, b + 1);
    return (inks[0] === inkFrom ? inks : inks.toReversed()).map((ink) => `${from}${ink}`);
  }
  if (inkFrom !== inkTo || (to < from && to !== 1)) return null;
  const end = to < from ? HIGHEST : to;
  const numbers = Array.from({ length: end - from + 1 }, (_, index) => from + index);
  if (to < from) numbers.push(to);
  return numbers.map((number) => `${number}${inkFrom}`);
}

/**
 * What has been typed after one more key: the faces that are complete, and what is still open. Null
 * where the key belongs to no tile.
 * @param {string} open what has been typed and is no face yet: "1", "3-9"
 * @param {string} key
 * @returns {{ open: string, faces: Face[] } | null}
 */
export function typed(open, key) {
  const letter = key.toLowerCase();
  const beginsCard = ofCards() && (open === "" || open.endsWith("-")) && RANKS[letter];
  if (beginsCard) return { open: open + beginsCard, faces: [] };
  if ((letter === "j" && !ofCards()) || letter === "*") return { open: "", faces: ["J"] };
  if (/^\d$/.test(key)) return { open: [open + key, key].find(isNumber) ?? "", faces: [] };
  if (key === "-") return /^\d+$/.test(open) ? { open: `${open}-`, faces: [] } : null;
  if (key === " ") return { open, faces: [] };
  const colour = ofCards() ? suitKeys()[letter] : LETTERS[letter];
  const numbers = /^(\d+)(?:-(\d+))?$/.exec(open);
  if (!colour || !numbers) return null;
  const [first, last] = [numbers[1], numbers[2] ?? numbers[1]].map((number) => number + colour);
  const faces = first === last ? [first] : (faceRange(first, last) ?? []);
  return { open: "", faces };
}

/** The letter of each suit in the page's language, with the colour that stands for it.
 * @returns {Record<string, string>} */
function suitKeys() {
  const keys = say("js.suit_keys").split(" ");
  return Object.fromEntries(keys.map(([letter, colour]) => [letter, colour]));
}

/** @param {string} open whose last number may be that of a tile */
function isNumber(open) {
  const number = Number(open.split("-").at(-1));
  return number >= 1 && number <= HIGHEST;
}
