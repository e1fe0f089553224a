// The bar under a hand: both totals, the question that is open, and whether the hand can be saved.

import { find, show, toast } from "./dom.js";
import { drawSifting } from "./finds.js";
import { questionBar } from "./question.js";
import { hasScore, shortTotal } from "./sheet.js";
import { lengthOf, say } from "./words.js";

/** @type {Side[]} */
const SIDES = ["A", "B"];
const WAITING = ["queued", "reading"];
/** @type {Place[]} */
const PHOTOGRAPHED = ["melds", "rack"];
const DONE = ["read", "failed"];
// Questions that stand in the form above, or that a photograph may still answer: any other comes
// first.
const LAST = ["end", "muerto", "rack"];

/**
 * Whether there is anything to ask about: the hand has rows, or a photograph that was read or
 * failed to be.
 * @param {Pick<HandView, "rows" | "photos">} view
 */
export function hasBegun({ rows, photos }) {
  return rows.length > 0 || photos.some(({ state }) => DONE.includes(state));
}

/**
 * Returns the question to ask now; null without questions, and while the hand has not begun.
 * @param {Pick<HandView, "questions" | "partner" | "rows" | "photos">} view
 * @returns {Question | null}
 */
export function questionNow(view) {
  if (!hasBegun(view)) return null;
  const { questions, partner } = view;
  return questions.find(({ ask }) => !LAST.includes(ask)) ?? questions[0] ?? partner ?? null;
}

/**
 * Whether a photograph that has reached the server is still to be read.
 * @param {Pick<PhotoView, "state">} photo
 */
export function isUnread({ state }) {
  return WAITING.includes(state);
}

/**
 * Whether a photograph of a side has still to be sent or read, so that its total lacks something.
 * @param {Pick<HandView, "photos">} view
 * @param {Side} side
 * @param {(side: Side, place: Place) => boolean} isComing
 */
export function isToRead({ photos }, side, isComing) {
  const isSent = photos.some((photo) => photo.side === side && isUnread(photo));
  return isSent || PHOTOGRAPHED.some((place) => isComing(side, place));
}

/**
 * Returns the hand without the questions that a photograph on its way may answer: what is left on a
 * rack is not asked while a photograph of the rack is being sent or read, nor about a photograph
 * while another one of its area is sent, which may take its place.
 * @param {HandView} view
 * @param {(side: Side, place: Place) => boolean} isComing
 * @returns {HandView}
 */
export function withoutComing(view, isComing) {
  const { photos, questions, partner } = view;
  /** @param {Question} question */
  const isAsked = ({ ask, subject }) => {
    if (ask === "photo")
      return !photos.some(({ id, side, place }) => id === subject && isComing(side, place));
    if (ask !== "rack") return true;
    const side = subject === "A" ? "A" : "B";
    const racks = photos.filter((photo) => photo.side === side && photo.place === "rack");
    return !isComing(side, "rack") && !racks.some(isUnread);
  };
  return {
    ...view,
    questions: questions.filter(isAsked),
    partner: partner && isAsked(partner) ? partner : undefined,
  };
}

/**
 * Whether nothing of a saved hand has changed that could be saved.
 * @param {Pick<HandView, "questions" | "ready" | "state" | "corrected">} view
 * @param {Operation[]} waiting
 */
export function isSaved({ questions, ready, state, corrected }, waiting) {
  return state !== "draft" && !corrected && !waiting.length && ready && !questions.length;
}

/**
 * Returns the text of the button that saves. What the partner of the player who closed had left may
 * stay unsaid, and then counts as nothing: the text says so before the hand is saved first.
 * @param {Pick<HandView, "questions" | "partner" | "ready" | "state" | "rows" | "photos">} view
 */
export function saveText(view) {
  const { questions, partner, ready, state, photos } = view;
  const count = questions.length;
  if (ready && count) return say("js.save_doubtful");
  if (ready && partner && state === "draft") return say("js.save_without");
  if (ready) return say(state === "draft" ? "js.save" : "js.save_changes");
  if (count === 0) return say(photos.some(isUnread) ? "js.being_read" : "js.save");
  if (!hasBegun(view)) return say(photos.length ? "js.being_read" : "js.nothing_shown");
  // Once people have said how the hand ended, the muertos and racks may be asked about.
  if (questions.some(({ ask }) => ask === "end")) return say("js.at_least_questions", { count });
  return say("js.questions", { count });
}

/**
 * Whether a side's total may still change.
 * @param {Pick<HandView, "questions" | "wasRefused" | "provisional">} view
 * @param {SideScore} score
 */
