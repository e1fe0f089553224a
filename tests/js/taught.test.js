import {
  byFace,
  changedFace,
  joined,
  withRowColour,
  withoutFace,
} from "../../scorer_app/web/static/js/taught.js";
import { equal, test } from "./harness.js";

const taught = {
  rows: [
    { colour: "R", sure: false },
    { colour: "B", sure: false },
  ],
  faces: [
    { face: "1R", row: 0, picture: "a" },
    { face: "13R", row: 0, picture: "b" },
    { face: "1B", row: 1, picture: "c" },
    { face: "J", row: null, picture: "d" },
  ],
};
/** @type {(found: { faces: { face: string }[] }) => string} */
const names = ({ faces }) => faces.map(({ face }) => face).join(" ");

test("a row of another colour takes its faces with it, and the other row gets what is free", () => {
  const changed = withRowColour(taught, 0, "B");
  equal(names(changed), "1B 13B 1R J");
  equal(
    changed.rows.map(({ colour }) => colour),
    ["B", "R"],
  );
  equal(names(withRowColour(taught, 1, "Y")), "1R 13R 1Y J");
  equal(names(taught), "1R 13R 1B J");
});

test("of eight rows, two of each colour, each is named by itself", () => {
  const rows = [..."RBKYRBKY"].map((colour) => ({ colour, sure: false }));
  const faces = rows.map(({ colour }, row) => ({ face: `1${colour}`, row, picture: "" }));
  /** @type {Parameters<typeof withRowColour>[0]} */
  let named = { rows, faces };
  [..."BRKYBRKY"].forEach((colour, row) => (named = withRowColour(named, row, colour)));
  equal(names(named), "1B 1R 1K 1Y 1B 1R 1K 1Y");
});

test("rows that a person named keep their colour, as two rows may have one", () => {
  const twice = withRowColour(withRowColour(taught, 1, "R"), 0, "R");
  equal(names(twice), "1R 13R 1R J");
  equal(names(withRowColour(twice, 1, "B")), "1R 13R 1B J");
});

test("what a person named stays so when its row changes colour", () => {
  const named = changedFace(taught, 1, "12R");
  equal(names(named), "1R 12R 1B J");
  equal(names(withRowColour(named, 0, "K")), "1K 12R 1B J");
});

test("a face taken away is gone, the others stay", () => {
  equal(names(withoutFace(taught, 0)), "13R 1B J");
  equal(byFace(withoutFace(taught, 0)), { "13R": [0], "1B": [1], J: [2] });
});

test("a second photograph adds to the first, and its rows change colour by themselves", () => {
  equal(joined(null, taught), taught);
  const both = joined(taught, taught);
  equal(names(both), "1R 13R 1B J 1R 13R 1B J");
  equal(byFace(both)["1R"], [0, 4]);
  equal(names(withRowColour(both, 2, "B")), "1R 13R 1B J 1B 13B 1R J");
  equal(names(withRowColour(both, 0, "B")), "1B 13B 1R J 1R 13R 1B J");
  const three = joined(both, taught);
  equal(names(withRowColour(three, 4, "B")), "1R 13R 1B J 1R 13R 1B J 1B 13B 1R J");
});

test("colours that a person passes on the way to another one are not given away", () => {
  const four = { rows: [..."RBKY"].map((colour) => ({ colour, sure: false })), faces: [] };
  const colours = (/** @type {Parameters<typeof withRowColour>[0]} */ { rows }) =>
    rows.map(({ colour }) => colour).join("");
  const direct = withRowColour(four, 0, "K");
  equal(colours(direct), "KBRY");
  equal(colours(withRowColour(withRowColour(four, 0, "B"), 0, "K")), "KBRY");
  equal(colours(withRowColour(direct, 0, "R")), "RBKY");
  equal(colours(withRowColour(direct, 1, "Y")), "KYRB");
});
