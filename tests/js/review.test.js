import { faceGrid } from "../../scorer_app/web/static/js/faces.js";
import { photoBoard } from "../../scorer_app/web/static/js/photo.js";
import {
  confirmation,
  editsOf,
  otherAreas,
  wantsAnother,
} from "../../scorer_app/web/static/js/photo_tools.js";
import { Picker } from "../../scorer_app/web/static/js/picker.js";
import { rowEdits, rowState, rowText } from "../../scorer_app/web/static/js/rows.js";
import { destinations, movesOf, placeOfTap } from "../../scorer_app/web/static/js/tile_moves.js";
import { equal, test } from "./harness.js";
import { hand, photo, question, row, tile, upright } from "./samples.js";

const illegal = row({
  tiles: ["t1", "t2", "t3"],
  verdict: { valid: false, text: "Hay un hueco." },
});
const legal = row({ verdict: { valid: true, text: "Escalera" } });

/** @param {{ key: string }[]} offers */
const keysOf = (offers) => offers.map(({ key }) => key);

// --- rows ---

test("a row is plain, unread, legal, illegal, or illegal and accepted", () => {
  const unread = row({ verdict: { valid: null, text: "Falta leer" } });
  const accepted = { ...illegal, accepted: true };
  const states = [row(), unread, legal, illegal, accepted].map(rowState);
  equal(states, ["plain", "unread", "legal", "illegal", "accepted"]);
  equal(rowState({ ...legal, accepted: true }), "legal");
});

test("a row without a verdict says how many tiles it has", () => {
  equal([rowText(row()), rowText(legal)], ["1 ficha", "Escalera"]);
  equal(rowText({ ...illegal, accepted: true }), "Hay un hueco. js.accepted");
});

test("a row offers what fits its state and its place", () => {
  equal(keysOf(rowEdits(illegal)), ["accept", "aside"]);
  equal(keysOf(rowEdits(legal)), ["aside"]);
  equal(keysOf(rowEdits(row({ place: "rack" }))), []);
  equal(keysOf(rowEdits(row({ place: "pozo" }))), ["count"]);
  const [accept] = rowEdits({ ...illegal, accepted: true });
  equal(accept.edit, { op: "accept_row", row: "r1", accepted: false });
});

// --- moving tiles ---

test("a tile of a meld can go, begin a meld, split its own, or be set aside", () => {
  const meld = row({ tiles: ["t1", "t2"] });
  equal(keysOf(movesOf(meld, "t1")), ["delete", "new-meld", "aside"]);
  equal(keysOf(movesOf(meld, "t2")), ["delete", "new-meld", "split", "aside"]);
  equal(movesOf(meld, "t2")[2].edit, { op: "split_row", row: "r1", at: 1 });
});

test("a tile of a rack can go or be set aside, one set aside can only go", () => {
  equal(keysOf(movesOf(row({ place: "rack" }), "t1")), ["delete", "aside"]);
  equal(keysOf(movesOf(row({ place: "pozo" }), "t1")), ["delete"]);
});

test("a tile joins other melds of its own side or goes to the rack, its row too", () => {
  const toRack = { op: "move_tile", tile: "t1", row: "new", side: "A", place: "rack" };
  const rows = [row({ tiles: ["t1", "t2"] }), row({ id: "r2" }), row({ id: "r3", side: "B" })];
  rows.push(row({ id: "r4", place: "rack" }));
  equal(
    destinations(rows, rows[0], "t1").map(({ edit }) => edit),
    [
      { op: "move_tile", tile: "t1", row: "r2" },
      toRack,
      { op: "join_rows", row: "r1", into: "r2" },
      { op: "move_row", row: "r1", side: "A", place: "rack" },
    ],
  );
  equal(
    destinations(rows, row({ id: "r5" }), "t1").map(({ edit }) => edit.op),
    ["move_tile", "move_tile", "move_tile"],
  );
  equal(
    destinations([], row({ place: "pozo" }), "t1").map(({ edit }) => edit),
    [toRack],
  );
  equal(
    destinations(rows, rows[3], "t1").map(({ edit }) => edit.op),
    ["move_tile", "move_tile"],
  );
  equal(destinations([rows[3]], rows[3], "t1"), []);
});

