// The scoring screen: it shows what the server says of the hand and sends what a person does to it.
// It knows no rules.

import { keepAwake, scrollTo } from "./device.js";
import { adjustmentEdit, choicesFor, closingEdit, drawClosing, turnSign } from "./closing.js";
import { announce, byId, find, show, toast } from "./dom.js";
import { TapEntry } from "./entry.js";
import { doubtsAsker, drawQuestion, drawSave, drawTotals, hasBegun } from "./hand_foot.js";
import { isToRead, isUnread, keepAbove, questionNow, withoutComing } from "./hand_foot.js";
import { AREAS, correctionList, lightUp, reviewAreas, scrollToLit } from "./hand_review.js";
import { HandLine } from "./hand_line.js";
import { closedElsewhere, drawStanding, drawUndo, isSavedAs, leaveTools } from "./hand_news.js";
import { drawUnsentText, tellDone, tellRemoved, undoName } from "./hand_news.js";
import { drawSlot, drawUnsent, offerGuide, slotStatus } from "./hand_slots.js";
import { watch } from "./news.js";
import { Outbox } from "./outbox.js";
import { leftToShareOut } from "./photo_tools.js";
import { Picker } from "./picker.js";
import { scoreSheet } from "./sheet.js";
import { Uploads } from "./uploads.js";
import { keyOfWaiting } from "./waiting.js";
import { say } from "./words.js";

const LOOK_AGAIN = 2000; // ms between looks at photographs being read
const root = byId("hand");
const handId = root.dataset.hand ?? "";
const saveButton = find(root, '[data-part="save"]', HTMLButtonElement);
const undoButton = find(document, '[data-part="undo"]', HTMLElement);
const closing = part("closing");
const outbox = new Outbox();

/** @type {HandView} the hand as it will be once the server has all edits that wait */
let view = JSON.parse(byId("view").textContent ?? "");
/** @type {string[]} the tiles that a score line or a question is about; they are shown apart */
let lit = [];
/** @type {Question | null} the question being answered */
let asking = null;
let isLeaving = false; // this device has closed the hand itself
/** @type {HandView | null} the hand as this device has asked to save it */
let asked = null;
let wasClosed = false; // the hand was closed, by whomever, while it was shown here
let isUndoing = false; // a person undoes a step, perhaps the only one of a correction
let looks = 0; // how often a person has asked to see something in another way

const line = new HandLine(
  handId,
  (next) => {
    const closed = isUndoing ? null : closedElsewhere(view, next);
    wasClosed ||= closed !== null;
    view = next;
    draw();
    if (!closed || isLeaving) return;
    if (isSavedAs(asked, view)) toMatch();
    else leaveTools(entry, closed);
  },
  outbox,
);
line.view = view;

/** @type {HandScreen} */
const screen = {
  get view() {
    return view;
  },
  get lit() {
    return lit;
  },
  get looks() {
    return looks;
  },
  draw() {
    looks += 1;
    draw();
  },
  isToRead: (side) => isToRead(view, side, uploads.isComing),
  answer,
  edit: (...operations) => tellDone(line, () => line.edit(...operations)),
  takeBackTile: (key) => line.takeBackTile(key),
  pick: (tile) => (keyOfWaiting(tile) ? toast(say("js.still_waiting")) : picker.open(tile)),
  choices: (question) => choicesFor(closing, question),
  addAt: (photo, corners) => picker.openNew(photo, corners),
  addTo: (row) => picker.openLacking(row),
  light,
  removePhoto,
  countOnce,
  retake,
  shoot: (side, place) => cameraOf(side, place).click(),
  tapIn: (side, place) => entry.open(side, place),
  movePhoto: (photo, area) =>
    tellDone(line, () => line.post(`photos/${photo}/move`, { json: area })),
  readAgain: (photo) => line.post(`photos/${photo}/read`),
};
const uploads = new Uploads(
  handId,
  {
    arrived: (next) => {
      line.show(next);
      announce(say("photo.stage.queued"));
    },
    changed: ({ side, place }) => {
      drawArea(side, place);
      drawScore();
      drawFoot();
    },
  },
  outbox,
);
offerGuide(() => view, uploads);
const picker = new Picker(screen, find(document, "#picker", HTMLDialogElement));
const entry = new TapEntry(screen, byId("entry"));
const askDoubts = doubtsAsker(screen, (version) => send({ with_doubts: true, version }));

// --- what is shown ---

/** @param {string} name of a part of the page */
function part(name) {
  return find(root, `[data-part="${name}"]`, HTMLElement);
}

function draw() {
  for (const [side, place] of AREAS) drawArea(side, place);
  drawClosing(closing, view);
  drawTiles();
  drawFoot();
  show(part("corrections"), correctionList(view));
  drawStanding(root, view);
  picker.draw();
}

/** Draws everything that shows tiles, with the lit ones apart. */
function drawTiles() {
  show(part("review"), reviewAreas(screen));
  lightUp(part("review"), lit);
  drawScore();
}

const drawScore = () => show(part("score"), scoreSheet(screen));

/**
 * @param {Side} side
 * @param {Place} place
 */
function drawArea(side, place) {
  const slot = find(root, `[data-slot="${side}-${place}"]`, HTMLElement);
  const upload = uploads.of(side, place);
  drawSlot(slot, slotStatus(view, side, place, upload));
  if (upload) drawUnsent(slot, upload, uploads);
}

