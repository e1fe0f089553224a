import {
  choicesFor,
  closingEdit,
  drawClosing,
  groupFor,
  muertoAnswer,
} from "../../scorer_app/web/static/js/closing.js";
import { corrections } from "../../scorer_app/web/static/js/photo_tools.js";
import { growingText } from "../../scorer_app/web/static/js/entry_row.js";
import {
  isOpen,
  lacksPhoto,
  questionNow,
  isSaved,
  isToRead,
  saveText,
  withoutComing,
} from "../../scorer_app/web/static/js/hand_foot.js";
import { correctionList } from "../../scorer_app/web/static/js/hand_review.js";
import { drawSlot, drawUnsent, slotStatus } from "../../scorer_app/web/static/js/hand_slots.js";
import { hasScore, shortTotal, totalText } from "../../scorer_app/web/static/js/sheet.js";
import { shownName } from "../../scorer_app/web/static/js/hand_slots.js";
import { growingRow } from "../../scorer_app/web/static/js/waiting.js";
import { equal, test } from "./harness.js";
import { hand, photo, question, row, score, tile } from "./samples.js";

const upload = {
  photos: [{ file: new File([], "p"), key: "k" }],
  words: "Enviando…",
  stuck: false,
  chosen: 1,
  refused: /** @type {UploadArea["refused"]} */ ([]),
};
const doubt = question({ ask: "tile" });
const noEnd = question({ ask: "end", needed: true });
const badClosing = question({ ask: "closing", needed: true });

// --- the four areas ---

test("an empty area says nothing", () => {
  const nothing = { text: "", filled: false, busy: false, failed: false, warned: false };
  equal(slotStatus(hand(), "A", "melds"), nothing);
});

test("an area says how many tiles it has, its own alone", () => {
  const rows = [row({ tiles: ["t1", "t2"] }), row({ tiles: ["t3"] }), row({ side: "B" })];
  const view = hand({ rows: [...rows, row({ place: "pozo" })] });
  equal(slotStatus(view, "A", "melds").text, "3 fichas");
  equal(slotStatus(view, "B", "melds").text, "1 ficha");
  equal(slotStatus(view, "A", "rack").filled, false);
});

test("a photograph being read is busy and says its stage", () => {
  const photos = [photo(), photo({ id: "p2", state: "reading", text: "Leyendo…" })];
  const status = slotStatus(hand({ photos }), "A", "melds");
  const reading = { text: "Leyendo…", filled: true, busy: true, failed: false, warned: false };
  equal(status, reading);
});

test("what is being sent comes before what is being read", () => {
  const photos = [photo({ state: "queued", text: "En la cola" })];
  equal(slotStatus(hand({ photos }), "A", "melds", upload).text, "Enviando…");
});

test("files that were refused are named beside what came, until the next ones are chosen", () => {
  const refused = ["zero.jpg", "t\u202Ejpg", `${"a".repeat(40)}.pdf`].map((name) => ({
    name,
    message: "Está vacío.",
  }));
  const done = { ...upload, photos: [], chosen: 6, refused };
  const view = hand({ photos: [photo()], rows: [row()] });
  const { text, warned, busy } = slotStatus(view, "A", "melds", done);
  equal([text, warned, busy], ["1 ficha · js.files_refused", true, false]);
  equal(slotStatus(hand(), "A", "melds", done).failed, true);
  const alone = { ...done, refused: refused.slice(0, 1) };
  equal(slotStatus(hand(), "A", "melds", alone).text, "zero.jpg: Está vacío.");
  equal(
    refused.map(({ name }) => shownName(name)),
    ["zero.jpg", "tjpg", "aaaaaaaaaaaaaaa…aaaa.pdf"],
  );
});

test("a photograph that failed or does not go up marks its area", () => {
  const photos = [photo({ state: "failed", text: "No se pudo" })];
  const failed = slotStatus(hand({ photos }), "A", "melds");
  equal([failed.text, failed.busy, failed.failed], ["No se pudo", false, true]);
  equal(slotStatus(hand(), "A", "melds", { ...upload, stuck: true }).failed, true);
});

test("a photograph that failed hides neither the tiles of others nor what is to be read", () => {
  const photos = [photo(), photo({ id: "p2", state: "failed", text: "No se pudo" })];
  const some = slotStatus(hand({ photos, rows: [row()] }), "A", "melds");
  equal([some.text, some.failed], ["1 ficha · No se pudo", true]);
  const third = photo({ id: "p3", state: "queued", text: "En la cola" });
  const waiting = slotStatus(hand({ photos: [...photos, third] }), "A", "melds");
  equal([waiting.text, waiting.busy, waiting.failed], ["En la cola", true, false]);
});