// --- photographs ---

test("another photograph is wanted in place of one that shows nothing or is blurred", () => {
  const empty = hand();
  const full = hand({ tiles: { t1: tile({ photo: "p1" }), t2: tile({ photo: "p2" }) } });
  equal(wantsAnother(empty, photo()), true);
  equal(wantsAnother(empty, photo({ state: "failed" })), true);
  equal(wantsAnother(empty, photo({ state: "reading" })), false);
  equal(wantsAnother(empty, photo({ state: "failed", can_retry: true })), false);
  equal(wantsAnother(full, photo()), false);
  const blurred = question({ ask: "photo", subject: "p1", cause: "blurred" });
  equal(wantsAnother({ ...full, questions: [blurred] }, photo()), true);
  const doubtful = question({ ask: "photo", subject: "p1", cause: "doubtful" });
  equal(wantsAnother({ ...full, questions: [doubtful] }, photo()), true);
  equal(wantsAnother({ ...full, questions: [blurred] }, photo({ id: "p2" })), false);
});

test("a photograph's melds are set aside together, only those that it shows whole", () => {
  const tiles = { t1: tile({ photo: "p1" }), t2: tile({ photo: "p1" }), t3: tile() };
  const rows = [row(), row({ id: "r2", tiles: ["t2", "t3"] })];
  rows.push(row({ id: "r3", tiles: ["t2"], place: "pozo" }));
  const [aside, ...more] = editsOf(hand({ tiles, rows }), photo());
  const moves = [{ op: "move_row", row: "r1", side: "A", place: "pozo" }];
  equal(aside.edit, { op: "move_rows", moves });
  equal(more, []);
  equal(editsOf(hand({ tiles, rows }), photo({ place: "rack" })), []);
});

test("a photograph that repeats pieces offers to drop them", () => {
  const [repeats] = editsOf(hand({ repeats: { p1: ["t1"] } }), photo());
  equal(repeats.edit, { op: "drop_repeats", photo: "p1" });
});

test("a photograph can go to the three other areas, those of its own kind first", () => {
  const names = otherAreas({ side: "B", place: "rack" }).map(({ side, place }) => side + place);
  equal(names, ["Arack", "Bmelds", "Amelds"]);
});

test("a deleted photograph can still be removed with its tiles, but no line drawn", () => {
  const tiles = { t1: tile({ photo: "p1" }), t2: tile({ photo: "p1" }) };
  const rows = [row({ tiles: ["t1"] }), row({ id: "r2", tiles: ["t2"] })];
  const view = hand({ tiles, rows });
  const screen = /** @type {HandScreen} */ (/** @type {unknown} */ ({ view }));
  /** @param {PhotoView} one */
  const tools = (one) =>
    [...photoBoard(screen, one).querySelectorAll("button")].map((key) => key.dataset.key);
  equal(tools(photo({ url: null })), ["aside-p1", "remove-p1"]);
  equal(tools(photo({ url: null, state: "reading" })), []);
});

test("a photograph says how many of its tiles were set aside", () => {
  const tiles = { t1: tile({ photo: "p1" }), t2: tile({ photo: "p1" }) };
  /** @param {RowView[]} rows */
  const caption = (rows) => {
    const view = hand({ photos: [photo()], tiles, rows });
    const board = photoBoard(/** @type {any} */ ({ view, lit: [], looks: 0 }), photo());
    return board.querySelector(".stage")?.textContent;
  };
  equal(caption([row({ tiles: ["t1", "t2"] })]), "leída");
  const aside = [row({ tiles: ["t1"] }), row({ place: "pozo", tiles: ["t2"] })];
  equal(caption(aside), "leída · js.aside_count");
});

test("removing a photograph says how many corrections go with it", () => {
  const said = ["js.remove_photo_sure", "Quitar con una", "Quitar con 3"];
  equal([0, 1, 3].map(confirmation), said);
});

// --- answers ---