function drawFoot() {
  entry.draw(); // which shows a total, too
  const shown = withoutComing(view, uploads.isComing);
  drawTotals(root, screen);
  drawSave(saveButton, part("to-match"), shown, line.waiting, wasClosed, uploads.pending);
  asking = questionNow(shown);
  drawQuestion(part("question"), screen, asking, saveButton);
  drawUndo(undoButton, undoName(line.view ?? view, line.waiting));
  root.dataset.waiting = line.waiting.length ? "yes" : "no";
  drawUnsentText(part("unsent"), line, uploads.count);
}

/** @param {string[]} tiles shown apart from all others; the same once more shows none */
function light(tiles) {
  lit = lit.join() === tiles.join() ? [] : tiles;
  drawTiles();
  scrollToLit();
}

// --- what a person does ---

/**
 * Leads to the place where the question is answered.
 * @param {Question} question
 */
function answer({ ask: kind, subject, tiles }) {
  if (kind === "tile") return picker.open(subject);
  if (kind === "photo") return scrollTo(document.querySelector(`[data-photo="${subject}"]`));
  if (["copies", "tapped", "twice", "again", "row"].includes(kind)) {
    lit = tiles;
    drawTiles();
  }
  if (kind === "copies") return picker.open(tiles[tiles.length - 1], tiles);
  if (["tapped", "twice", "again"].includes(kind)) return scrollToLit();
  if (kind === "rack") return scrollTo(root.querySelector(`[data-slot="${subject}-rack"]`));
  scrollTo(kind === "row" ? document.querySelector(`[data-row="${subject}"]`) : closing);
}

/** @param {string} photo */
function removePhoto(photo) {
  return tellRemoved(line.post(`photos/${photo}`, { method: "DELETE" }), undoButton);
}

/**
 * @param {string} photo given twice
 * @param {string} original the photograph that stays
 */
function countOnce(photo, original) {
  const left = leftToShareOut(view, photo, original);
  removePhoto(photo);
  if (left) toast(left);
}

async function undo() {
  const what = undoName(line.view ?? view, line.waiting);
  if (what) toast(say("js.undone", { what }));
  isUndoing = true;
  if (!(await line.undo())) toast(say("js.nothing_to_undo"));
  isUndoing = false;
}

async function save() {
  if (document.body.dataset.offline === "yes" && line.waiting.length) {
    return toast(say("js.edits_pending"));
  }
  const { stumbles } = line;
  await line.flush(); // what was tapped just before is part of what is saved
  // Others may have changed the hand while the network held up what was tapped.
  if (line.stumbles > stumbles) return toast(say("js.now_sent"));
  if (uploads.pending) return toast(say("js.upload_pending"));
  const [first] = view.questions;
  if (view.ready && first) return askDoubts();
  if (view.ready) return send({ version: view.version });
  if (first)
    return hasBegun(view) ? answer(asking ?? first) : scrollTo(root.querySelector(".slots"));
}

const toMatch = () => location.assign(root.dataset.match ?? "/");

/** @param {{ version: number, with_doubts?: boolean }} json */
async function send(json) {
  saveButton.disabled = true; // two taps are one save
  isLeaving = true;
  asked = view;
  if ((await line.post("save", { json })) || isSavedAs(asked, view)) return toMatch();
  isLeaving = false;
  drawFoot();
}

/**
 * Takes another photograph in place of one without tiles or of a poor one, which the server
 * removes once the new one is there: the person may come back without any.
 * @param {PhotoView} photo
 */
function retake({ id, side, place }) {
  const camera = cameraOf(side, place);
  camera.click();
  camera.dataset.insteadOf = id;
}

/**
 * @param {Side} side
 * @param {Place} place
 */
function cameraOf(side, place) {
  return find(root, `[data-slot="${side}-${place}"] [capture]`, HTMLInputElement);
}

/**
 * Sends the photographs that a person has chosen.
 * @param {HTMLInputElement} input
 */
function takeFrom(input) {
  const slot = /** @type {HTMLElement} */ (input.closest("[data-slot]"));
  const { side, place } = /** @type {{ side: Side, place: Place }} */ (slot.dataset);
  uploads.add(side, place, [...(input.files ?? [])], input.dataset.insteadOf);
  input.value = "";
}

// Any other tap that opens a camera takes no photograph in place of another one.
root.addEventListener("click", ({ target }) => {
  if (target instanceof HTMLInputElement) delete target.dataset.insteadOf;
});
root.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.type === "file") return takeFrom(target);
  const edit = closingEdit(target.name, target.value);
  if (edit) line.edit(edit);
});
saveButton.addEventListener("click", save);
part("adjust").addEventListener("submit", (event) => {
  event.preventDefault();
  line.edit(adjustmentEdit(find(root, '[data-part="adjust"]', HTMLFormElement)));
});
root.addEventListener("click", turnSign);
undoButton.addEventListener("click", undo);
keepAbove(find(document, ".hand-bar", HTMLElement));
draw();
// A photograph chosen before this module had arrived is not lost.
for (const input of root.querySelectorAll("input")) if (input.files?.length) takeFrom(input);
root.dataset.live = "yes";
keepAwake();
watch(`/api/hands/${handId}/events`, () => line.refresh());
// This catches what a lost connection missed of the stages of a photograph being read.
setInterval(() => view.photos.some(isUnread) && line.refresh(), LOOK_AGAIN);