test("a notice stands beside the tiles, and is a failure without any", () => {
  const photos = [photo({ notices: ["Muy oscura"] })];
  const none = slotStatus(hand({ photos }), "A", "melds");
  equal([none.text, none.failed, none.warned], ["Muy oscura", true, false]);
  const some = slotStatus(hand({ photos, rows: [row()] }), "A", "melds");
  equal([some.text, some.failed, some.warned], ["1 ficha · Muy oscura", false, true]);
  const tiles = { t1: tile({ photo: "p1" }) };
  const aside = slotStatus(hand({ photos, tiles, rows: [row({ place: "pozo" })] }), "A", "melds");
  equal([aside.text, aside.failed, aside.warned], ["js.none_counts · Muy oscura", false, true]);
});

test("a photograph of which all tiles were set aside says that none counts", () => {
  const photos = [photo({ text: "Leída" })];
  const tiles = { t1: tile({ photo: "p1" }) };
  const status = slotStatus(hand({ photos, tiles, rows: [row({ place: "pozo" })] }), "A", "melds");
  const quiet = { filled: true, busy: false, failed: false };
  equal(status, { text: "js.none_counts", ...quiet, warned: true });
  const moved = slotStatus(hand({ photos, tiles, rows: [row({ side: "B" })] }), "A", "melds");
  equal(moved, { text: "Leída", ...quiet, warned: false }); // they count for the other side
  const taken = slotStatus(hand({ photos }), "A", "melds");
  equal(taken, { text: "Leída", ...quiet, warned: false });
});

test("an area says how many of its photographs' tiles were set aside", () => {
  const tiles = Object.fromEntries(
    ["t1", "t2", "t3", "t4", "t5"].map((id) => [id, tile({ photo: "p1" })]),
  );
  const other = { t9: tile({ photo: "p9" }) };
  /** @type {(counted: string[], aside: string[]) => { text: string, warned: boolean }} */
  const status = (counted, aside) => {
    const rows = [row({ tiles: counted }), row({ place: "pozo", tiles: [...aside, "t9"] })];
    return slotStatus(
      hand({ photos: [photo()], tiles: { ...tiles, ...other }, rows }),
      "A",
      "melds",
    );
  };
  const most = status(["t1", "t2"], ["t3", "t4", "t5"]);
  equal([most.text, most.warned], ["2 fichas · js.aside_count", true]);
  const one = status(["t1", "t2", "t3", "t4"], ["t5"]);
  equal([one.text, one.warned], ["4 fichas · js.aside_count", false]);
});

/**
 * @param {Partial<UploadArea>} said
 * @returns {UploadArea}
 */
function uploadArea(said) {
  const still = { words: "", stuck: false, lost: false, running: null };
  const plain = { photos: [], chosen: 0, refused: [], ...still };
  return { side: "A", place: "melds", ...plain, ...said };
}

test("an area that got stuck offers to send again or to let go, once", () => {
  document.body.innerHTML =
    '<div id="s"><p class="slot-status"></p><p class="slot-unsent" hidden></p></div>';
  const slot = /** @type {HTMLElement} */ (document.getElementById("s"));
  drawSlot(slot, { text: "Sin mandar", filled: false, busy: false, failed: true, warned: false });
  equal({ ...slot.dataset }, { filled: "no", failed: "yes", busy: "no", warned: "no" });
  /** @type {string[]} */
  const done = [];
  const uploads = {
    again: () => done.push("again"),
    forget: () => done.push("forget"),
    moveOn: async () => void done.push("move"),
    isKept: true,
  };
  const area = uploadArea({ stuck: true });
  drawUnsent(slot, area, uploads);
  drawUnsent(slot, area, uploads);
  for (const button of slot.querySelectorAll("button")) button.click();
  equal(done, ["again", "forget"]);
  const offers = () => [...slot.querySelectorAll("button")].map(({ dataset }) => dataset.key);
  drawUnsent(slot, { ...area, lost: true }, uploads);
  equal(offers(), ["move", "forget"]);
  drawUnsent(slot, { ...area, lost: true }, { ...uploads, isKept: false });
  equal(offers(), ["forget"]);
  drawUnsent(slot, { ...area, stuck: false }, uploads);
  equal(slot.querySelector(".slot-unsent")?.hasAttribute("hidden"), true);
});

// --- how it ended ---

