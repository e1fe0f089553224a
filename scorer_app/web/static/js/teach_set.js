// Teaches a set of tiles: a photograph is looked at, a person confirms each face, the set keeps
// them. Until then everything is held here, also while the tab is reloaded, and nothing on the
// server.

import { shrink } from "./capture.js";
import { scrollTo } from "./device.js";
import { announce, byId, find, show, toast } from "./dom.js";
import { forget, keep, recall, TAB } from "./kept.js";
import { Modal } from "./modal.js";
import { isAmong } from "./same_file.js";
import { SURE_FOR, dropSecondTap } from "./second_tap.js";
import { ask, Refused } from "./server.js";
import { askForRows, gridOfFaces, whichFace } from "./teach_faces.js";
import { changedFace, joined, withoutFace, withRowColour } from "./taught.js";
import { say } from "./words.js";

const MEGABYTE = 2 ** 20;
// ms for a photograph of some megabytes to be sent and looked at, or for its faces to be kept
const PATIENCE = 180_000;
/** @type {[number, string][]} ms after which it is told what is still under way */
const PROGRESS = [
  [5000, "js.set.looking_long"],
  [20_000, "js.set.looking_busy"],
];
const FORGOTTEN = "forgotten"; // the server's refusal where the set is no longer there
const OTHER_TILES = "other_tiles"; // where a photograph seems to show those of another set
const BAD_NAME = "bad_name"; // and where the name is none
// A phone may close the page while its camera or another app is open.
const REMEMBERED = "burako-set-name";
const LEARNED = `burako-learned ${location.pathname}`;

const part = byId("teach-set");
const name = find(part, "#set-name", HTMLInputElement);
const status = byId("teach-status");
const shown = byId("taught");
const dialog = find(document, "#which", HTMLDialogElement);
const modal = new Modal(dialog);

/** @type {string[]} the names of the sets that exist, as far as this page knows */
let known = JSON.parse(part.dataset.known ?? "[]");
/** @type {Taught | null} */
let taught = recall(TAB, LEARNED);
/** @type {File[]} the photographs of `taught` */
let seen = [];
let refusal = ""; // why nothing was kept, where saving again does something else
let isSame = false; // saving again says that all photographs show the tiles of one set
let unseen = 0; // photographs that were chosen and are still to be looked at
let looking = Promise.resolve(); // settles once all of them have been
let isSaving = false;
let isLeaving = false; // the next tap on the button throws everything away

if (name.type !== "hidden") {
  name.value ||= recall(TAB, REMEMBERED) ?? "";
  name.addEventListener("input", () => {
    keep(TAB, REMEMBERED, name.value);
    tellOfKnownName();
    sayOfName("");
    askAnew();
    draw();
  });
  tellOfKnownName();
}
for (const id of ["shoot", "pick"]) {
  const input = find(part, `#${id}`, HTMLInputElement);
  input.addEventListener("change", () => photoChosen(input));
  photoChosen(input); // on a slow network perhaps before this script came
}

addEventListener("pageshow", () => {
  isSaving = false; // a person came back
  draw();
});
addEventListener("beforeunload", (event) => {
  if (taught) event.preventDefault(); // only this page has it
});

/**
 * Has the photograph looked at that was chosen, after those that were chosen before it.
 * @param {HTMLInputElement} input
 */
function photoChosen(input) {
  const [photo] = input.files ?? [];
  input.value = ""; // so that the same photograph can be chosen again
  if (!photo || isSaving) return;
  unseen += 1;
  looking = looking.then(() => lookAt(photo));
}

/** What was to be kept is another: what was refused is judged anew. */
function askAnew() {
  refusal = "";
  isSame = false;
}

/** Returns the name that was written or, where none was, the one that the empty field shows. */
function givenName() {
  return folded(name.value) ? name.value : name.placeholder;
}

/** Returns the name of the set that will learn more; undefined where a new set will be made. */
function knownName() {
  return known.find((one) => folded(one) === folded(name.value));
}

/** Says, before anything is taught, that a set of this name exists and will learn more. */
function tellOfKnownName() {
  const same = knownName();
  byId("adds").textContent = same ? say("js.set.adds", { name: same }) : "";
}

/** @param {string} text */
function folded(text) {
  return text.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}

/**
 * @param {string} words
 * @param {boolean} [failed]
 */
function tell(words, failed = false) {
  status.textContent = words;
  status.toggleAttribute("data-failed", failed);
}

