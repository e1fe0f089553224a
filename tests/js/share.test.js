import { NAME, VICTORY, inHalves, linesIn } from "../../scorer_app/web/static/js/share_picture.js";
import { equal, test } from "./harness.js";

/** Half as wide as high, as letters of a typeface are on average.
 * @type {(text: string, size: number) => number} */
const widthOf = (text, size) => (text.length * size) / 2;

test("a short name stands on one line", () => {
  equal(linesIn("Nosotros", NAME, widthOf), [{ text: "Nosotros", baseline: 130, size: 52 }]);
});

test("a long name is cut between words where its longer part is shortest", () => {
  equal(inHalves("Los primos de Rosario"), ["Los primos", "de Rosario"]);
  equal(inHalves("La Abuela"), ["La", "Abuela"]);
});

test("a long word is cut in the middle", () => {
  equal(inHalves("Supercalifragilístico"), ["Supercalifr", "agilístico"]);
});

test("an emoji is not cut in two", () => {
  equal(inHalves("🦊🦊🦊"), ["🦊🦊", "🦊"]);
  equal(inHalves("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦"), ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]);
});

test("the two lines of a name are as small as the longer needs", () => {
  const name = "Los primos lejanos de Rosario y de todos los alrededores";
  const lines = linesIn(name, NAME, widthOf);
  equal(
    lines.map(({ baseline }) => baseline),
    [98, 148],
  );
  equal(lines.map(({ text }) => text).join(" "), name);
  equal(new Set(lines.map(({ size }) => size)).size, 1);
  equal(lines[0].size < 44, true);
  equal(
    lines.every(({ text, size }) => widthOf(text, size) <= 420),
    true,
  );
});

test("who has won is written in letters that fit, not in squeezed ones", () => {
  equal(linesIn("Ganaron Ellos", VICTORY, widthOf), [
    { text: "Ganaron Ellos", baseline: 284, size: 100 },
  ]);
  const lines = linesIn("Ganaron Los primos lejanos de Rosario", VICTORY, widthOf);
  equal(lines, [
    { text: "Ganaron Los primos", baseline: 240, size: 64 },
    { text: "lejanos de Rosario", baseline: 310, size: 64 },
  ]);
  const [, longest] = linesIn(`Ganó ${"W".repeat(40)}`, VICTORY, widthOf);
  equal(longest, { text: "W".repeat(40), baseline: 310, size: 48 });
});
