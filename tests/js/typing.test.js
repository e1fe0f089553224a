import { faceRange, typed } from "../../scorer_app/web/static/js/typing.js";
import { equal, test } from "./harness.js";

/**
 * The faces of all keys, typed one after another.
 * @param {string} keys
 */
function written(keys) {
  let open = "";
  /** @type {Face[]} */
  const faces = [];
  for (const key of keys) {
    const next = typed(open, key);
    open = next?.open ?? open;
    faces.push(...(next?.faces ?? []));
  }
  return faces.join(" ");
}

test("tiles are written by number and colour, with spaces or without", () => {
  equal(written("7r 8r 9r"), "7R 8R 9R");
  equal(written("10k11k12k13k"), "10K 11K 12K 13K");
  equal(written("1r1b1k1y"), "1R 1B 1K 1Y");
  equal(written("7Rj*"), "7R J J");
});

test("the letters of each language's colours are known", () => {
  equal(written("5a5n5m 5g"), "5B 5K 5Y 5Y");
});

test("a number that no tile has begins anew with its last digit", () => {
  equal(written("14r"), "4R");
  equal(written("0r"), "");
});

test("a range is written with a hyphen", () => {
  equal(written("3-9r"), "3R 4R 5R 6R 7R 8R 9R");
  equal(written("11-13b 2k"), "11B 12B 13B 2K");
});

test("a range goes up in one colour, over the 13 to the 1, or over colours of one number", () => {
  equal(faceRange("3R", "5R"), ["3R", "4R", "5R"]);
  equal(faceRange("12K", "1K"), ["12K", "13K", "1K"]);
  equal(faceRange("8R", "8K"), ["8R", "8B", "8K"]);
  equal(faceRange("8Y", "8K"), ["8Y", "8K"]);
});

test("a range goes down where it was tapped so, and to a 1 the shorter way", () => {
  equal(faceRange("9Y", "5Y"), ["9Y", "8Y", "7Y", "6Y", "5Y"]);
  equal(faceRange("13K", "12K"), ["13K", "12K"]);
  equal(written("5-3r"), "5R 4R 3R");
  equal(faceRange("4B", "1B"), ["4B", "3B", "2B", "1B"]);
  equal(faceRange("7B", "1B"), ["7B", "6B", "5B", "4B", "3B", "2B", "1B"]);
  equal(faceRange("8B", "1B"), ["8B", "9B", "10B", "11B", "12B", "13B", "1B"]);
});

test("two faces that no range joins make none", () => {
  equal([faceRange("3R", "5B"), faceRange("9R", "9R"), faceRange("J", "3R")], [null, null, null]);
});

test("a key that belongs to no tile is left to the page", () => {
  equal([typed("", "x"), typed("", "r"), typed("", "-"), typed("7", "Tab")], Array(4).fill(null));
});

test("cards are written by rank and suit, the court by its letters", () => {
  document.documentElement.dataset.pieces = "cards";
  equal(written("7c jd ap*"), "7R 11Y 1K J");
  equal(written("9-qt"), "9B 10B 11B 12B");
  equal(written("j"), "");
  delete document.documentElement.dataset.pieces;
});

test("of a card that is mistyped, the last rank counts, and ⌫ takes back one key", () => {
  document.documentElement.dataset.pieces = "cards";
  equal(written("qkc a2d 7jt"), "13R 2Y 11B");
  equal(written("3-qc"), "3R 4R 5R 6R 7R 8R 9R 10R 11R 12R");
  equal([typed("", "q")?.open, typed("3-", "k")?.open, typed("K", "-")?.open], ["Q", "3-K", "K-"]);
  delete document.documentElement.dataset.pieces;
});