test("the grid has all 53 faces, the one that lies there pressed", () => {
  /** @type {string[]} */
  const picked = [];
  const grid = faceGrid((face) => picked.push(face), "J");
  const faces = [...grid.querySelectorAll("button")].map((key) => key.dataset.face);
  equal([faces.length, new Set(faces).size], [53, 53]);
  equal([faces[0], faces[13], faces[14], faces[52]], ["1R", "J", "1B", "13Y"]);
  equal(grid.children.length, 56);
  equal(grid.querySelector('[aria-pressed="true"]')?.getAttribute("data-face"), "J");
  grid.querySelector("button")?.click();
  equal(picked, ["1R"]);
});

/**
 * A picker over a hand, with what it sends.
 * @param {Partial<HandView>} said
 */
function picker(said) {
  /** @type {Operation[]} */
  const sent = [];
  const dialog = document.body.appendChild(document.createElement("dialog"));
  const screen = { view: hand(said), edit: (/** @type {Operation} */ one) => sent.push(one) };
  return { picker: new Picker(screen, dialog), dialog, sent, screen };
}

/** Waits until the page has shown a frame, and what follows it. */
function afterFrame() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))));
}

test("the dialog is shown at once, and the keys of all faces come after", async () => {
  const { picker: opened, dialog } = picker({ tiles: { t1: tile({ likely: ["7R", "1R"] }) } });
  const keys = () => dialog.querySelectorAll("[data-face]").length;
  opened.open("t1");
  equal([dialog.open, dialog.querySelectorAll(".likely .tile").length, keys()], [true, 2, 0]);
  await afterFrame();
  equal(keys(), 53);
});

test("a face that is picked becomes the tile's, and the picker closes", () => {
  const {
    picker: opened,
    dialog,
    sent,
  } = picker({ tiles: { t1: tile({ likely: ["7R", "1R"] }) } });
  opened.open("t1");
  const likely = [...dialog.querySelectorAll(".likely .tile")];
  equal(
    likely.map((key) => key.getAttribute("aria-pressed")),
    ["true", "false"],
  );
  /** @type {HTMLElement} */ (likely[1]).click();
  equal(sent, [{ op: "set_tile", tile: "t1", face: "1R", seen: "7R" }]);
  equal(dialog.open, false);
});

test("a missed tile is added where it was tapped", async () => {
  const { picker: opened, dialog, sent } = picker({ photos: [photo({ id: "p2" })] });
  opened.openNew(photo({ id: "p2", side: "B", place: "rack" }), upright(0, 0));
  await afterFrame();
  /** @type {HTMLElement} */ (dialog.querySelector('[data-face="9K"]')).click();
  const where = { side: "B", place: "rack", photo: "p2", corners: upright(0, 0) };
  equal(sent, [{ op: "add_tile", face: "9K", ...where }]);
});

/**
 * Makes a hand whose first row, r1, was read at these x in the photograph p1, and r2 below it.
 * @param {number[]} xs
 * @param {Partial<RowView>} [said]
 */
function photographedRow(xs, said) {
  const [upper, lower] = [xs.map((_, at) => `t${at + 1}`), ["t21", "t22", "t23"]];
  /** @type {(x: number, y: number) => TileView} */
  const readAt = (x, y) => tile({ photo: "p1", read: "7R", corners: upright(x, y) });
  const tiles = Object.fromEntries([
    ...upper.map((name, at) => [name, readAt(xs[at], 100)]),
    ...lower.map((name, at) => [name, readAt(100 + 20 * at, 135)]),
  ]);
  const rows = [row({ tiles: upper, ...said }), row({ id: "r2", tiles: lower })];
  return hand({ tiles, rows });
}

test("a missed tile joins the row beside which it was tapped, in its place", () => {
  const gap = photographedRow([100, 120, 160]);
  /** @type {(x: number, y: number) => unknown} */
  const goes = (x, y) => placeOfTap(gap, photo(), upright(x, y));
  const [side, place] = ["A", "melds"];
  equal(goes(140, 103), { side, place, row: "r1", index: 2 });
  equal(goes(80, 96), { side, place, row: "r1", index: 0 });
  equal(goes(183, 104), { side, place, row: "r1", index: 3 });
  equal(goes(161, 131), { side, place, row: "r2", index: 3 });
  equal(goes(300, 100), { side, place, row: "new" });
  const farSide = photographedRow([160, 120, 100], { side: "B" });
  equal(placeOfTap(farSide, photo(), upright(140, 100)), { side: "B", place, row: "r1", index: 1 });
});

