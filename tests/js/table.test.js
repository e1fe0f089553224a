import { eventState, isAlarm, Alerts } from "../../scorer_app/web/static/js/table_alerts.js";
import { HandOver } from "../../scorer_app/web/static/js/table_hand_over.js";
import { DividingLine, isLine } from "../../scorer_app/web/static/js/table_line.js";
import { MeldList, bySide, meldText } from "../../scorer_app/web/static/js/table_melds.js";
import { fitting, stateOf } from "../../scorer_app/web/static/js/table_overlay.js";
import {
  likelyFaces,
  pickerView,
  tilePicker,
} from "../../scorer_app/web/static/js/table_picker.js";
import { TableView } from "../../scorer_app/web/static/js/table_view.js";
import { equal, serve, test, until } from "./harness.js";
import { tableMeld, tableTile, upright } from "./samples.js";

const NAMES = { A: "Nosotros", B: "Ellos" };

/** @type {Table} */
const table = {
  width: 640,
  height: 480,
  melds: [tableMeld({ details: [tableTile()] })],
  loose_details: [tableTile({ id: 2, corners: upright(300, 300) })],
  printed_details: [],
};

/**
 * @param {Partial<TableEvent>} [said]
 * @returns {TableEvent}
 */
function event(said = {}) {
  return {
    number: 1,
    ago: 1,
    tiles: ["7R"],
    side: null,
    legal: true,
    doubtful: false,
    alarming: false,
    lies: false,
    mends: [],
    thumbnail: false,
    message: "Bajaron 7R.",
    event: "meld_laid",
    meld_id: 1,
    ...said,
  };
}

/**
 * @param {Partial<WatchState>} [said]
 * @returns {WatchState}
 */
function state(said = {}) {
  return {
    watch: "w1",
    version: 1,
    frame: "w1-1",
    size: [640, 480],
    table,
    line: null,
    other_set: false,
    out_of_sight: false,
    camera: { kind: "device", state: "watching" },
    events: [],
    ...said,
  };
}

/** A view in a small page of its own, with the alarms it gave. */
function view() {
  document.body.innerHTML += `<div id="table"><canvas data-part="overlay"></canvas>
    <ol data-part="log"></ol><ul data-part="melds"></ul><div data-part="loose"></div></div>`;
  const root = /** @type {HTMLElement} */ (document.getElementById("table"));
  /** @type {string[]} */
  const alarms = [];
  const alarm = (/** @type {string} */ sentence) => alarms.push(sentence);
  return { view: new TableView(root, "/api/live/m1", { alarm }), root, alarms };
}

test("what is known is told with the watch that counted it", () => {
  const { view: shown } = view();
  equal(String(shown.known), "version=-1&event=0");
  shown.take(state({ version: 3, events: [event({ number: 2 })] }));
  equal(String(shown.known), "watch=w1&version=3&event=2");
  shown.take(state({ watch: "w2", version: 3 }));
  equal(String(shown.known), "watch=w2&version=3&event=0");
});

// --- verdicts ---

test("a meld is legal, illegal or doubtful; one let pass is legal", () => {
  equal(stateOf(tableMeld()), "legal");
  equal(stateOf(tableMeld({ legal: false })), "illegal");
  equal(stateOf(tableMeld({ legal: null })), "doubtful");
  equal(stateOf(tableMeld({ legal: false, doubtful: true })), "doubtful");
  equal(stateOf(tableMeld({ legal: false, overruled: true })), "legal");
});

test("an event is legal, illegal or doubtful", () => {
  equal(eventState({ legal: true, doubtful: false }), "legal");
  equal(eventState({ legal: false, doubtful: false }), "illegal");
  equal(eventState({ legal: false, doubtful: true }), "doubtful");
});

test("only what has just happened alarms", () => {
  equal(isAlarm({ alarming: true, ago: 19.9 }), true);
  equal(isAlarm({ alarming: true, ago: 20 }), false);
  equal(isAlarm({ alarming: false, ago: 1 }), false);
});

test("melds are listed by side, then as they were laid, those of no side last", () => {
  const melds = [
    tableMeld({ id: 10, side: "A" }),
    tableMeld({ id: 1 }),
    tableMeld({ id: 3, side: "B" }),
    tableMeld({ id: 2, side: "A" }),
  ];
  equal(
    bySide(melds).map(({ id }) => id),
    [2, 10, 3, 1],
  );
});

test("a meld says its side and its verdict", () => {
  equal(meldText(tableMeld({ side: "B" }), NAMES), "Ellos · js.live.legal");
  equal(meldText(tableMeld({ overruled: true }), NAMES), "js.accepted");
});

