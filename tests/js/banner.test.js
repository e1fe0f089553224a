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
  lies: true,
  mends: [],
  thumbnail: false,
  message: "9K a un juego. No es escalera ni pierna; 9K no corresponde.",
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
  shown.take(WRONG, "w1");
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
  shown.take({ ...WRONG, event: "tile_removed", lies: false }, "w1");
  shown.update(left);
  equal(box.hidden, false);
  const next = { ...WRONG, number: 2, lies: false, legal: true, alarming: false };
  shown.take(next, "w1");
  shown.update(left);
  equal(box.hidden, false);
  shown.take({ ...next, meld_id: 2, mends: [3, 1] }, "w1");
  shown.update(left);
  equal(box.hidden, true);
});

test("the newest of two wrong moves is shown, then the other", () => {
  const { box, banner: shown } = banner();
  const both = table(tableMeld({ id: 1, legal: false }), tableMeld({ id: 2, legal: false }));
  shown.take(WRONG, "w1");
  shown.take({ ...WRONG, number: 2, meld_id: 2, side: "A" }, "w1");
  shown.update(both);
  equal(box.querySelector("h2")?.textContent, "Nosotros: js.live.not_valid");
  box.querySelector("button")?.click(); // understood
  equal(box.querySelector("h2")?.textContent, "Ellos: js.live.not_valid");
});

test("whoever answers by keyboard goes on with the next banner, then with the log", () => {
  const { box, banner: shown } = banner();
  shown.orders = { pick() {}, overrule() {} };
  const log = document.createElement("ol");
  Object.assign(log, { id: "live-log", tabIndex: 0 });
  document.body.append(box, log);
  shown.take({ ...WRONG, lies: false }, "w3");
  shown.take({ ...WRONG, number: 2, meld_id: 2 }, "w3");
  shown.update(table(tableMeld({ id: 2, legal: false })));
  box.querySelectorAll("button")[1].focus(); // accepts the meld
  shown.update(table(tableMeld({ id: 2, overruled: true })));
  equal(document.activeElement?.textContent, "js.live.understood");
  const space = { key: " ", bubbles: true };
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", space));
  box.querySelector("button")?.click(); // before the banner is emptied, with the release
  document.activeElement?.dispatchEvent(new KeyboardEvent("keyup", space));
  equal([box.hidden, document.activeElement?.id], [true, "live-log"]);
});

test("a move that was understood is not shown again by a page loaded anew", () => {
  const left = table(tableMeld());
  const first = banner();
  const removed = { ...WRONG, lies: false };
  for (const number of [1, 2]) first.banner.take({ ...removed, number, meld_id: number }, "w2");
  first.banner.update(left);
  first.box.querySelector("button")?.click();
  const next = banner();
  for (const number of [1, 2]) next.banner.take({ ...removed, number, meld_id: number }, "w2");
  next.banner.update(left);
  equal(next.banner.shown?.event.number, 1);
  next.box.querySelector("button")?.click();
  equal(next.box.hidden, true);
});

test("a page loaded anew shows no meld that was mended or accepted since", () => {
  const since = [tableMeld({ legal: true }), tableMeld({ legal: false, overruled: true })];
  for (const meld of since) {
    const { box, banner: shown } = banner();
    shown.take(WRONG, "w1");
    shown.update(table(meld));
    equal([box.textContent, shown.meld], ["", null]);
  }
});

test("only a meld that lies against the rules is wrong", () => {
  equal(illegalMeld(table(tableMeld({ legal: false, overruled: true })), WRONG), null);
  equal(mends({ ...WRONG, event: "taken_back", mends: [2] }, WRONG), false);
});
