// Sends photographs to the server, one after another in each area. Each has a key made here, by
// which the server recognises one that is sent again. One that got no answer is sent again by
// itself for a while. Photographs wait in the outbox, so that a page that is loaded anew goes on
// with them.

import { send, shrink, tooBig } from "./capture.js";
import { byId, toast } from "./dom.js";
import { refusedText } from "./hand_slots.js";
import { freshKey } from "./outbox.js";
import { isDecided, isGone, isSignedOut, needsCode, renewToken, showOffline } from "./server.js";
import { say } from "./words.js";

const PATIENCE = 120_000; // ms without any answer, then a person is asked
const BROKEN = new Set([500, 507]); // the server's own fault, or its disk's: a person looks first
const NO_MORE = "too_many_photos"; // the photographs after it would be refused too
const NO_HAND = "discarded"; // the hand was thrown away
const PAUSE = 3_000; // ms before it is sent again

/**
 * Returns what to do after an answer: the photograph is "settled" because it arrived or was
 * refused, it is sent "again", it is "stuck" and a person is asked, or it is "lost" because there
 * is no hand any more that takes it.
 * @param {number} status of the answer, 0 where none came
 * @param {boolean} patient whether it is early enough to try again
 * @param {string} [code] of a refusal
 * @returns {"settled" | "again" | "stuck" | "lost"}
 */
export function nextStep(status, patient, code = "") {
  if (isGone(status) || code === NO_HAND) return "lost";
  if (status === 202 || isDecided(status)) return "settled";
  return patient && !BROKEN.has(status) ? "again" : "stuck";
}

export class Uploads {
  /**
   * @param {string} handId
   * @param {object} tell
   * @param {(view: HandView) => void} tell.arrived a photograph came; the hand with it
   * @param {(area: UploadArea) => void} tell.changed an area's words or photographs are others
   * @param {Outbox} outbox
   */
  constructor(handId, { arrived, changed }, outbox) {
    this.handId = handId;
    this.outbox = outbox;
    this.arrived = arrived;
    this.changed = changed;
    /** @type {Map<string, UploadArea>} by side and place, "A-melds" */
    this.areas = new Map();
    addEventListener("beforeunload", (event) => {
      if (this.pending && !outbox.isKept) event.preventDefault();
    });
    this.restored = outbox.takeUp(handId, (kept) => this.restore(kept));
  }

  /**
   * Takes up the photographs that waited when the page was left.
   * @param {Unsent[]} kept
   */
  restore(kept) {
    const known = new Set(
      [...this.areas.values()].flatMap(({ photos }) => photos.map(({ key }) => key)),
    );
    for (const { key, photo } of kept) {
      if (photo && !known.has(key)) this.queue(photo.side, photo.place, [{ ...photo, key }]);
    }
  }

  /**
   * @param {Side} side
   * @param {Place} place
   */
  of(side, place) {
    return this.areas.get(`${side}-${place}`);
  }

  /**
   * Whether a photograph of an area is on its way, or waits for it.
   * @type {(side: Side, place: Place) => boolean}
   */
  isComing = (side, place) => Boolean(this.of(side, place)?.photos.length);

  /** The number of photographs that have not arrived yet. */
  get count() {
    return [...this.areas.values()].reduce((sum, area) => sum + area.photos.length, 0);
  }

  /** Whether the photographs outlive the page. */
  get isKept() {
    return this.outbox.isKept;
  }

  /** Whether any photograph has not arrived yet. */
  get pending() {
    return this.count > 0;
  }

  /**
   * @param {Side} side
   * @param {Place} place
   * @param {File[]} files
   * @param {string} [insteadOf] a photograph of which they take the place
   */
  add(side, place, files, insteadOf) {
    const photos = files.map((file) => ({ side, place, file, insteadOf, key: freshKey() }));
    const hand = this.handId;
    this.outbox.put(photos.map(({ key, ...photo }) => ({ key, hand, photo })));
    this.queue(side, place, photos);
  }

  /**
   * @param {Side} side
   * @param {Place} place
   * @param {UploadArea["photos"]} photos
   */
  queue(side, place, photos) {
    /** @type {UploadArea} */
    const empty = {
      side,
      place,
      photos: [],
      words: "",
      stuck: false,
      lost: false,
      chosen: 0,
      refused: [],
      running: null,
    };
    const area = this.of(side, place) ?? empty;
    this.areas.set(`${side}-${place}`, area);
    if (!area.photos.length) Object.assign(area, { chosen: 0, refused: [] });
    area.photos.push(...photos);
    area.chosen += photos.length;
    this.again(area);
  }

