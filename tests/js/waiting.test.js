import {
  answeredElsewhere,
  closedElsewhere,
  isSavedAs,
  undoName,
  unsentText,
} from "../../scorer_app/web/static/js/hand_news.js";
import { hasScore, shortTotal } from "../../scorer_app/web/static/js/sheet.js";
import { keyOfWaiting, noteUndone, withWaiting } from "../../scorer_app/web/static/js/waiting.js";
import { equal, test } from "./harness.js";
import { hand, photo, question, row, score, tile } from "./samples.js";

const tap = { key: "k1", op: "add_tile", face: "9B", side: "A", place: "melds" };

/** @param {HandView} view */
function faces(view) {
  return view.rows.map(({ tiles }) => tiles.map((id) => view.tiles[id].face).join(" "));
}

test("nothing that waits leaves the hand as it is", () => {
  const view = hand();
  equal(withWaiting(view, []) === view, true);
});

test("tiles that wait stand in the newest row of their area, or begin one", () => {
  const view = hand({
    tiles: { t1: tile({ face: "7B" }), t2: tile({ face: "8B" }) },
    rows: [row({ id: "r1", tiles: ["t1"] }), row({ id: "r2", tiles: ["t2"] })],
  });
  const apart = { ...tap, key: "k2", row: "new" };
  const other = { ...tap, key: "k3", side: "B", place: "rack" };
  const shown = withWaiting(view, [tap, apart, other]);
  equal(faces(shown), ["7B", "8B 9B", "9B", "9B"]);
  equal(faces(view), ["7B", "8B"]);
  equal(keyOfWaiting(shown.rows[1].tiles[1]), "k1");
  equal(keyOfWaiting("t1"), null);
});

test("a tile that waits stands at its place in its row", () => {
  const view = hand({
    tiles: { t1: tile({ face: "7B" }), t2: tile({ face: "9B" }) },
    rows: [row({ id: "r1", tiles: ["t1", "t2"] }), row({ id: "r2", tiles: [] })],
  });
  const shown = withWaiting(view, [{ ...tap, face: "8B", row: "r1", index: 1 }]);
  equal(faces(shown), ["7B 8B 9B"]);
});

test("what waits says, removes, moves and accepts", () => {
  const view = hand({
    tiles: { t1: tile(), t2: tile() },
    rows: [row({ id: "r1", tiles: ["t1"] }), row({ id: "r2", tiles: ["t2"] })],
  });
  const shown = withWaiting(view, [
    { op: "set_tile", tile: "t1", face: "1K" },
    { op: "remove_tile", tile: "t2" },
    { op: "move_row", row: "r1", side: "B", place: "melds" },
    { op: "accept_row", row: "r1", accepted: true },
  ]);
  equal(faces(shown), ["1K"]);
  equal([shown.rows[0].side, shown.rows[0].accepted], ["B", true]);
});

test("rows that are moved together are shown where they go", () => {
  const rows = ["r1", "r2"].map((id) => row({ id, tiles: [id.replace("r", "t")] }));
  const view = hand({ tiles: { t1: tile(), t2: tile() }, rows });
  const moves = rows.map(({ id }) => ({ op: "move_row", row: id, side: "B", place: "pozo" }));
  const shown = withWaiting(view, [{ op: "move_rows", moves }]);
  equal(
    shown.rows.map(({ side, place }) => side + place),
    ["Bpozo", "Bpozo"],
  );
});

test("finds that are removed together are gone, and nothing is asked about them", () => {
  const seen = (/** @type {Face} */ read) => tile({ photo: "p1", read });
  const view = hand({
    tiles: { t1: seen("7R"), t2: seen("8R"), t3: tile() },
    rows: [row({ id: "r1", tiles: ["t1", "t3"] }), row({ id: "r2", tiles: ["t2"] })],
    questions: ["t1", "t2", "t3"].map((subject) => question({ subject })),
  });
  const shown = withWaiting(view, [{ op: "remove_tiles", tiles: ["t1", "t2"] }]);
  equal(
    shown.rows.map(({ tiles }) => tiles),
    [["t3"]],
  );
  equal(
    shown.removed.map(({ read }) => read),
    ["7R", "8R"],
  );
  equal(
    shown.questions.map(({ subject }) => subject),
    ["t3"],
  );
});

test("of a face whose tiles are removed no copies are asked about", () => {
  const view = hand({
    tiles: { t1: tile({ face: "J", photo: "p1" }), t2: tile({ face: "8R", photo: "p1" }) },
    questions: ["J", "8R"].map((subject) => question({ ask: "copies", subject })),
  });
  for (const removal of [
    { op: "remove_tile", tile: "t1" },
    { op: "remove_tiles", tiles: ["t1"] },
  ]) {
    const { questions } = withWaiting(view, [removal]);
    equal(
      questions.map(({ subject }) => subject),
      ["8R"],
    );
  }
});

