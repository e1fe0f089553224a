// The scoring screen: shows what the server says of the hand, sends what a person does to it. No rule is known here.

import { announce, faceName, h, say, show, signed, toast } from "./dom.js";
import { HandLine, ask, watch } from "./server.js";
import { corrections } from "./corrections.js";
import { photoBoard } from "./photo.js";
import { rowCard } from "./rows.js";
import { Picker } from "./picker.js";
import { TapEntry } from "./entry.js";
import { questionBar } from "./question.js";
import { scoreSheet, stands } from "./sheet.js";
import { Uploads } from "./uploads.js";
import { DoubtsDialog } from "./doubts.js";
import { keepAwake } from "./awake.js";

const root = document.getElementById("hand");
const handId = root.dataset.hand;
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const AREAS = [
  ["A", "melds"],
  ["B", "melds"],
  ["A", "rack"],
  ["B", "rack"],
];
let view = JSON.parse(document.getElementById("view").textContent);
let lit = []; // tiles that a score line counts
let asking = null; // the question being answered

const line = new HandLine(handId, (next) => {
  view = next;
  draw();
});
const screen = {
  get view() {
    return view;
  },
  get lit() {
    return lit;
  },
  draw,
  answer,
  edit: (...operations) => line.edit(...operations),
  pick: (tileId) => picker.open(tileId),
  choices,
  addAt: (photo, corners) => picker.openNew(photo, corners),
  light: (tiles) => ((lit = lit.join() === tiles.join() ? [] : tiles), draw(), scrollToLit()),
  removePhoto: (id) =>
    ask(`/api/hands/${handId}/photos/${id}`, { method: "DELETE" }).then(
      (next) => line.show(next),
      (error) => toast(error.message, "error"),
    ),
  countOnce,
  retake,
  readAgain: (id) => line.post(`photos/${id}/read`),
};
const uploads = new Uploads(handId, {
  arrived: (next) => (line.show(next), announce(say("photo.stage.queued"))),
  changed: ({ side, place }) => drawSlot(side, place),
});
const picker = new Picker(screen, document.getElementById("picker"));
const entry = new TapEntry(screen, document.getElementById("entry"));
const doubts = new DoubtsDialog(screen, document.getElementById("doubts"), {
  save: (version) => send({ with_doubts: true, version }),
});

function draw() {
  for (const [side, place] of AREAS) drawSlot(side, place);
  drawClosing();
  drawReview();
  show(part("score"), scoreSheet(screen));
  drawFoot();
  drawCorrections();
  for (const one of root.querySelectorAll("[data-when]"))
    one.hidden = one.dataset.when !== view.state;
  entry.draw();
  picker.draw();
}

function drawSlot(side, place) {
  const slot = root.querySelector(`[data-slot="${side}-${place}"]`);
  const photos = view.photos.filter((photo) => photo.side === side && photo.place === place);
  const count = view.rows
    .filter((row) => row.side === side && row.place === place)
    .reduce((sum, row) => sum + row.tiles.length, 0);
  slot.dataset.filled = photos.length || count ? "yes" : "no";
  const upload = uploads.of(side, place);
  const unread = photos.find((photo) => photo.state !== "read");
  const words = upload?.photos.length ? upload.words : unread?.text;
  const tiles = count ? say(count === 1 ? "js.one_tile" : "js.tiles", { count }) : "";
  const notice = photos.flatMap((photo) => photo.notices)[0]; // too dark, no tiles: seen while one still holds the phone over the table
  const status = words ?? [tiles, notice].filter(Boolean).join(" · ");
  const place_ = slot.querySelector(".slot-status");
  if (place_.textContent !== status) place_.textContent = status;
  const failed =
    upload?.stuck || photos.some((photo) => photo.state === "failed") || (notice && !count);
  slot.dataset.failed = failed ? "yes" : "no";
  slot.dataset.busy = words && !failed ? "yes" : "no";
  drawUnsent(slot.querySelector(".slot-unsent"), upload);
}