test("an illegal meld can be let pass, which can be taken back; others cannot", () => {
  const list = document.createElement("ul");
  /** @type {unknown[]} */
  const asked = [];
  const overrule = (/** @type {number} */ meld, /** @type {boolean} */ accepted) =>
    void asked.push([meld, accepted]);
  const melds = [
    tableMeld({ id: 1, legal: false }),
    tableMeld({ id: 2, legal: false, overruled: true }),
    tableMeld({ id: 3 }),
    tableMeld({ id: 4, legal: null }),
  ];
  const shown = new MeldList(list, document.createElement("div"), { pick: () => {}, overrule });
  shown.draw({ ...table, melds, loose_details: [] });
  for (const button of list.querySelectorAll("button")) button.click();
  equal(asked, [
    [1, true],
    [2, false],
  ]);
});

test("the tiles of a meld, and those in none, are each a group to screen readers", () => {
  const [list, loose] = [document.createElement("ul"), document.createElement("div")];
  new MeldList(list, loose, null).draw({
    ...table,
    melds: [tableMeld({ details: [tableTile(), tableTile({ id: 2 })] })],
    loose_details: [tableTile({ id: 3 })],
  });
  /** @type {(part: Element) => string[]} */
  const groups = (part) =>
    [...part.querySelectorAll('[role="group"]')].map((one) => one.getAttribute("aria-label") ?? "");
  equal([groups(list), groups(loose)], [["2 fichas"], ["1 ficha"]]);
});

test("an event says when it happened", () => {
  const log = document.createElement("ol");
  new Alerts(log, "", () => {}).add(event({ ago: 3600 }), "w1");
  const told = new Date(log.querySelector("time")?.dateTime ?? 0);
  equal(Math.round((Date.now() - told.getTime()) / 60_000), 60);
});

test("a table from before the picture's size changed is not drawn", () => {
  equal(fitting(table, [640, 480]), table);
  equal(fitting(table, [1280, 720]), null);
  equal(fitting(null, [640, 480]), null);
});

// --- states that come in ---

test("a new version brings its table, an answer that was overtaken changes nothing", () => {
  const { view: shown, root } = view();
  shown.take(state({ version: 3 }));
  shown.take(
    state({
      version: 2,
      table: null,
      line: [
        [0, 0],
        [9, 9],
      ],
    }),
  );
  equal([shown.version, shown.table, shown.line], [3, table, null]);
  shown.take(state({ version: 3, table: null, camera: null }));
  equal([shown.table, shown.camera], [table, null]);
  equal(root.querySelectorAll('[data-part="melds"] .tile').length, 1);
  equal(shown.known.toString(), "watch=w1&version=3&event=0");
});

test("each event is listed once, newest first, and fresh alarms are given", () => {
  const { view: shown, root, alarms } = view();
  const events = [
    event({ message: "uno" }),
    event({ number: 2, message: "dos", alarming: true, legal: false }),
    event({ number: 3, message: "tres", alarming: true, ago: 60 }),
  ];
  shown.take(state({ events }));
  shown.take(state({ events }));
  const lines = [...root.querySelectorAll('[data-part="log"] li')];
  equal(
    lines.map((line) => line.querySelector("p")?.lastChild?.textContent),
    ["tres", "dos", "uno"],
  );
  equal(lines[1].getAttribute("data-state"), "illegal");
  equal(alarms, ["dos"]);
});

test("another watch begins anew", () => {
  const { view: shown, root } = view();
  shown.take(state({ version: 9, events: [event()] }));
  shown.take(state({ watch: "w2", version: 1, events: [event({ message: "otra" })] }));
  equal([shown.version, shown.event], [1, 1]);
  equal(root.querySelectorAll('[data-part="log"] li').length, 1);
  shown.take(/** @type {any} */ ({ watch: null, camera: null }));
  equal([shown.table, shown.version], [null, -1]);
});

test("at most a hundred events are listed", () => {
  const log = document.createElement("ol");
  const alerts = new Alerts(log, "", () => {});
  for (let number = 1; number <= 105; number += 1) alerts.add(event({ number }), "w1");
  equal(log.children.length, 100);
});

test("a tap meets the tile that lies there", () => {
  const { view: shown } = view();
  shown.take(state());
  equal([shown.tileAt([110, 110])?.id, shown.tileAt([310, 310])?.id], [1, 2]);
  equal(shown.tileAt([5, 5]), undefined);
});

// --- the line between the sides ---

/**
 * @param {TableView} shown
 * @param {() => string | null} [camera]
 */
function dividingLine(shown, camera = () => "") {
  const [button, swap] = [document.createElement("button"), document.createElement("button")];
  /** @type {[Point, Point][]} */
  const lines = [];
  const line = new DividingLine("m1", shown, button, swap, (ends) => lines.push(ends), camera);
  return { line, lines, button, swap };
}

test("two taps that are too near each other are no line", () => {
  equal([isLine([500, 400], [509, 400]), isLine([500, 400], [506, 408])], [false, true]);
});