test("a closing that waits stays ticked, and its questions are not asked again", () => {
  const questions = [
    question({ ask: "end", subject: "" }),
    question({ ask: "muerto", subject: "B" }),
    question({ ask: "rack", subject: "B" }),
    question({ ask: "row", subject: "r1" }),
    question({ ask: "row", subject: "r2" }),
  ];
  const shown = withWaiting(hand({ questions }), [
    { op: "set_end", end: "close", closed_by: "A" },
    { op: "set_muerto", side: "B", taken: true, played: false },
    { op: "empty_rack", side: "B" },
    { op: "accept_row", row: "r1", accepted: true },
  ]);
  equal(
    [shown.closing.closed_by, shown.closing.muerto.B, shown.closing.unplayed],
    ["A", true, ["B"]],
  );
  equal(
    shown.questions.map(({ subject }) => subject),
    ["r2"],
  );
});

test("what the partner had left is asked no more once somebody has said it here", () => {
  const view = hand({ partner: question({ ask: "rack", subject: "B" }) });
  const left = (/** @type {Side} */ side) =>
    withWaiting(view, [{ op: "empty_rack", side }]).partner?.subject;
  equal([left("A"), left("B")], ["B", undefined]);
});

test("a row that gets what it lacks is asked about no more until the server has judged it", () => {
  const questions = [question({ ask: "row", subject: "r1" }), question({ ask: "row" })];
  const add = { op: "add_tile", face: "5R", row: "r1", side: "A", place: "melds" };
  const left = (/** @type {object} */ more) =>
    withWaiting(hand({ questions }), [{ ...add, ...more }]).questions.length;
  equal([left({}), left({ row: "r3" }), left({ corners: [], photo: "p1" })], [1, 2, 2]);
});

test("an illegal row that is set aside is asked about no more, one of the other side is", () => {
  const questions = [question({ ask: "row", subject: "r1" }), question({ ask: "row" })];
  const view = hand({ questions });
  const left = (/** @type {Place} */ place) =>
    withWaiting(view, [{ op: "move_row", row: "r1", side: "B", place }]).questions.length;
  equal([left("pozo"), left("melds")], [1, 2]);
});

test("what is said of a photograph that adds nothing answers its question", () => {
  const asked = question({ ask: "photo", subject: "p1", cause: "nothing", needed: true });
  const view = hand({ questions: [asked], photos: [photo({ side: "B", place: "rack" })] });
  /** @param {Operation} edit */
  const left = (edit) => withWaiting(view, [{ key: "k", ...edit }]).questions.length;
  equal(left({ op: "nothing_counts", photo: "p1" }), 0);
  equal(left({ op: "nothing_counts", photo: "p2" }), 1);
  equal(left({ op: "keep_blurred", photo: "p1" }), 0);
  equal(left({ op: "empty_rack", side: "B" }), 0);
  equal(left({ op: "empty_rack", side: "A" }), 1);
});

test("a muerto that was taken after all answers the closing that it was missed in", () => {
  const refused = question({ ask: "closing", subject: "muerto_not_taken" });
  const closing = { ...hand().closing, end: /** @type {const} */ ("close") };
  closing.closed_by = "A";
  const view = hand({ closing, questions: [refused] });
  /** @param {string} side @param {boolean} taken */
  const left = (side, taken) =>
    withWaiting(view, [{ op: "set_muerto", side, taken, played: true }]).questions.length;
  equal([left("A", true), left("A", false), left("B", true)], [0, 1, 1]);
});

test("a hand whose closing did not stand has no score before the server has the answer", () => {
  const ours = score({ total: -50, interval: [-50, -50] });
  const refused = hand({ questions: [question({ ask: "closing" })] });
  const answer = { op: "set_end", end: "stock_exhausted", closed_by: null };
  const waiting = withWaiting(refused, [answer]);
  equal([waiting.questions, hasScore(waiting), shortTotal(waiting, ours)], [[], false, "–"]);
  equal(hasScore(withWaiting(hand({ questions: [question()] }), [answer])), true);
});

test("an edit that is undone is not shown, though both wait", () => {
  const undo = { key: "k2", op: "undo", of: "k1" };
  equal(faces(withWaiting(hand(), [tap, undo])), []);
});

test("undo tells what it undoes: what waits before what the server has", () => {
  const view = hand({ undo: { key: "k0", text: "el muerto de Ellos" } });
  equal(undoName(view, [tap]), "9 azul");
  equal(undoName(view, [tap, { key: "k2", op: "undo", of: "k1" }]), "el muerto de Ellos");
  equal(undoName(view, [{ key: "k3", op: "set_end" }]), "js.undo_waiting");
  equal(undoName(view, [{ key: "k2", op: "undo", of: "k0" }]), null);
  equal(undoName(hand(), []), null);
});

test("how much waits is told in one sentence", () => {
  equal(unsentText(0, 0), "");
  equal(unsentText(1, 2), "js.unsent");
});

