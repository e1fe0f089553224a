// What is said of files that were chosen as photographs and that nobody can use as such.

import { say } from "./words.js";

const LONGEST = 24; // letters of a name
const ENDING = 8; // of these, the last ones, which tell what kind of file it is
const NAMED = 4; // files

/**
 * Returns the name of a file as it is shown: without signs that are unseen or turn the direction of
 * the text, and with its middle left out where it is long.
 * @param {string} name
 */
export function shownName(name) {
  const letters = [...name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")];
  if (letters.length <= LONGEST) return letters.join("");
  const start = letters.slice(0, LONGEST - ENDING - 1);
  return [...start, "…", ...letters.slice(-ENDING)].join("");
}

/**
 * Returns a sentence about the files that were refused: the reason where it is the only one.
 * @param {{ name: string, message: string }[]} refused
 * @param {number} count of the files that were chosen together
 */
export function refusedText(refused, count) {
  const [first] = refused;
  if (!first) return "";
  if (count === 1) return first.message;
  if (refused.length === 1) return `${shownName(first.name)}: ${first.message}`;
  const names = refused.slice(0, NAMED).map(({ name }) => shownName(name));
  if (refused.length > NAMED) names.push("…");
  return say("js.files_refused", { refused: refused.length, count, names: names.join(", ") });
}
