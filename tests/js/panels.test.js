import { TapEntry } from "../../scorer_app/web/static/js/entry.js";
import { drawQuestion } from "../../scorer_app/web/static/js/hand_foot.js";
import { BROWSER } from "../../scorer_app/web/static/js/outbox.js";
import { rowCard } from "../../scorer_app/web/static/js/rows.js";
import { watch } from "../../scorer_app/web/static/js/news.js";
import { column } from "../../scorer_app/web/static/js/sheet.js";
import { Overlay } from "../../scorer_app/web/static/js/table_overlay.js";
import { faceName } from "../../scorer_app/web/static/js/words.js";
import { equal, test } from "./harness.js";
import { hand, question, row, score, tableMeld, tableTile, tile } from "./samples.js";

/**
 * A scoring screen that only writes down what is asked of it.
 * @param {Partial<HandView>} said of its hand
 */
function recorder(said) {
  /** @type {unknown[]} */
  const asked = [];
  /** @type {(name: string) => (...values: unknown[]) => void} */
  const note =
    (name) =>
    (...values) =>
      asked.push([name, ...values]);
  const screen = /** @type {HandScreen} */ (
    /** @type {unknown} */ ({
      view: hand(said),
      lit: [],
      isToRead: () => false,
      edit: note("edit"),
      pick: note("pick"),
      light: note("light"),
    })
  );
  return { screen, asked };
}

/** @param {ParentNode} root */
const keysIn = (root) =>
  [...root.querySelectorAll("button[data-key]")].map((one) => one.getAttribute("data-key"));

/**
 * @param {ParentNode} root
 * @param {string} key
 */
function press(root, key) {
  /** @type {HTMLElement} */ (root.querySelector(`[data-key="${key}"]`)).click();
}

// --- a row ---

test("a meld can go to the rack, and it or a rack that was tapped in to the other side", () => {
  const { screen, asked } = recorder({ tiles: { t1: tile({ photo: "p1" }), t2: tile() } });
  const seen = rowCard(screen, row({ side: "B" }));
  equal(keysIn(seen), ["chip-t1", "other-r1", "rack-r1", "aside-r1"]);
  press(seen, "other-r1");
  press(seen, "rack-r1");
  equal(asked.splice(0), [
    ["edit", { op: "move_row", row: "r1", side: "A", place: "melds" }],
    ["edit", { op: "move_row", row: "r1", side: "B", place: "rack" }],
  ]);
  equal(keysIn(rowCard(screen, row({ tiles: ["t2"] }))), [
    "chip-t2",
    "other-r1",
    "rack-r1",
    "aside-r1",
  ]);
  equal(keysIn(rowCard(screen, row({ tiles: ["t2"], waiting: true }))), ["chip-t2"]);
  equal(keysIn(rowCard(screen, row({ place: "rack" }))), ["chip-t1"]);
  const rack = rowCard(screen, row({ tiles: ["t2"], place: "rack" }));
  equal(keysIn(rack), ["chip-t2", "other-r1"]);
  press(rack, "other-r1");
  equal(asked, [["edit", { op: "move_row", row: "r1", side: "B", place: "rack" }]]);
});

test("the tiles of a row are one group to screen readers", () => {
  const { screen } = recorder({ tiles: { t1: tile(), t2: tile() } });
  const group = rowCard(screen, row({ tiles: ["t1", "t2"] })).querySelector('[role="group"]');
  equal(group?.getAttribute("aria-label"), "2 fichas");
  equal(group?.querySelectorAll(".tile").length, 2);
});

test("a tile says whether it is in doubt or corrected", () => {
  const corrected = tile({ read: "7R", face: "9R", settled: true });
  const { screen } = recorder({ tiles: { t1: tile({ doubtful: true }), t2: corrected } });
  const chips = rowCard(screen, row({ tiles: ["t1", "t2"] })).querySelectorAll(".row-tiles .tile");
  equal(
    [...chips].map(({ className }) => className),
    ["tile doubtful", "tile corrected"],
  );
  equal(chips[0].getAttribute("aria-label"), `${faceName(tile().face)}, dudosa`);
  equal(chips[1].getAttribute("aria-label"), faceName("9R"));
});

// --- the question under the hand ---

test("who answers by keyboard goes on with the next question, and at last with saving", () => {
  const { screen } = recorder({ tiles: { t1: tile(), t2: tile() } });
  screen.choices = () => [];
  const bar = document.createElement("section");
  const save = document.createElement("button");
  document.body.append(bar, save);
  drawQuestion(bar, screen, question({ subject: "t1" }), save);
  equal(bar.contains(document.activeElement), false);
  /** @type {HTMLElement} */ (bar.querySelector("[data-key=sure]")).focus();
  drawQuestion(bar, screen, question({ ask: "copies", subject: "7R" }), save);
  equal(document.activeElement?.getAttribute("data-key"), "question");
  drawQuestion(bar, screen, null, save);
  equal(document.activeElement, save);
  bar.remove();
  save.remove();
});