export function isOpen(view, { interval: [low, high] }) {
  return low !== high || view.provisional || !hasScore(view);
}

/**
 * Whether a photograph of a side adds nothing to the hand, and nobody has said yet that this is
 * right: its tiles may be missing in the total.
 * @param {Pick<HandView, "questions" | "photos">} view
 * @param {Side} side
 */
export function lacksPhoto({ questions, photos }, side) {
  const asked = questions.filter(({ ask }) => ask === "photo").map(({ subject }) => subject);
  return photos.some((photo) => photo.side === side && asked.includes(photo.id));
}

/**
 * Draws the totals, and says beside them that photographs are still to be read.
 * @param {HTMLElement} root
 * @param {HandScreen} screen
 */
export function drawTotals(root, { view, isToRead: isWanting }) {
  const note = SIDES.some(isWanting) ? say("js.to_read") : "";
  const place = find(root, '[data-part="to-read"]', HTMLElement);
  if (place.textContent !== note) place.textContent = note; // else it would be read out again
  for (const side of SIDES) {
    const total = find(root, `[data-total="${side}"]`, HTMLElement);
    total.textContent = shortTotal(view, view.score[side]);
    total.dataset.length = lengthOf(total.textContent);
    const open = isOpen(view, view.score[side]) || lacksPhoto(view, side) || isWanting(side);
    total.dataset.open = open ? "yes" : "no";
  }
}

/**
 * Draws the button that saves, or a link to the match in its place where the hand was closed while
 * it was shown here: whoever did not close it goes on with the others.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} link
 * @param {HandView} view
 * @param {Operation[]} waiting
 * @param {boolean} wasClosed
 * @param {boolean} isSending whether a photograph has still to reach the server
 */
export function drawSave(button, link, view, waiting, wasClosed, isSending) {
  const nothing = isSaved(view, waiting);
  const isReady = view.ready && !isSending;
  link.hidden = !(nothing && wasClosed);
  button.hidden = !link.hidden;
  button.dataset.ready = isReady && !nothing ? "yes" : "no";
  const done = view.state === "undone" ? "js.voided" : "js.saved";
  const text = view.ready && isSending ? say("js.being_sent") : saveText(view);
  button.textContent = nothing ? say(done) : text;
  button.disabled = nothing || (!isReady && view.questions.length === 0);
}

/** Whether the keyboard left the bar with its last question, and waits for a place to go on. */
let isWaiting = false;

/**
 * Draws the bar with the question. A person who answered the last one by keyboard goes on with this
 * one or, if it was the last, with the element `after`: as soon as that can be pressed or another
 * question comes, unless the person has gone elsewhere meanwhile.
 * @param {HTMLElement} bar
 * @param {HandScreen} screen
 * @param {Question | null} asking
 * @param {HTMLElement} after
 */
export function drawQuestion(bar, screen, asking, after) {
  const isNowhere = document.activeElement === document.body;
  const hadFocus = bar.contains(document.activeElement) || (isWaiting && isNowhere);
  bar.hidden = !asking;
  show(bar, ...(asking ? questionBar(screen, asking) : []));
  drawSifting();
  isWaiting = false;
  if (!hadFocus || (asking && bar.contains(document.activeElement))) return;
  const next = asking ? bar.querySelector("button") : after;
  next?.focus({ preventScroll: true });
  isWaiting = document.activeElement !== next;
}

/**
 * Keeps what is scrolled to, by the keyboard too, above the bar: it is higher with a question.
 * @param {HTMLElement} bar
 */
export function keepAbove(bar) {
  const note = () => {
    const { height } = bar.getBoundingClientRect();
    document.documentElement.style.setProperty("--bar", `${height}px`);
  };
  new ResizeObserver(note).observe(bar);
}

/**
 * Returns a function that opens the dialog in which a hand is saved in spite of doubts. Its script
 * is loaded once it is wanted; if nothing is in doubt any more by then, nothing is opened.
 * @param {HandScreen} screen
 * @param {(version: number) => void} save saves this version of the hand as it is
 */
export function doubtsAsker(screen, save) {
  /** @type {import("./doubts.js").DoubtsDialog | null} */
  let asker = null;
  return async () => {
    try {
      const { DoubtsDialog } = await import("./doubts.js");
      asker ??= new DoubtsDialog(screen, find(document, "#doubts", HTMLDialogElement), save);
    } catch {
      return toast(say("js.no_answer"), "error");
    }
    if (screen.view.questions.length) asker.open();
  };
}