test("a muerto is unanswered, not taken, taken, or taken and unplayed", () => {
  /** @type {Closing} */
  const closing = { ...hand().closing, muerto: { A: true, B: false }, unplayed: [] };
  equal([muertoAnswer(closing, "A"), muertoAnswer(closing, "B")], ["yes", "no"]);
  equal(muertoAnswer({ ...closing, unplayed: ["A"] }, "A"), "unplayed");
  equal(muertoAnswer({ ...closing, unplayed: ["A"], unplayed_costs: false }, "A"), "yes");
  equal(muertoAnswer(hand().closing, "A"), null);
});

test("each tick of the closing is an edit", () => {
  equal(closingEdit("end", "B"), { op: "set_end", end: "close", closed_by: "B" });
  const exhausted = { op: "set_end", end: "stock_exhausted", closed_by: null };
  equal(closingEdit("end", "stock_exhausted"), exhausted);
  const unplayed = { op: "set_muerto", side: "B", taken: true, played: false };
  equal(closingEdit("muerto-B", "unplayed"), unplayed);
  equal(closingEdit("muerto-A", "no"), { ...unplayed, side: "A", taken: false, played: true });
  equal(closingEdit("adjust-side", "A"), null);
});

test("the form shows what the hand says, and the questions it answers", () => {
  const radio = (/** @type {string} */ name, /** @type {string} */ value) =>
    `<input type="radio" name="${name}" value="${value}">`;
  document.body.innerHTML = `<form>${radio("end", "A")}${radio("end", "stock_exhausted")}
    ${radio("muerto-B", "yes")}${radio("muerto-B", "no")}</form>`;
  const form = /** @type {HTMLElement} */ (document.querySelector("form"));
  /** @type {Closing} */
  const closing = {
    ...hand().closing,
    end: "close",
    closed_by: "A",
    muerto: { A: null, B: false },
  };
  drawClosing(form, hand({ closing, questions: [noEnd] }));
  const ticked = [...form.querySelectorAll("input")].filter((input) => input.checked);
  equal(
    ticked.map(({ name, value }) => `${name} ${value}`),
    ["end A", "muerto-B no"],
  );
  equal(form.dataset.asked, "yes");
  const choices = choicesFor(form, question({ ask: "muerto", subject: "B" }));
  equal(
    choices.map(({ value }) => value),
    ["yes"],
  );
  equal(choicesFor(form, doubt), []);
});

test("a muerto that was not played is offered where the rules of the match tell it apart", () => {
  document.body.innerHTML = `<form><label><input type="radio" name="muerto-A" value="yes"></label>
    <label><input type="radio" name="muerto-A" value="unplayed"></label></form>`;
  const form = /** @type {HTMLElement} */ (document.querySelector("form"));
  /** @param {boolean} costs */
  const offered = (costs) => {
    drawClosing(form, hand({ closing: { ...hand().closing, unplayed_costs: costs } }));
    const choices = choicesFor(form, question({ ask: "muerto", subject: "A" }));
    return choices.map(({ value }) => value);
  };
  equal([offered(true), offered(false)], [["yes", "unplayed"], ["yes"]]);
});

test("questions about the closing belong to its groups", () => {
  equal([noEnd, badClosing].map(groupFor), ["end", "end"]);
  equal(groupFor(question({ ask: "muerto", subject: "A" })), "muerto-A");
  equal(groupFor(doubt), null);
});

// --- what is asked and what can be saved ---

test("nothing is asked of a hand that has not begun", () => {
  equal(questionNow(hand({ questions: [noEnd] })), null);
  const photos = [photo({ state: "reading" })];
  equal(questionNow(hand({ questions: [noEnd], photos })), null);
  equal(questionNow(hand({ questions: [noEnd], photos: [photo()] })), noEnd);
  const failed = question({ ask: "photo", subject: "p1" });
  equal(questionNow(hand({ questions: [failed], photos: [photo({ state: "failed" })] })), failed);
});

test("doubts are asked in the server's order, before what stands in the form above", () => {
  const copies = question({ ask: "copies" });
  const view = hand({ rows: [row()], questions: [noEnd, copies, doubt] });
  equal(questionNow(view), copies);
  equal(questionNow({ ...view, questions: [noEnd] }), noEnd);
  equal(questionNow({ ...view, questions: [] }), null);
});