// What a person can do about photographs that found no connection for too long.
function drawUnsent(place, upload) {
  if (place.hidden !== !upload?.stuck) place.hidden = !upload?.stuck;
  if (place.hidden || place.childElementCount) return;
  const button = (key, text, act) =>
    h("button", { type: "button", class: "pick", onclick: act, "data-key": key }, say(text));
  show(
    place,
    button("resend", "js.upload_again", () => uploads.again(upload)),
    button("forget", "js.upload_forget", () => uploads.forget(upload)),
  );
}

function muertoAnswer(side) {
  const taken = view.closing.muerto[side];
  if (taken === null) return null;
  return !taken ? "no" : view.closing.unplayed.includes(side) ? "unplayed" : "yes";
}

// The closing's own answers to a question: those that are not already given.
function choices({ ask, subject }) {
  const name =
    ask === "muerto" ? `muerto-${subject}` : ["end", "closing"].includes(ask) ? "end" : "";
  return [...part("closing").querySelectorAll(`input[name="${name}"]:not(:checked)`)];
}

function drawClosing() {
  const { end, closed_by: closedBy } = view.closing;
  for (const input of part("closing").querySelectorAll("input")) {
    const [name, value] = [input.name, input.value];
    if (name === "end") input.checked = value === (end === "close" ? closedBy : end);
    else input.checked = value === muertoAnswer(name.slice(-1));
  }
  part("closing").dataset.asked = view.questions.some((question) =>
    ["end", "muerto", "closing"].includes(question.ask),
  )
    ? "yes"
    : "no";
}

function drawReview() {
  const areas = AREAS.map(([side, place]) => area(side, place)).filter(Boolean);
  const aside = view.rows.filter((row) => row.place === "pozo");
  if (aside.length)
    areas.push(
      h(
        "section",
        { class: "area area-aside" },
        h("h3", {}, say("js.aside")),
        h(
          "div",
          { class: "rows" },
          aside.map((row) => rowCard(screen, row)),
        ),
      ),
    );
  show(part("review"), areas);
}

function area(side, place) {
  const photos = view.photos.filter((photo) => photo.side === side && photo.place === place);
  const rows = view.rows.filter((row) => row.side === side && row.place === place);
  if (!photos.length && !rows.length) return null;
  const title = `${view.score[side].name} · ${say(`js.place.${place}`)}`;
  return h(
    "section",
    { class: "area", "data-side": side },
    h("h3", {}, title),
    photos.map((photo) => photoBoard(screen, photo)),
    h(
      "div",
      { class: "rows" },
      rows.map((row) => rowCard(screen, row)),
    ),
  );
}

function drawFoot() {
  for (const side of ["A", "B"]) {
    const score = view.score[side];
    const [low, high] = score.interval;
    const total = root.querySelector(`[data-total="${side}"]`);
    total.textContent = !stands(view)
      ? "–"
      : low === high
        ? signed(score.total)
        : `${signed(low)} … ${signed(high)}`;
    total.dataset.open = low === high && !view.provisional && stands(view) ? "no" : "yes";
  }
  const needed = view.questions.length;
  const button = part("save");
  button.dataset.ready = view.ready ? "yes" : "no";
  button.textContent = view.ready
    ? say(needed ? "js.save_doubtful" : view.state === "draft" ? "js.save" : "js.save_changes")
    : needed
      ? say(needed === 1 ? "js.one_question" : "js.questions", { count: needed })
      : say("js.save");
  button.disabled = !view.ready && !needed;
  drawQuestion();
}

function drawQuestion() {
  const open =
    view.questions.find((question) => !["end", "muerto"].includes(question.ask)) ??
    view.questions[0];
  asking = view.rows.length || view.photos.some((photo) => photo.state === "read") ? open : null;
  const bar = part("question");
  bar.hidden = !asking;
  if (asking) show(bar, questionBar(screen, asking));
}

function answer(question) {
  if (question.ask === "tile") return picker.open(question.subject);
  if (question.ask === "copies")
    return ((lit = question.tiles), draw(), picker.open(question.tiles.at(-1), question.tiles));
  if (["tapped", "twice"].includes(question.ask))
    return ((lit = question.tiles), draw(), scrollToLit());
  if (question.ask === "row") ((lit = question.tiles), draw());
  const place =
    question.ask === "row"
      ? document.querySelector(`[data-row="${question.subject}"]`)
      : part("closing");
  place?.scrollIntoView({ block: "center", behavior: "smooth" });
}