test("a row says its points where it has any, and moves over if any tile was photographed", () => {
  const { screen } = recorder({ tiles: { t1: tile({ photo: "p1" }), t2: tile() } });
  const judged = row({ tiles: ["t1", "t2"], verdict: { valid: true, text: "", points: 0 } });
  equal(rowCard(screen, judged).querySelector(".row-points")?.textContent, "0");
  equal(rowCard(screen, row()).querySelector(".row-points"), null);
  equal(keysIn(rowCard(screen, judged)).includes("other-r1"), true);
});

// --- the sheet ---

test("the sheet has base, puntos and total, adjustments only where there are some", () => {
  const { screen } = recorder({ score: { A: score({ base: 100, puntos: 85 }), B: score() } });
  const side = column(screen, screen.view.score.A);
  const sums = [...side.querySelectorAll(".sheet-sum")].map(({ textContent }) => textContent);
  equal(sums, ["js.base100", "js.puntos85"]);
});

test("a total to which something is still to come is said to be so far", () => {
  const { screen } = recorder({});
  const labels = [false, true].map(
    (lacks) =>
      column(screen, screen.view.score.A, lacks).querySelector(".sheet-total span")?.textContent,
  );
  equal(labels, ["js.total", "js.so_far"]);
});

test("a total that is an interval looks like one", () => {
  const { screen } = recorder({ score: { A: score({ interval: [0, 5] }), B: score() } });
  const { A, B } = screen.view.score;
  const totals = [A, B].map(
    (side) => column(screen, side).querySelector(".sheet-total b")?.className,
  );
  equal(totals, ["interval", ""]);
});

test("an adjustment has no sum and can be taken away", () => {
  /** @type {ScoreLine} */
  const line = {
    kind: "adjustment",
    label: "arreglo",
    points: -20,
    part: "adjustment",
    tiles: [],
    id: "a1",
  };
  const { screen, asked } = recorder({ score: { A: score({ lines: [line] }), B: score() } });
  const side = column(screen, screen.view.score.A);
  equal(side.querySelectorAll(".sheet-sum")[2].textContent, "js.adjustments");
  side.querySelector("button")?.click();
  equal(asked, [["edit", { op: "remove_adjustment", adjustment: "a1" }]]);
});

test("the parts of a sheet have no sums where the closing does not stand", () => {
  const sumsWith = (/** @type {Question[]} */ questions) => {
    const { screen } = recorder({ questions });
    const sums = column(screen, score({ base: 300, puntos: -1045 })).querySelectorAll("b");
    return [...sums].map(({ textContent }) => textContent);
  };
  equal(sumsWith([]), ["300", "−1.045", "0"]);
  equal(sumsWith([question({ ask: "closing" })]), ["–", "–", "–"]);
});

test("a line of the sheet shows its tiles", () => {
  /** @type {ScoreLine} */
  const line = { kind: "meld", label: "", points: 5, part: "puntos", tiles: ["t1"], id: null };
  const { screen, asked } = recorder({ score: { A: score({ lines: [line] }), B: score() } });
  const side = column(screen, screen.view.score.A);
  press(side, "line-meld-t1");
  equal(asked, [["light", ["t1"]]]);
  /** @param {string[]} lit */
  const pressedWith = (lit) => {
    const { view } = screen;
    return column({ ...screen, view, lit }, view.score.A)
      .querySelector(".line")
      ?.getAttribute("aria-pressed");
  };
  equal([[], ["t1"], ["t2"]].map(pressedWith), ["false", "true", "false"]);
});

// --- tapping tiles ---

/**
 * The panel for tapping, opened for the melds of side B.
 * @param {Partial<HandView>} said
 */
function opened(said) {
  document.body.innerHTML += `<div class="review"></div><section id="entry" hidden></section>
    <div data-slot="B-melds" data-side="B" data-place="melds">
      <button data-open-entry></button></div>`;
  const panel = /** @type {HTMLElement} */ (document.getElementById("entry"));
  const { screen, asked } = recorder(said);
  const entry = new TapEntry(screen, panel);
  document.querySelector("button")?.click();
  return { entry, panel, asked };
}

test("the panel opens at the area whose button was tapped, with the keyboard there", () => {
  const { panel } = opened({});
  equal([panel.hidden, document.body.dataset.entry], [false, "open"]);
  equal(document.activeElement?.getAttribute("data-key"), "tab-2");
  equal(panel.querySelector('[aria-selected="true"]')?.textContent, "Ellos js.place.melds");
});

test("a tapped tile goes where the panel stands, and begins a meld where told to", () => {
  const { panel, asked } = opened({});
  const add = { op: "add_tile", face: "5K", side: "B", place: "melds", by: BROWSER };
  press(panel, "face-5K");
  press(panel, "new-meld");
  equal(panel.querySelector('[data-key="new-meld"]')?.getAttribute("aria-pressed"), "true");
  press(panel, "face-5K");
  press(panel, "face-5K");
  equal(asked, [
    ["edit", add],
    ["edit", { ...add, row: "new" }],
    ["edit", add],
  ]);
  equal(panel.querySelector('[data-key="close"]')?.hasAttribute("aria-pressed"), false);
});

