// The connection of the page to one hand. Edits are sent in the order in which they were made. One
// that got no answer is sent again under its own key, which the server recognises, so nothing
// counts twice.

import { toast } from "./dom.js";
import { answeredElsewhere } from "./hand_news.js";
import { freshKey, isRepeated, lessOne } from "./outbox.js";
import { Refused, ask, codeOf, isFinal, isGone, isSignedOut, needsCode } from "./server.js";
import { renewToken, showOffline, sleep, troubleOf } from "./server.js";
import { UNDO, cancelledBy, noteUndone, withWaiting } from "./waiting.js";
import { say } from "./words.js";

const EDITS_AT_ONCE = 50; // at most in one request
const RETRY_EDITS = 1500; // ms after edits that got no answer
const RETRY_VIEW = 2000; // ms after a view that got no answer

export class HandLine {
  /**
   * @param {string} handId
   * @param {(view: HandView) => void} onView is given the hand with what waits in it
   * @param {Outbox} outbox
   */
  constructor(handId, onView, outbox) {
    this.hand = handId;
    this.url = `/api/hands/${handId}`;
    this.onView = onView;
    this.outbox = outbox;
    /** @type {HandView | null} the hand as the server answered it last */
    this.view = null;
    /** @type {Operation[]} the edits that wait, each with its key */
    this.waiting = [];
    /** @type {Set<string>} the keys of edits that the server may have got */
    this.sent = new Set();
    this.alone = 0; // how many of the first that wait are sent one by one
    /** @type {Promise<void> | null} settles once all edits have arrived */
    this.sending = null;
    this.isBehind = false; // whether a change came that the edits' answer may not contain
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.later = undefined;
    this.looks = 0; // how often the hand was asked for
    this.stumbles = 0; // how often edits got no final answer
    this.isOutdated = false; // whether the page around the hand is made for another view
    this.isGone = false; // whether the server has no such hand any more, or it was thrown away
    this.reload = () => location.reload();
    this.isRestored = false; // whether what waited when the page was left is taken up
    this.restored = outbox.takeUp(handId, (kept) => this.restore(kept));
  }

  /** The version of the hand that is shown; 0 before the first. */
  get version() {
    return this.view?.version ?? 0;
  }

  /**
   * Takes up the edits that waited when the page was left.
   * @param {Unsent[]} kept
   */
  restore(kept) {
    this.isRestored = true;
    const known = new Set(this.waiting.map(({ key }) => String(key)));
    const edits = kept.flatMap(({ key, operation }) =>
      operation && !known.has(key) ? [operation] : [],
    );
    this.waiting.unshift(...edits);
    for (const { key } of edits) this.sent.add(String(key));
    if (!edits.length) return;
    this.draw();
    setTimeout(() => this.flush());
  }

  /**
   * Shows a view unless a newer one is shown. A lower version is newer if nothing was shown since
   * it was asked for: a power cut took the last changes from the server. Where the match has
   * changed between tiles and cards, or its sides have other names, the page is loaded anew, as its
   * words and its form are those of before; what still waits is sent first.
   * @param {HandView} view
   * @param {HandView | null} [before] what was shown when it was asked for
   */
  show(view, before) {
    if (view.version < this.version && before !== this.view) return;
    this.isOutdated ||= this.view !== null && pageFacts(this.view) !== pageFacts(view);
    this.view = view;
    if (this.isOutdated && !this.waiting.length) this.reload();
    this.draw();
  }

  /** Shows the hand as it will be once the server has all edits that wait. */
  draw() {
    if (this.view) this.onView(withWaiting(this.view, this.waiting));
  }

  /**
   * Asks for the hand. While edits are being sent that waits until they have arrived, because their
   * answer may have been made before the change that calls for this. Where no answer comes, the
   * page says so and asks again by itself: a stream that hangs in a dead network reports neither
   * its loss nor its return.
   */
  async refresh() {
    clearTimeout(this.later);
    if (this.sending) return void (this.isBehind = true);
    const look = (this.looks += 1);
    const before = this.view;
    try {
      const view = await ask(this.url);
      showOffline(false);
      if (look !== this.looks) return; // a later one may have been answered before this one
      if (this.sending) return void (this.isBehind = true);
      const news = this.view && answeredElsewhere(this.view, view, this.waiting);
      this.show(view, before);
      if (news) toast(news);
    } catch (error) {
      if (isFinal(error)) return void (this.leaveIfGone(error) || toast(error.message, "error"));
      showOffline(true, codeOf(error), troubleOf(error));
      this.later = setTimeout(() => this.refresh(), RETRY_VIEW);
    }
  }

  /**
   * Sends edits, after all that were made before them. Those of a button that is tapped again while
   * the first tap waits are not sent twice.
   * @param {...Operation} operations
   */
  edit(...operations) {
    if (isRepeated(operations, this.waiting.slice(-operations.length))) return this.flush();
    const made = operations.map((operation) => ({ key: freshKey(), ...operation }));
    this.waiting.push(...made);
    this.outbox.put(made.map((operation) => ({ key: operation.key, hand: this.hand, operation })));
    this.draw();
    return this.flush();
  }

  /**
   * Undoes the last edit, and returns whether there was one.
   * @returns {Promise<boolean>}
   */
  async undo() {
    const gone = cancelledBy(this.waiting);
    const last = this.waiting.findLast(({ op, key }) => op !== UNDO && !gone.has(key));
    const key = last?.key ?? this.view?.undo?.key;
    if (!key) return false;
    if (gone.has(key)) {
      await this.flush(); // the server then says which step is the next to undo
      return this.undo();
    }
    await this.takeBack(String(key));
    return true;
  }