test("a rack is not asked for while a photograph of it is sent or read", () => {
  const rack = question({ ask: "rack", subject: "B", needed: true });
  const view = hand({ questions: [noEnd, rack] });
  const read = photo({ side: "B", place: "rack" });
  const unread = photo({ side: "B", place: "rack", state: "reading" });
  equal(withoutComing(view, () => false).questions, [noEnd, rack]);
  equal(withoutComing(view, (side) => side === "B").questions, [noEnd]);
  const reading = { ...view, photos: [unread] };
  equal(withoutComing(reading, () => false).questions, [noEnd]);
  equal(withoutComing({ ...view, photos: [read] }, () => false).questions, [noEnd, rack]);
});

test("a side's total lacks something while a photograph of it is sent or read", () => {
  /** @param {PhotoView[]} photos */
  const lacking = (...photos) =>
    /** @type {Side[]} */ (["A", "B"]).map((side) => isToRead({ photos }, side, () => false));
  equal(lacking(photo(), photo({ side: "B", state: "failed" })), [false, false]);
  equal(lacking(photo({ state: "queued" })), [true, false]);
  equal(lacking(photo({ side: "B", place: "rack", state: "reading" })), [false, true]);
  equal(
    isToRead(hand(), "B", (side) => side === "B"),
    true,
  );
});

test("a photograph is not asked about while another one is sent to its area", () => {
  const blurred = question({ ask: "photo", subject: "p1", cause: "blurred" });
  const view = hand({ questions: [blurred, noEnd], photos: [photo()] });
  equal(withoutComing(view, () => false).questions, [blurred, noEnd]);
  equal(withoutComing(view, (side) => side === "B").questions, [blurred, noEnd]);
  equal(withoutComing(view, (side) => side === "A").questions, [noEnd]);
});

test("what the closing player's partner had left is asked last, and may stay open", () => {
  const partner = question({ ask: "rack", subject: "A" });
  const view = hand({ rows: [row()], questions: [noEnd], partner });
  equal(questionNow(view), noEnd);
  equal(questionNow({ ...view, questions: [] }), partner);
  equal(withoutComing(view, () => false).partner, partner);
  equal(withoutComing(view, (side) => side === "A").partner, undefined);
  equal(saveText(hand({ ready: true, partner })), "js.save_without");
  equal(saveText(hand({ ready: true, partner, state: "saved" })), "js.save_changes");
});

test("the button to save says what is missing", () => {
  equal(saveText(hand()), "js.save");
  equal(saveText(hand({ photos: [photo({ state: "queued" })] })), "js.being_read");
  const rows = [row()];
  equal(saveText(hand({ rows, questions: [doubt] })), "Falta una");
  equal(saveText(hand({ rows, questions: [doubt, doubt] })), "Faltan 2");
  equal(saveText(hand({ rows, questions: [noEnd] })), "js.at_least_questions");
  equal(saveText(hand({ rows, questions: [noEnd, doubt] })), "js.at_least_questions");
  equal(saveText(hand({ ready: true, questions: [doubt] })), "js.save_doubtful");
  equal(saveText(hand({ ready: true })), "js.save");
  equal(saveText(hand({ ready: true, state: "saved" })), "js.save_changes");
});

test("before anything is read the button to save asks for photographs, not for answers", () => {
  const closing = question({ ask: "closing", needed: true });
  equal(saveText(hand({ questions: [closing] })), "js.nothing_shown");
  const photos = [photo({ state: "reading" })];
  equal(saveText(hand({ questions: [closing], photos })), "js.being_read");
  equal(saveText(hand({ questions: [closing], photos: [photo()] })), "Falta una");
});

test("a saved hand of which nothing has changed has nothing to save", () => {
  const saved = hand({ ready: true, state: "saved" });
  const edit = { op: "set_end", end: "stock_exhausted", closed_by: null };
  equal(isSaved(saved, []), true);
  equal(isSaved(saved, [edit]), false);
  equal(isSaved({ ...saved, corrected: true }, []), false);
  equal(isSaved({ ...saved, questions: [doubt] }, []), false);
  equal(isSaved({ ...saved, state: "undone" }, []), true);
  equal(isSaved({ ...saved, state: "draft" }, []), false);
});

test("a total is one number, an interval, or none where the closing does not stand", () => {
  const sure = score({ total: 1060, interval: [1060, 1060] });
  const open = score({ total: 30, interval: [-20, 1030] });
  equal(
    [sure, open].map((one) => totalText(hand(), one)),
    ["1.060", "−20 a 1.030"],
  );
  equal(
    [sure, open].map((one) => shortTotal(hand(), one)),
    ["1.060", "−20 … 1.030"],
  );
  const view = hand({ questions: [badClosing] });
  equal([hasScore(view), totalText(view, sure), shortTotal(view, sure)], [false, "–", "–"]);
});