test("a missed tile beside one of which the server knows no row yet joins the newest meld", () => {
  const began = photographedRow([100], { waiting: true });
  equal(placeOfTap(began, photo(), upright(120, 100)), { side: "A", place: "melds" });
});

test("a tile tapped on a photograph of which nothing was read goes where tapped tiles go", () => {
  const bare = hand({ rows: [row({ tiles: ["t1"] })], tiles: { t1: tile() } });
  equal(placeOfTap(bare, photo(), upright(120, 100)), { side: "A", place: "melds" });
});

test("a missed card joins the column over whose card it lies", () => {
  document.documentElement.dataset.pieces = "cards";
  const column = photographedRow([100]);
  const of = (/** @type {number} */ y) => placeOfTap(column, photo(), upright(104, y));
  equal(
    [of(60), of(-100)].map((one) => one.row),
    ["r1", "new"],
  );
  delete document.documentElement.dataset.pieces;
});

test("the picker closes when its tile, row or photograph has gone meanwhile, and says so", () => {
  document.body.innerHTML += '<p id="toast" hidden></p>';
  const said = { tiles: { t1: tile() }, photos: [photo()], rows: [illegal] };
  /** @type {((opened: Picker) => void)[]} */
  const ways = [
    (opened) => opened.open("t1"),
    (opened) => opened.openNew(photo(), upright(0, 0)),
    (opened) => opened.openLacking("r1"),
  ];
  for (const way of ways) {
    const { picker: opened, dialog, screen } = picker(said);
    way(opened);
    equal(dialog.open, true);
    screen.view = hand();
    opened.draw();
    const place = document.getElementById("toast");
    equal([dialog.open, place?.hidden, place?.textContent], [false, false, "js.picked_gone"]);
    if (place) place.hidden = true;
  }
});

test("tiles that are said to be the same stand side by side, those that are there", () => {
  const tiles = { t1: tile(), t2: tile() };
  const { picker: opened, dialog } = picker({ tiles });
  opened.open("t2", ["t1", "t2", "t3"]);
  const compared = [...dialog.querySelectorAll(".comparison button")];
  equal(
    compared.map((one) => [one.getAttribute("data-key"), one.getAttribute("aria-pressed")]),
    [
      ["alike-t1", "false"],
      ["alike-t2", "true"],
    ],
  );
});

test("a tile is shown as it was photographed", () => {
  const photos = [photo({ url: "/photos/p1.jpg" })];
  const tiles = { t1: tile({ photo: "p1", corners: upright(100, 100) }), t2: tile() };
  const { picker: opened, dialog } = picker({ tiles, photos });
  opened.open("t1");
  equal(dialog.querySelector("image")?.getAttribute("href"), "/photos/p1.jpg");
  equal(dialog.querySelector(".close-up")?.getAttribute("viewBox"), "89.5 89.5 41 51");
  opened.open("t1", ["t1", "t2"]);
  equal(dialog.querySelectorAll(".comparison button > .close-up").length, 1);
  equal(dialog.querySelectorAll(".comparison button > .tile").length, 1);
});

test("a tile that can go nowhere has no list of places", () => {
  const rows = [row({ place: "rack" })];
  const { picker: opened, dialog } = picker({ tiles: { t1: tile() }, rows });
  opened.open("t1");
  equal(
    [dialog.querySelectorAll(".moves button").length, dialog.querySelector("select")],
    [2, null],
  );
});

test("the list of places sends the edit that is chosen", () => {
  const rows = [row({ tiles: ["t1", "t3"] }), row({ id: "r2", tiles: ["t2"] })];
  const tiles = { t1: tile(), t2: tile({ face: "9K" }), t3: tile() };
  const { picker: opened, dialog, sent } = picker({ tiles, rows });
  opened.open("t1");
  const select = /** @type {HTMLSelectElement} */ (dialog.querySelector("select"));
  equal(
    [...select.options].map(({ text }) => text),
    ["js.move_to", "9◆", "js.tile_to_rack", "js.join_all 9◆", "js.row_to_rack"],
  );
  select.selectedIndex = 3;
  select.dispatchEvent(new Event("change"));
  equal(sent, [{ op: "join_rows", row: "r1", into: "r2" }]);
});
