import { sharedOut, tapLine, toggleLine } from "../../scorer_app/web/static/js/side_line.js";
import { equal, test } from "./harness.js";
import { hand, photo, row, tile, upright } from "./samples.js";

const table = photo({ width: 400, height: 300, side: "B" });
const view = hand({
  tiles: {
    t1: tile({ photo: "p1", corners: upright(100, 40) }),
    t2: tile({ photo: "p1", corners: upright(200, 220) }),
    t3: tile({ photo: "p2", corners: upright(200, 40) }),
  },
  rows: [
    row({ id: "r1", side: "B", tiles: ["t1"] }),
    row({ id: "r2", side: "B", tiles: ["t2"] }),
    row({ id: "r3", side: "B", tiles: ["t3"] }),
  ],
});
/** @type {[Point, Point]} */
const across = [
  [0, 150],
  [400, 140],
];

test("melds beyond the line go to the other side, those of other photographs stay", () => {
  equal(sharedOut(view, table, across), [{ op: "move_row", row: "r1", side: "A", place: "melds" }]);
});

test("all that a line moves is one step", () => {
  /** @type {Operation[]} */
  const sent = [];
  const screen = /** @type {HandScreen} */ (
    /** @type {unknown} */ ({
      view,
      draw: () => undefined,
      edit: (/** @type {Operation[]} */ ...edits) => sent.push(...edits),
    })
  );
  toggleLine(screen, table.id);
  for (const end of across) tapLine(screen, table, end);
  equal(sent, [{ op: "move_rows", moves: sharedOut(view, table, across) }]);
});

test("it does not matter from which end a line is drawn, nor that it was drawn before", () => {
  const moved = hand({
    ...view,
    rows: [row({ id: "r1", side: "A", tiles: ["t1"] }), view.rows[1]],
  });
  equal(sharedOut(moved, table, [across[1], across[0]]), []);
});

test("what is no meld and lies behind all melds of its side is its rack", () => {
  const legal = { valid: true, text: "" };
  const illegal = { valid: false, text: "" };
  const places = {
    r1: [90, legal],
    r2: [30, illegal],
    r3: [200, illegal],
    r4: [260, legal],
    r5: [31, null],
    r6: [110, null],
  };
  const laid = Object.entries(places).map(([id, [y, verdict]]) => ({ id, y, verdict }));
  const seen = hand({
    tiles: Object.fromEntries(
      laid.map(({ id, y }) => [id, tile({ photo: "p1", corners: upright(100, Number(y)) })]),
    ),
    rows: laid.map(({ id, verdict }) =>
      row({
        id,
        side: "B",
        place: verdict ? "melds" : "pozo",
        tiles: [id],
        verdict: /** @type {Verdict | null} */ (verdict),
      }),
    ),
  });
  equal(sharedOut(seen, table, across), [
    { op: "move_row", row: "r1", side: "A", place: "melds" },
    { op: "move_row", row: "r2", side: "A", place: "rack" },
    { op: "move_row", row: "r5", side: "A", place: "rack" },
  ]);
});