test("a total is open while anything may still change it", () => {
  const sure = score({ interval: [5, 5] });
  equal(isOpen(hand(), sure), false);
  equal(isOpen(hand(), score({ interval: [5, 6] })), true);
  equal(isOpen(hand({ provisional: true }), sure), true);
  equal(isOpen(hand({ questions: [badClosing] }), sure), true);
});

test("a side's total is open while one of its photographs adds nothing to it", () => {
  const questions = [question({ ask: "photo", subject: "p1" })];
  const view = hand({ questions, photos: [photo(), photo({ id: "p2", side: "B" })] });
  equal([lacksPhoto(view, "A"), lacksPhoto(view, "B")], [true, false]);
  equal(lacksPhoto({ ...view, questions: [] }, "A"), false);
});

// --- corrections ---

test("a correction is told in a sentence of its own where nothing was read", () => {
  const tiles = {
    t1: tile({ photo: "p1", settled: true, read: "8R", face: "7R" }),
    t2: tile({ photo: "p1", settled: true, face: "7R" }),
  };
  const view = hand({ tiles, removed: [{ read: "J", photo: "p1" }] });
  equal(
    correctionList(view).map(({ textContent }) => textContent),
    ["leyó 8 rojo, es 7 rojo", "no leyó nada, es 7 rojo", "leyó comodín, ahí no hay ficha"],
  );
  equal(
    correctionList(hand()).map(({ textContent }) => textContent),
    ["js.none_corrected"],
  );
});

test("corrections are what people changed of what photographs were read as", () => {
  const tiles = {
    t1: tile({ photo: "p1", read: "7R", face: "9R", settled: true }),
    t2: tile({ photo: "p1", read: "7R", face: "7R", settled: true }),
    t3: tile({ photo: "p1", read: "7R", face: "9R" }),
    t4: tile({ face: "8B", settled: true }),
    t5: tile({ photo: "p2", face: "8B", settled: true }),
  };
  equal(corrections({ tiles, removed: [{ read: "J", photo: "p1" }] }), [
    { photo: "p1", read: "7R", now: "9R" },
    { photo: "p2", read: null, now: "8B" },
    { photo: "p1", read: "J", now: null },
  ]);
});

// --- tapping tiles ---

test("the row that grows is the newest of its area, by number and not by letters", () => {
  const rows = ["r10", "r9", "r2"].map((id) => row({ id }));
  rows.push(row({ id: "r11", side: "B" }), row({ id: "r12", place: "rack" }));
  equal(growingRow(hand({ rows, tiles: { t1: tile() } }), "A", "melds", "mine")?.id, "r10");
  equal(growingRow(hand(), "A", "melds", "mine"), undefined);
});

test("a meld that was read in a photograph does not grow, a rack does", () => {
  const tiles = {
    t1: tile({ photo: "p1", read: "7R" }),
    t2: tile({ photo: "p1", settled: true, added: true }), // tapped where the reader saw nothing
    t3: tile({ photo: "p1", settled: true }), // not read, and named by a person
  };
  /** @type {(place: Place, ...tiles: string[]) => string | undefined} */
  const growing = (place, ...held) =>
    growingRow(hand({ tiles, rows: [row({ place, tiles: held })] }), "A", place, "mine")?.id;
  equal(
    [growing("melds", "t1", "t2"), growing("melds", "t3"), growing("melds", "t2")],
    [undefined, undefined, "r1"],
  );
  equal(growing("rack", "t1"), "r1");
});

test("a meld that was begun on another browser does not grow", () => {
  const tiles = { t1: tile({ added: true }) };
  const rows = [row({ id: "r1" }), row({ id: "r2", by: "mine" }), row({ id: "r3", by: "theirs" })];
  /** @type {(by: string | undefined) => string | undefined} */
  const growing = (by) => growingRow(hand({ rows, tiles }), "A", "melds", by)?.id;
  equal([growing("mine"), growing("theirs"), growing("other")], ["r2", "r3", "r1"]);
});

test("a growing row is judged from its third tile on", () => {
  const legal = { valid: true, text: "Escalera" };
  const tiles = ["t1", "t2", "t3"];
  equal(growingText(row({ tiles: tiles.slice(0, 2), verdict: legal })), "");
  equal(growingText(row({ tiles, verdict: legal })), "Escalera");
  equal(growingText(row({ tiles, verdict: { valid: false, text: "x" } })), "✕ js.illegal");
  equal(growingText(row({ tiles })), "");
});
