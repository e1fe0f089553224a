// Tiles written with the keyboard: `7r 8r 9r`, `3-9r`, `j`; cards: `7h jh`, `3-9h`, `*`. A letter
// names the colour or the suit and ends a tile, so that no other key is needed between two.

import { COLOURS } from "./faces.js";
import { ofCards, say } from "./words.js";

const HIGHEST = 13;
/**
 * The letters that stand for each colour: those of the notation, and the first letters of its names
 * in Spanish, English and Italian unless another colour has them.
 * @type {Record<string, string>}
 */
const LETTERS = { r: "R", b: "B", a: "B", k: "K", n: "K", y: "Y", m: "Y", g: "Y" };
/**
 * The letters that cards show in place of numbers, with these numbers.
 * @type {Record<string, string>}
 */
const RANKS = { A: "1", J: "11", Q: "12", K: "13" };
/** Matches a number or a letter of RANKS, or two of them as the ends of a range. */
const OPEN = /^(\d+|[AJQK])(?:-(\d+|[AJQK]))?$/;

/**
 * Returns the faces from the first to the last: numbers of one colour, upwards or downwards as they
 * were named, or colours of one number. To a 1 the way leads over the 13 where that is shorter.
 * Null where the two do not make a range.
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
  if (inkFrom !== inkTo) return null;
  const isOver = to === 1 && HIGHEST + 1 - from < from - to;
  const end = isOver ? HIGHEST + 1 : to;
  const step = Math.sign(end - from);
  const numbers = Array.from({ length: step * (end - from) + 1 }, (_, at) => from + step * at);
  return numbers.map((number) => `${number > HIGHEST ? to : number}${inkFrom}`);
}

/**
 * Returns what has been typed after one more key: the faces that are complete, and what is still
 * open. Null where the key belongs to no tile.
 * @param {string} open what has been typed and is no face yet: "1", "3-9", "K"
 * @param {string} key
 * @returns {{ open: string, faces: Face[] } | null}
 */
export function typed(open, key) {
  const letter = key.toLowerCase();
  const colour = ofCards() ? suitKeys()[letter] : LETTERS[letter];
  const ends = OPEN.exec(open);
  if (colour && ends) {
    const [first, last] = [ends[1], ends[2] ?? ends[1]].map((end) => numberOf(end) + colour);
    return { open: "", faces: first === last ? [first] : (faceRange(first, last) ?? []) };
  }
  if ((letter === "j" && !ofCards()) || letter === "*") return { open: "", faces: ["J"] };
  const sign = key.toUpperCase();
  if (/^\d$/.test(sign) || (ofCards() && RANKS[sign])) {
    return { open: [open + sign, sign].find(isNumber) ?? "", faces: [] };
  }
  if (key === "-") return ends && !ends[2] ? { open: `${open}-`, faces: [] } : null;
  return key === " " ? { open, faces: [] } : null;
}

/**
 * Returns the number that has been typed, perhaps as a letter of RANKS, as its digits.
 * @param {string} end of a range
 */
function numberOf(end) {
  return RANKS[end] ?? end;
}

/**
 * Returns the letters of the suits in the page's language, each with the colour that stands for the
 * suit.
 * @returns {Record<string, string>}
 */
function suitKeys() {
  const keys = say("js.suit_keys").split(" ");
  return Object.fromEntries(keys.map(([letter, colour]) => [letter, colour]));
}

/** @param {string} open whose last number may be that of a tile */
function isNumber(open) {
  const number = Number(numberOf(open.split("-").at(-1) ?? ""));
  return number >= 1 && number <= HIGHEST;
}