test("a line is drawn with two taps and remembered", () => {
  const { view: shown } = view();
  shown.take(state());
  const { line, lines, button } = dividingLine(shown);
  button.dispatchEvent(new PointerEvent("pointerdown"));
  button.click();
  equal([line.drawing, button.getAttribute("aria-pressed")], [true, "true"]);
  line.tapped([64, 240]);
  equal(shown.point, [64, 240]);
  line.tapped([66, 241]); // too near to be the other end, which is still asked for
  equal([line.drawing, shown.point, lines], [true, [64, 240], []]);
  line.tapped([576, 240]);
  const drawn = [
    [64, 240],
    [576, 240],
  ];
  equal([line.drawing, shown.point, lines], [false, null, [drawn]]);
  shown.size = [1280, 960];
  line.restore();
  equal(document.querySelector("#toast")?.textContent, "js.live.line_kept");
  equal(lines[1], [
    [128, 480],
    [1152, 480],
  ]);
});

test("by the keyboard the line is drawn across the middle, and can be drawn again", () => {
  const { view: shown } = view();
  shown.take(state());
  const { line, lines, button } = dividingLine(shown);
  button.click();
  equal([line.drawing, button.getAttribute("aria-pressed")], [false, "false"]);
  equal(lines, [
    [
      [0, 240],
      [640, 240],
    ],
  ]);
  button.dispatchEvent(new PointerEvent("pointerdown"));
  button.click();
  equal(line.drawing, true);
});

test("a line drawn over one camera's picture is not laid over that of another", () => {
  const { view: shown } = view();
  shown.take(state());
  /** @type {string | null} */
  let camera = "rtsp://hall/1";
  const { line, lines } = dividingLine(shown, () => camera);
  /** @type {[Point, Point]} */
  const across = [
    [0, 240],
    [640, 240],
  ];
  line.keep(across);
  for (camera of ["", "rtsp://hall/2", null]) line.restore();
  equal(lines.length, 1);
  camera = null; // another device's camera
  line.keep(across);
  camera = "";
  line.restore();
  equal(lines.length, 2);
  line.keep(across);
  shown.size = [480, 640]; // the phone was turned
  line.restore();
  equal(lines.length, 3);
  shown.size = [640, 480];
  line.restore();
  equal(lines[3], across);
});

test("a line that is there is not replaced by the remembered one", () => {
  const { view: shown } = view();
  shown.take(
    state({
      line: [
        [1, 2],
        [300, 400],
      ],
    }),
  );
  const { line, lines, swap } = dividingLine(shown);
  swap.click();
  equal(lines, [
    [
      [300, 400],
      [1, 2],
    ],
  ]);
  line.restore();
  equal(lines.length, 1);
});

// --- handing the table over ---

test("melds that would go from the hand are replaced only with a second tap", async () => {
  const gone = { error: "replaces", message: "Replace them?" };
  const asked = serve([{ body: gone, status: 409 }, { body: { url: "#counted" } }]);
  const button = document.createElement("button");
  button.textContent = "Count";
  /** @type {string[]} */
  const told = [];
  new HandOver(button, "/api/live/m1", (error) => told.push(String(error)));
  button.click();
  await until(() => button.textContent === "js.live.replace_sure");
  equal([told.length, button.disabled], [1, false]);
  button.click();
  await until(() => location.hash === "#counted");
  equal(
    asked.map(({ url }) => url),
    ["/api/live/m1/hand-over", "/api/live/m1/hand-over?replace=yes"],
  );
});

// --- the picker over a watched table ---

test("a tile's likely faces are what was read and its alternatives, three at most", () => {
  /** @type {[Face, number][]} */
  const alternatives = [
    ["1R", 0.2],
    ["7R", 0.1],
    ["7B", 0.1],
    ["J", 0.01],
  ];
  equal(likelyFaces({ tile: "7R", alternatives }), ["7R", "1R", "7B"]);
  equal(likelyFaces({ tile: null, alternatives: [] }), []);
});

test("the picker sees the table as tiles of one settled photograph", () => {
  const seen = pickerView({ tiles: [tableTile({ id: 4 })], version: 7, size: [640, 480] }, "/l");
  const photo = { id: "now", url: "/l/settled.jpg?7", width: 640, height: 480 };
  equal(seen.photos, [photo]);
  equal(seen.tiles[4].photo, "now");
});

test("a correction tells which table the person saw when the picker was opened", () => {
  const shown = { ...table, tiles: table.loose_details, known: "version=3" };
  const view = /** @type {TableView} */ (/** @type {unknown} */ (shown));
  /** @type {unknown[]} */
  const given = [];
  const dialog = document.createElement("dialog");
  document.body.append(dialog);
  tilePicker(view, "/l", dialog, (...answer) => given.push(answer))({ id: 2 });
  shown.known = "version=5"; // another table is watched by now
  dialog.querySelector("button.big")?.dispatchEvent(new Event("click"));
  equal(given, [[{ op: "correct", tile: 2, face: "7R" }, "version=3"]]);
  dialog.remove();
});