  /**
   * Sends what waits in an area, unless that is going on already.
   * @param {UploadArea} area
   */
  again(area) {
    area.running ??= this.run(area).finally(() => {
      area.running = null;
      this.changed(area);
    });
  }

  /**
   * Drops the photographs of an area that were not sent.
   * @param {UploadArea} area
   */
  forget(area) {
    this.letGo(area, area.photos.length);
    area.stuck = false;
    this.changed(area);
  }

  /** Opens another hand of the match with the photographs that this one takes no more. */
  async moveOn() {
    try {
      const { moveToOtherHand } = await import("./other_hand.js"); // few hands are thrown away
      await moveToOtherHand(this.outbox, this.handId, `${byId("hand").dataset.match}/hands`);
    } catch {
      toast(say("js.no_answer"), "error");
    }
  }

  /** @param {UploadArea} area */
  async run(area) {
    area.stuck = false;
    let end = Date.now() + PATIENCE;
    while (area.photos.length) {
      const { status, answer } = await this.send(area);
      const code = answer?.error ?? "";
      showOffline(status === 0 || needsCode(code), code);
      const step = nextStep(status, Date.now() < end, code);
      area.lost = step === "lost";
      if (step === "settled") {
        this.settle(area, status, answer);
        end = Date.now() + PATIENCE;
      } else if (step === "again") {
        const why = status ? "js.upload_faulty" : "js.upload_waiting";
        this.tell(area, answer?.message ?? say(why));
        if (isSignedOut(status)) await renewToken();
        await connection(PAUSE);
      } else {
        area.stuck = true;
        return this.tell(area, whyStuck(area, status, answer));
      }
    }
  }

  /**
   * Sends the first photograph that waits, and returns the answer. One that is too large is not
   * sent; its answer is what the server would say.
   * @param {UploadArea} area
   */
  async send(area) {
    const [photo] = area.photos;
    this.tell(area, say("js.shrinking"));
    photo.data ??= await shrink(photo.file);
    const message = tooBig(photo.data);
    if (message) return { status: 413, answer: { message } };
    const form = new FormData();
    form.append("side", area.side);
    form.append("place", area.place);
    form.append("key", photo.key);
    if (photo.insteadOf) form.append("instead_of", photo.insteadOf);
    form.append("photo", photo.data, "photo.jpg");
    return send(this.handId, form, (percent) => this.tell(area, say("js.sending", { percent })));
  }

  /**
   * Drops a photograph that has arrived or was refused, and says which were refused once nothing
   * waits any more.
   * @param {UploadArea} area
   * @param {number} status
   * @param {any} answer
   */
  settle(area, status, answer) {
    const [{ file }] = area.photos;
    const message = answer?.message ?? say("js.broken");
    const isFull = answer?.error === NO_MORE;
    this.letGo(area, isFull ? area.photos.length : 1);
    if (status === 202) this.arrived(answer);
    else if (isFull) toast(message, "error");
    else area.refused.push({ name: file.name, message });
    if (area.refused.length && !area.photos.length && !isFull)
      toast(refusedText(area.refused, area.chosen), "error");
  }

  /**
   * @param {UploadArea} area
   * @param {number} count of its first photographs, which wait no more
   */
  letGo(area, count) {
    const gone = area.photos.splice(0, count);
    this.outbox.drop(gone.map(({ key }) => key));
  }

  /**
   * @param {UploadArea} area
   * @param {string} words
   */
  tell(area, words) {
    area.words = words;
    this.changed(area);
  }
}

/**
 * Returns a sentence about why the photographs of an area wait for a person. Those that no hand
 * takes any more are kept until the person lets them go, who else would not hear of them.
 * @param {UploadArea} area
 * @param {number} status of the last answer, 0 where none came
 * @param {any} answer
 * @returns {string}
 */
function whyStuck({ lost, photos: { length: count } }, status, answer) {
  if (lost) return say("js.unsent_gone", { count });
  return answer?.message ?? say(status ? "js.upload_broken" : "js.upload_unsent", { count });
}

/**
 * Settles when the network may be back, at the latest after the pause.
 * @param {number} pause in milliseconds
 * @returns {Promise<void>}
 */
function connection(pause) {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      resolve();
    };
    const timer = setTimeout(go, pause);
    addEventListener("online", go);
  });
}
