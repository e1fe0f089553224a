// Sends the frames of this device's camera to the server, one at a time, while this camera watches.

import { FrameChanges, SCALE, inFrame } from "./frame_changes.js";
import { Refused, ask, sleep } from "./server.js";
import { reasonOf } from "./table_camera.js";
import { say } from "./words.js";

const INTERVAL = 140; // ms from frame to frame; a slow answer makes it longer, nothing queues
const SHORTEST_PAUSE = 20; // ms between an answer and the next frame
const PAUSE = 1500; // ms before trying again after a refusal or a lost connection
const LATE = 10_000; // ms after which a camera is late to open: it may never do, and say nothing

const STALE = "stale"; // the server had another frame: the next one goes whole

/** @typedef {import("./table_camera.js").Camera} Camera */
/** @typedef {import("./table_view.js").TableView} TableView */

export class Feed {
  /**
   * @param {Camera} camera
   * @param {string} address where frames are posted, with a query to which more can be added
   * @param {TableView} view
   * @param {object} tell
   * @param {(state: WatchState) => void} tell.take what the referee answers
   * @param {(text: string, bad?: boolean) => void} tell.status
   * @param {() => void} tell.changed it has started or stopped
   * @param {() => void} tell.late the camera is late to open
   * @param {() => void} tell.follow another device watches
   * @param {(milliseconds: number) => void} tell.answered how long the referee took
   */
  constructor(camera, address, view, tell) {
    this.camera = camera;
    this.address = address;
    this.view = view;
    this.tell = tell;
    this.running = false;
    this.lost = false; // whether it ended because of a fault
    this.round = 0; // a new round ends the loops of earlier ones
    this.changes = new FrameChanges();
    this.known = ""; // the name of the last frame that the server has, as far as it is known
  }

  async start() {
    this.tell.status(say("js.live.opening"));
    const late = setTimeout(() => this.running || this.tell.late(), LATE);
    try {
      if (!(await this.camera.open())) return; // somebody stopped it, or it is opened once more
    } catch (error) {
      return this.stop(reasonOf(error), true);
    } finally {
      clearTimeout(late);
    }
    this.running = true;
    this.lost = false;
    this.known = "";
    this.round += 1;
    this.tell.status(say("js.live.looking"));
    this.tell.changed();
    this.loop(this.round);
  }

  /**
   * @param {string} reason the key of a sentence
   * @param {boolean} [lost] whether it was a fault
   */
  stop(reason, lost = false) {
    this.camera.close();
    this.running = false;
    this.lost = lost;
    this.round += 1;
    this.tell.changed();
    this.tell.status(say(reason), lost);
  }

  /** @param {number} round */
  isCurrent(round) {
    return this.running && this.round === round;
  }

  /** @param {number} round */
  async loop(round) {
    while (this.isCurrent(round)) {
      const begun = performance.now();
      const seen = document.visibilityState === "visible";
      const interval = seen ? await this.send(round) : INTERVAL;
      await sleep(Math.max(SHORTEST_PAUSE, interval - (performance.now() - begun)));
    }
  }

  /**
   * Sends one frame. Returns the milliseconds from its beginning to the beginning of the next.
   * @param {number} round
   */
  async send(round) {
    if (!this.camera.draw()) return INTERVAL;
    try {
      const { query, form } = await this.shot();
      const posted = performance.now();
      const address = `${this.address}&${this.view.known}${query}`;
      const state = await ask(address, { method: "POST", form });
      if (this.isCurrent(round)) this.took(state, performance.now() - posted);
      return INTERVAL;
    } catch (error) {
      this.known = "";
      if (error instanceof Refused && error.code === STALE) return INTERVAL;
      if (this.isCurrent(round)) this.failed(error);
      return PAUSE;
    }
  }

  /**
   * Returns what to send of the picture taken last: all of it, or the part that has changed.
   * @returns {Promise<{ query: string, form: Blob | string }>}
   */
  async shot() {
    if (!this.known) this.changes.forget();
    const copy = this.camera.copy(SCALE);
    const taken = this.changes.take(copy, performance.now());
    if (taken === "whole") return { query: "", form: (await this.camera.whole()) ?? "" };
    const known = `&known=${encodeURIComponent(this.known)}`;
    if (taken === "nothing") return { query: known, form: "" };
    const part = inFrame(taken, copy, this.camera.canvas);
    const form = await this.camera.part(part);
    return { query: `${known}&left=${part.left}&top=${part.top}`, form: form ?? "" };
  }

  /**
   * @param {WatchState} state
   * @param {number} milliseconds
   */
  took(state, milliseconds) {
    this.known = state.frame;
    this.tell.take(state);
    this.tell.answered(Math.round(milliseconds));
    if (document.visibilityState !== "visible") return;
    this.tell.status(say(this.view.table ? "js.live.watching" : "js.live.looking"));
  }

  /** @param {unknown} error */
  failed(error) {
    if (!(error instanceof Refused)) return this.tell.status(say("js.live.offline"), true);
    if (error.status === 429) return; // frames came too fast: the pause is enough
    if (error.code !== "busy") return this.tell.status(error.message, true);
    this.stop("js.live.following");
    this.tell.follow();
  }
}