/** @param {File} photo */
async function lookAt(photo) {
  tell(say("js.shrinking"));
  /** @type {ReturnType<typeof setTimeout>[]} */
  let progress = [];
  try {
    if (await isAmong(seen, photo)) return tell(say("js.set.photo_again"), true);
    const data = await shrink(photo);
    const limit = Number(part.dataset.uploadLimit);
    if (data.size > limit) {
      const megabytes = (/** @type {number} */ bytes) => Math.ceil(bytes / MEGABYTE);
      return tell(say("js.too_big", { size: megabytes(data.size), limit: megabytes(limit) }), true);
    }
    const form = new FormData();
    form.append("photo", data, "photo.jpg");
    tell(say("js.set.looking"));
    progress = PROGRESS.map(([after, key]) => setTimeout(() => tell(say(key)), after));
    const seenThere = await ask("/api/sets/photos", { method: "POST", form, patience: PATIENCE });
    seen.push(photo);
    learned(joined(taught, seenThere)); // with what a person has put right meanwhile
    askAnew();
    tell("");
    draw();
    scrollTo(shown, "start");
    announce(say("js.set.confirm"));
  } catch (error) {
    tell(error instanceof Refused ? error.message : say("js.no_answer"), true);
  } finally {
    progress.forEach(clearTimeout);
    unseen -= 1;
  }
}

/**
 * Holds what is to be kept, and lets go of it where that is null.
 * @param {Taught | null} now
 */
function learned(now) {
  taught = now;
  if (now) keep(TAB, LEARNED, now);
  else forget(TAB, LEARNED);
}

/** @param {Taught} changed */
function change(changed) {
  learned(changed);
  modal.close();
  draw();
}

function draw() {
  shown.hidden = taught === null;
  if (!taught) return;
  const now = taught;
  show(
    shown,
    askForRows(now, (row, colour) => change(withRowColour(now, row, colour))),
    gridOfFaces(now, refusal, isLeaving, { open, save, discard }),
  );
}

/** Throws everything away, with the second of two taps. */
function discard() {
  if (isLeaving) {
    seen = [];
    learned(null);
    askAnew();
  } else setTimeout(stay, SURE_FOR);
  isLeaving = !isLeaving;
  dropSecondTap();
  draw();
}

function stay() {
  isLeaving = false;
  draw();
}

/**
 * Asks what the picture shows. Another photograph may add its faces before the answer comes.
 * @param {number} index of the face
 */
function open(index) {
  if (!taught) return;
  show(
    dialog,
    whichFace(taught.faces[index], {
      choose: (face) => taught && change(changedFace(taught, index, face)),
      drop: () => taught && change(withoutFace(taught, index)),
      close: () => modal.close(),
    }),
  );
  modal.open();
}

async function save() {
  if (!taught || isSaving) return;
  if (unseen) return toast(say("js.set.looking")); // what it shows is still to be confirmed
  isSaving = true;
  const faces = taught.faces.map(({ face, picture, photo = 0 }) => ({ face, picture, photo }));
  try {
    const json = { name: givenName(), faces, adds: knownName() !== undefined, same: isSame };
    const kept = await ask("/api/sets", { method: "POST", json, patience: PATIENCE });
    forget(TAB, REMEMBERED);
    learned(null); // the set has it now
    // Until that page is there nothing more is kept.
    location.href = kept.url + wayBack();
  } catch (error) {
    isSaving = false;
    if (!(error instanceof Refused)) return toast(say("js.no_answer"), "error");
    if (error.code === FORGOTTEN) return noteForgotten(error.message);
    if (error.code === OTHER_TILES) return noteOtherTiles(error.message);
    if (error.code === BAD_NAME) return wrongName(error.message);
    toast(error.message, "error");
  }
}

/** Returns the parameter, as a query, that names the page to which the set's page leads back. */
function wayBack() {
  const to = new URLSearchParams(location.search).get("to");
  return to ? `?${new URLSearchParams({ to })}` : "";
}

/**
 * Says at the field of the name what is wrong with it, and leads there.
 * @param {string} sentence
 */
function wrongName(sentence) {
  sayOfName(sentence);
  name.focus(); // the browser moves the page there
  dropSecondTap(); // the page moves
}

/** @param {string} sentence that says what is wrong with the name; empty where nothing is */
function sayOfName(sentence) {
  byId("wrong").textContent = sentence;
  name.setAttribute("aria-describedby", sentence ? "wrong adds" : "adds");
  if (sentence) name.setAttribute("aria-invalid", "true");
  else name.removeAttribute("aria-invalid");
}

/**
 * Says that the set was forgotten on another phone meanwhile; saving again makes a new one.
 * @param {string} sentence
 */
function noteForgotten(sentence) {
  known = known.filter((one) => one !== knownName());
  if (name.type !== "hidden") tellOfKnownName();
  refusal = sentence;
  draw();
  dropSecondTap(); // it would save again, unread
}

/**
 * Says that a photograph seems to show other tiles; saving again says that they are the same.
 * @param {string} sentence
 */
function noteOtherTiles(sentence) {
  refusal = sentence;
  isSame = true;
  draw();
  dropSecondTap(); // it would save again, unread
}