function drawCorrections() {
  const as = (face) => (face ? faceName(face) : say("js.nothing_read"));
  const told = corrections(view).map(({ read, now }) =>
    now
      ? say("js.read_as", { read: as(read), now: as(now) })
      : say("js.read_none", { read: as(read) }),
  );
  show(
    part("corrections"),
    (told.length ? told : [say("js.none_corrected")]).map((text) => h("li", {}, text)),
  );
}

function scrollToLit() {
  document
    .querySelector(".photo polygon.lit, .row .tile.lit")
    ?.closest(".photo, .row")
    ?.scrollIntoView({ block: "center", behavior: "smooth" });
}

// A photograph given twice goes; if it was given to both sides, the melds of the one that stays are still to be shared out.
function countOnce(id, like) {
  const [{ side }, stays] = [id, like].map((wanted) =>
    view.photos.find((photo) => photo.id === wanted),
  );
  screen.removePhoto(id);
  if (stays.side !== side && stays.place === "melds")
    toast(say("js.share_out", { here: view.score[stays.side].name, there: view.score[side].name }));
}

async function stepBack() {
  const before = view.version;
  const after = await line.post("step-back");
  if (after?.version === before) toast(say("js.nothing_to_step_back"));
}

async function save() {
  await line.flush(); // what was tapped just before is part of what is saved
  if (uploads.pending) return toast(say("js.upload_pending"));
  if (!view.ready) return view.questions.length ? answer(asking ?? view.questions[0]) : undefined;
  if (view.questions.length) return doubts.open();
  send({ version: view.version });
}

async function send(json) {
  part("save").disabled = true; // two taps are one save
  const saved = await line.post("save", { json });
  if (saved) location.assign(root.dataset.match);
  else drawFoot();
}

// Another photograph instead of one without tiles, which goes once the other is there: a person may come back without any.
function retake({ id, side, place }) {
  const camera = root.querySelector(`[data-slot="${side}-${place}"] [capture]`);
  camera.dataset.insteadOf = id;
  camera.click();
}

function takeFrom(input) {
  const { insteadOf } = input.dataset;
  delete input.dataset.insteadOf;
  const empty = !Object.values(view.tiles).some((tile) => tile.photo === insteadOf);
  if (empty && view.photos.some(({ id }) => id === insteadOf)) screen.removePhoto(insteadOf);
  const { side, place } = input.closest("[data-slot]").dataset;
  uploads.add(side, place, [...input.files]);
  input.value = "";
}

root.addEventListener("change", (event) => {
  const input = event.target;
  if (input.type === "file") takeFrom(input);
  else if (input.name === "end") {
    line.edit(
      input.value === "stock_exhausted"
        ? { op: "set_end", end: "stock_exhausted", closed_by: null }
        : { op: "set_end", end: "close", closed_by: input.value },
    );
  } else if (input.name?.startsWith("muerto-")) {
    line.edit({
      op: "set_muerto",
      side: input.name.slice(-1),
      taken: input.value !== "no",
      played: input.value !== "unplayed",
    });
  }
});
part("save").addEventListener("click", save);
part("adjust").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const points = Number(form.elements.points.value.replace("−", "-"));
  line.edit({
    op: "add_adjustment",
    side: form.elements["adjust-side"].value,
    points,
    reason: form.elements.reason.value,
  });
  form.reset();
});
document.querySelector('[data-part="step-back"]').addEventListener("click", stepBack);
line.version = view.version;
draw();
// A photograph chosen before this module had arrived is not lost.
for (const input of root.querySelectorAll("input[type=file]"))
  if (input.files.length) takeFrom(input);
root.dataset.live = "yes";
keepAwake();
watch(`/api/hands/${handId}/events`, () => line.refresh());
// Photographs being read: the stream tells each stage; this only catches what a lost connection missed.
setInterval(
  () => view.photos.some((photo) => ["queued", "reading"].includes(photo.state)) && line.refresh(),
  2000,
);
