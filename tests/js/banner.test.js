import { Banner, illegalMeld, mends } from "../../scorer_app/web/static/js/table_banner.js";
import { equal, test } from "./harness.js";
import { tableMeld } from "./samples.js";

/** @type {TableEvent} */
const WRONG = {
  number: 1,
  ago: 1,
  tiles: ["9K"],
  side: "B",
  legal: false,
  doubtful: false,
  alarming: true,
  thumbnail: false,
  message: "Agregan 9K. No es escalera ni pierna; 9K no corresponde.",
  event: "tiles_added",
  meld_id: 1,
  rule: "No es escalera ni pierna; 9K no corresponde.",
  fix: "Alcanza con levantar 9K.",
};

/** @param {TableMeld[]} melds */
function table(...melds) {
  return { width: 640, height: 480, melds, loose_details: [], printed_details: [] };
}

function banner() {
  const box = document.createElement("section");
  return { box, banner: new Banner(box, "", { A: "Nosotros", B: "Ellos" }, null) };
}

test("a banner names side, rule and fix, and goes when the meld is mended", () => {
  const { box, banner: shown } = banner();
  const wrong = table(tableMeld({ legal: false }));
  shown.take(WRONG, "w1", wrong);
  shown.update(wrong);
  equal([box.hidden, box.querySelector("h2")?.textContent], [false, "Ellos: js.live.not_valid"]);
  equal(box.querySelectorAll(".tile").length, 2);
  equal(shown.meld, 1);
  shown.update(table(tableMeld({ legal: true })));
  equal([box.hidden, shown.meld], [true, null]);
});

test("a move that left a legal meld is mended by what is put right", () => {
  const { box, banner: shown } = banner();
  const left = table(tableMeld());
  shown.take({ ...WRONG, event: "tile_removed" }, "w1", left);
  shown.update(left);
  equal(box.hidden, false);
  shown.take(
    { ...WRONG, number: 2, event: "taken_back", legal: true, alarming: false },
    "w1",
    left,
  );
  shown.update(left);
  equal(box.hidden, true);
});

test("the newest of two wrong moves is shown, then the other", () => {
  const { box, banner: shown } = banner();
  const both = table(tableMeld({ id: 1, legal: false }), tableMeld({ id: 2, legal: false }));
  shown.take(WRONG, "w1", both);
  shown.take({ ...WRONG, number: 2, meld_id: 2, side: "A" }, "w1", both);
  shown.update(both);
  equal(box.querySelector("h2")?.textContent, "Nosotros: js.live.not_valid");
  box.querySelector("button")?.click(); // understood
  equal(box.querySelector("h2")?.textContent, "Ellos: js.live.not_valid");
});

test("a move that was understood is not shown again by a page loaded anew", () => {
  const left = table(tableMeld());
  const first = banner();
  for (const number of [1, 2]) first.banner.take({ ...WRONG, number, meld_id: number }, "w2", left);
  first.banner.update(left);
  first.box.querySelector("button")?.click();
  const next = banner();
  for (const number of [1, 2]) next.banner.take({ ...WRONG, number, meld_id: number }, "w2", left);
  next.banner.update(left);
  equal(next.banner.shown?.event.number, 1);
  next.box.querySelector("button")?.click();
  equal(next.box.hidden, true);
});

test("only a meld that lies against the rules is wrong", () => {
  equal(illegalMeld(table(tableMeld({ legal: false, overruled: true })), WRONG), null);
  equal(mends({ ...WRONG, event: "taken_back", meld_id: 2 }, WRONG), false);
});