test("a hand that another device has closed is told, once", () => {
  const states = /** @type {const} */ (["draft", "saved", "undone"]);
  const told = states.map((state) => closedElsewhere(hand(), hand({ state })));
  equal(told, [null, "js.saved_elsewhere", "js.discarded_elsewhere"]);
  equal(closedElsewhere(hand({ state: "saved" }), hand({ state: "undone" })), null);
});

test("a correction that another device has saved or dropped is told", () => {
  const saved = hand({ state: "saved", saved: "2026-01-01" });
  const corrected = { ...saved, corrected: true };
  equal(closedElsewhere(saved, corrected), null);
  equal(closedElsewhere(corrected, saved), "js.correction_dropped_elsewhere");
  const putBack = { ...saved, undo: { key: "k0", text: "el muerto de Ellos" } };
  equal(closedElsewhere(corrected, putBack), null);
  const takenOut = hand({ state: "undone", saved: "2026-01-01" });
  const later = { ...takenOut, saved: "2026-01-02" };
  equal(closedElsewhere({ ...takenOut, corrected: true }, later), "js.correction_saved_elsewhere");
  const anew = { ...saved, saved: "2026-01-02" };
  equal(closedElsewhere(corrected, anew), "js.correction_saved_elsewhere");
});

test("a hand that is saved as asked is told from one that changed before it was saved", () => {
  const asked = hand({ version: 4 });
  const saved = hand({ version: 5, state: "saved", saved: "2026-01-01" });
  equal([isSavedAs(asked, saved), isSavedAs(null, saved)], [true, false]);
  equal(isSavedAs(asked, { ...saved, version: 6 }), false);
  equal(isSavedAs(asked, hand({ version: 5, state: "undone" })), false);
});

test("an answer that another device has changed is told, but not what waits here", () => {
  const { closing } = hand();
  const ended = hand({ closing: { ...closing, end: "close", closed_by: "A" } });
  const other = hand({ closing: { ...closing, end: "close", closed_by: "B" } });
  const open = hand({ closing: { ...closing, end: null, closed_by: null } });
  const nobody = hand({ closing: { ...closing, end: "stock_exhausted", closed_by: null } });
  equal(answeredElsewhere(ended, other, []), "Otro: Ellos");
  equal(answeredElsewhere(ended, nobody, []), "Otro: js.nobody");
  equal(answeredElsewhere(ended, open, []), "js.end_gone_elsewhere");
  equal(answeredElsewhere(ended, other, [{ op: "set_end" }]), null);
  equal(answeredElsewhere(open, ended, []), null); // a first answer
  equal(answeredElsewhere(ended, ended, []), null);
});

test("a watched table that another device counts again is told", () => {
  /** @param {[string, boolean][]} shown */
  const showing = (...shown) =>
    hand({ photos: shown.map(([id, of_table]) => ({ ...photo(), id, of_table })) });
  const first = showing(["p1", false], ["t1", true], ["t2", true]);
  equal(answeredElsewhere(first, showing(["p1", false], ["t3", true]), []), "js.table_elsewhere");
  equal(answeredElsewhere(first, showing(["t1", true], ["t2", true]), []), null);
  equal(answeredElsewhere(first, showing(["p1", false], ["t2", true]), []), null);
  equal(answeredElsewhere(showing(["p1", false]), first, []), null); // counted for the first time
});

test("a muerto of which another device says something else is told", () => {
  /** @param {boolean | null} taken */
  const said = (taken) => hand({ closing: { ...hand().closing, muerto: { A: true, B: taken } } });
  equal(answeredElsewhere(said(true), said(false), []), "Muerto: Ellos");
  equal(answeredElsewhere(said(true), said(null), []), "Muerto: Ellos");
  equal(answeredElsewhere(said(null), said(true), []), null);
  equal(answeredElsewhere(said(true), said(false), [{ op: "set_muerto" }]), null);
});

test("a range that waits is shown whole and taken back whole", () => {
  const range = { key: "k1", op: "add_tiles", faces: ["3R", "4R"], side: "A", place: "melds" };
  const { rows, tiles } = withWaiting(hand(), [range]);
  equal(faces({ ...hand(), rows, tiles }), ["3R 4R"]);
  equal(
    rows[0].tiles.map((id) => keyOfWaiting(id)),
    ["k1", "k1"],
  );
});

test("a tile that is to be undone is not shown again when it arrives before its undoing", () => {
  const undoing = { key: "k2", op: "undo", of: "k1" };
  const before = hand({ tiles: { t1: tile({ face: "9B" }) }, rows: [row({ tiles: ["t1"] })] });
  const tiles = { ...before.tiles, t2: tile({ face: "9B" }), t3: tile({ face: "5R" }) };
  const after = hand({ tiles, rows: [row({ tiles: ["t1", "t2", "t3"] })] });
  noteUndone([undoing], [tap], before, after);
  equal(faces(withWaiting(after, [undoing])), ["9B 5R"]);
});