  /**
   * Undoes one edit. One that the server cannot have got is dropped here; any other is undone on
   * the server.
   * @param {string} key of the edit
   */
  takeBack(key) {
    const unsent = this.waiting.filter((one) => one.key === key && !this.sent.has(key));
    if (!unsent.length) return this.edit({ op: UNDO, of: key });
    this.letGo(unsent);
    this.draw();
    return Promise.resolve();
  }

  /**
   * Takes back the last tile that an edit adds, and keeps its others.
   * @param {string} key of the edit, which waits
   */
  takeBackTile(key) {
    const added = this.waiting.find((one) => one.key === key);
    const taken = this.takeBack(key);
    const kept = added && lessOne(added);
    return kept ? this.edit(kept) : taken;
  }

  /** Settles once every edit made so far has arrived or was refused. */
  flush() {
    this.sending ??= this.sendAll().finally(() => this.catchUp());
    return this.sending;
  }

  /** Notes that nothing is being sent any more, and asks for changes that came meanwhile. */
  catchUp() {
    this.sending = null;
    if (!this.isBehind) return;
    this.isBehind = false;
    void this.refresh();
  }

  async sendAll() {
    if (!this.isRestored) await this.restored;
    while (this.waiting.length && !this.isGone) {
      const isUndo = this.waiting[0].op === UNDO;
      const most = isUndo || this.alone > 0 ? 1 : EDITS_AT_ONCE;
      const end = isUndo ? 1 : this.waiting.findIndex(({ op }) => op === UNDO);
      const batch = this.waiting.slice(0, end < 0 ? most : Math.min(end, most));
      for (const { key } of batch) this.sent.add(String(key));
      await this.sendBatch(batch, isUndo);
    }
  }

  /**
   * @param {Operation[]} batch the first of those that wait
   * @param {boolean} isUndo whether it is one undoing
   */
  async sendBatch(batch, isUndo) {
    const [path, json] = isUndo ? ["undo", { key: batch[0].of }] : ["edits", { edits: batch }];
    const before = this.view;
    try {
      const view = await ask(`${this.url}/${path}`, { method: "POST", json });
      if (this.view) noteUndone(this.waiting, batch, this.view, view);
      this.letGo(batch);
      showOffline(false);
      this.show(view, before);
    } catch (error) {
      if (!isFinal(error)) return this.waitAWhile(error);
      if (this.leaveIfGone(error)) return;
      this.isGone = error.code === "discarded"; // what waits is kept until a person lets it go
      // One of several is refused: they are sent one by one.
      if (batch.length > 1 && !this.isGone) return void (this.alone = batch.length);
      if (!this.isGone) this.letGo(batch);
      toast(error.message, "error");
      await this.look();
    }
  }

  /**
   * Loads the page anew where the hand is gone, perhaps with its whole match, so that the server
   * says it. What waits is kept: the first page asks whether to let it go. Returns whether the hand
   * is gone.
   * @param {Refused} error
   */
  leaveIfGone({ status }) {
    if (!isGone(status)) return false;
    this.isGone = true;
    this.reload();
    return true;
  }

  /**
   * Drops edits that have arrived, were refused or are taken back.
   * @param {Operation[]} operations some of those that wait
   */
  letGo(operations) {
    const keys = operations.map(({ key }) => String(key));
    this.waiting = this.waiting.filter(({ key }) => !keys.includes(String(key)));
    this.alone = Math.max(0, this.alone - keys.length);
    for (const key of keys) this.sent.delete(key);
    this.outbox.drop(keys);
  }

  /**
   * Waits before edits are sent again to which the server has given no final answer.
   * @param {unknown} error
   */
  async waitAWhile(error) {
    this.stumbles += 1;
    showOffline(true, codeOf(error), troubleOf(error));
    if (error instanceof Refused && isSignedOut(error.status)) {
      if (!needsCode(error.code)) toast(error.message, "error"); // else it would cover the link
      await renewToken();
    }
    await sleep(RETRY_EDITS);
  }

  /** Shows the hand as it is after a refusal. Where no answer comes, the next request shows it. */
  async look() {
    const before = this.view;
    const view = await ask(this.url).catch(() => null);
    if (view) this.show(view, before);
    else this.draw();
  }

  /**
   * Asks for a change at an address below the hand's, with POST unless `options` names another
   * method. Returns the hand in the answer, or null where that failed.
   * @param {string} path
   * @param {{ method?: string, json?: unknown }} [options]
   * @returns {Promise<HandView | null>}
   */
  async post(path, options = {}) {
    const before = this.view;
    try {
      const view = await ask(`${this.url}/${path}`, { method: "POST", ...options });
      this.show(view, before);
      return view;
    } catch (error) {
      if (needsCode(codeOf(error))) showOffline(true, codeOf(error));
      else toast(error instanceof Refused ? error.message : say("js.no_answer"), "error");
      if (error instanceof Refused && error.status === 409) this.refresh();
      return null;
    }
  }
}

/**
 * Returns as text what the page says of a hand's match besides what is drawn from each view.
 * @param {HandView} view
 */
function pageFacts({ pieces, score }) {
  return JSON.stringify([pieces, score.A.name, score.B.name]);
}