test("the last tile of the row that grows is deleted; without one nothing is", () => {
  const rows = [row({ side: "B", tiles: ["t1", "t2"] })];
  const { panel, asked } = opened({ rows, tiles: { t1: tile(), t2: tile() } });
  equal(panel.querySelectorAll(".entry-row .tile").length, 2);
  press(panel, "delete-last");
  press(panel, "next");
  press(panel, "delete-last");
  equal(asked, [["edit", { op: "remove_tile", tile: "t2" }]]);
});

test("a range is given up where its first tile is deleted", () => {
  const { entry, panel, asked } = opened({});
  press(panel, "face-5K");
  entry.screen.view.rows.push(row({ side: "B", tiles: ["t1"] }));
  entry.screen.view.tiles.t1 = tile({ face: "5K" });
  entry.draw();
  press(panel, "range");
  equal(panel.querySelector(".hint")?.textContent, "js.range_to");
  press(panel, "delete-last");
  entry.draw();
  const key = panel.querySelector('[data-key="range"]');
  equal([key?.getAttribute("aria-pressed"), key?.hasAttribute("disabled")], ["false", true]);
  equal(panel.querySelector(".hint")?.textContent === "js.range_to", false);
  equal(asked.at(-1), ["edit", { op: "remove_tile", tile: "t1" }]);
});

test("the panel shows a side's total as the bar does, none where a closing does not stand", () => {
  const ours = score({ total: -50, interval: [-50, -50] });
  const theirs = score({ name: "Ellos", total: 30, interval: [30, 1030] });
  const { entry, panel } = opened({ score: { A: ours, B: theirs } });
  const shown = () => panel.querySelector(".entry-total")?.textContent;
  equal(shown(), "Ellos: 30 … 1.030");
  entry.screen.view.questions.push(question({ ask: "closing" }));
  entry.draw();
  equal(shown(), "Ellos: –");
});

test("a total is called one so far while a photograph of its side is to be read", () => {
  const { entry, panel } = opened({});
  const shown = () => panel.querySelector(".entry-total span")?.textContent;
  equal(shown(), "Ellos:");
  for (const side of /** @type {Side[]} */ (["A", "B"])) {
    entry.screen.isToRead = (asked) => asked === side;
    entry.draw();
    equal(shown(), side === "B" ? "js.so_far · Ellos:" : "Ellos:");
  }
});

test("after the last area the panel closes", () => {
  const { panel } = opened({});
  press(panel, "next");
  press(panel, "next");
  equal([panel.hidden, document.body.dataset.entry], [true, "closed"]);
});

// --- news from the server ---

test("news are followed, and a lost stream is shown", () => {
  /** @type {EventTarget[]} */
  const streams = [];
  class FakeStream extends EventTarget {
    constructor() {
      super();
      streams.push(this);
    }
  }
  window.EventSource = /** @type {any} */ (FakeStream);
  /** @type {string[]} */
  const heard = [];
  const onChange = () => heard.push("change");
  const onTable = () => heard.push("table");
  watch("/api/matches/m1/events", onChange, onTable);
  const [stream] = streams;
  stream.dispatchEvent(new Event("error"));
  equal(document.body.dataset.offline, "yes");
  stream.dispatchEvent(new Event("change"));
  equal([document.body.dataset.offline, heard], ["no", ["change"]]);
  stream.dispatchEvent(new Event("table"));
  window.dispatchEvent(new Event("offline"));
  equal([document.body.dataset.offline, heard], ["yes", ["change", "table"]]);
  window.dispatchEvent(new Event("online"));
  equal([document.body.dataset.offline, heard.length], ["no", 3]);
});

// --- the drawing over the picture ---

/** @param {Partial<Table>} said */
function labels(said) {
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "display: block; width: 320px";
  document.body.append(canvas);
  const overlay = new Overlay(canvas);
  /** @type {string[]} */
  const written = [];
  overlay.pen.fillText = (text) => written.push(text);
  const nothing = { width: 640, height: 480, melds: [], loose_details: [], printed_details: [] };
  overlay.draw({ size: [640, 480], table: { ...nothing, ...said }, line: null, point: null });
  return { canvas, overlay, written };
}

test("tiles are named, loose ones that are unread and printed ones are not", () => {
  const unread = tableTile({ tile: null });
  const { written } = labels({
    melds: [tableMeld({ details: [tableTile(), unread] })],
    loose_details: [tableTile({ tile: "9K" }), unread],
    printed_details: [[tableTile({ tile: "1B" })]],
  });
  equal(written, ["9◆", "7●", "?"]);
});

test("the drawing is as sharp as the screen, in pixels of the frame", () => {
  const { canvas, overlay } = labels({});
  const sharp = Math.min(window.devicePixelRatio, 2);
  equal([canvas.width, canvas.height], [320 * sharp, 240 * sharp]);
  equal([overlay.unit, overlay.pen.getTransform().a], [2, sharp / 2]);
});

test("a canvas that is not shown is not drawn on", () => {
  const canvas = document.createElement("canvas");
  const overlay = new Overlay(canvas);
  equal([overlay.begin([640, 480]), canvas.width], [false, 300]);
});
