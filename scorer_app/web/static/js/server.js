// Talks to the server. Edits go out in the order they were made; one that got no answer is sent
// again under its own name, which the server recognises, so nothing counts twice.

import { toast } from "./dom.js";
import { isDecided, isSignedOut, renewToken, token } from "./session.js";
import { say } from "./words.js";

const EDITS_AT_ONCE = 50; // at most in one request
const RETRY_EDITS = 1500; // ms after edits that got no answer
const RETRY_VIEW = 2000; // ms after a view that got no answer
const POLL = 4000; // ms between looks where the server has no stream left

/** A name for what is sent: the server knows by it what it has already got. */
export function freshKey() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-").slice(0, 40);
}

/** The server's refusal, with the sentence it gave. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{ message?: string, error?: string } | null} body
   */
  constructor(status, body) {
    super(body?.message ?? say("js.broken"));
    this.status = status;
    this.code = body?.error;
  }
}

/**
 * What the server answers, parsed. Throws Refused where it refuses, TypeError without an answer.
 * @param {string} url
 * @param {{ method?: string, json?: unknown, form?: BodyInit }} [options] `json` or `form` is sent
 * @returns {Promise<any>}
 */
export async function ask(url, { method = "GET", json, form } = {}) {
  /** @type {Record<string, string>} */
  const headers = { "X-CSRF-Token": token(), Accept: "application/json" };
  if (json !== undefined) headers["Content-Type"] = "application/json";
  const sent = json !== undefined ? JSON.stringify(json) : form;
  const response = await fetch(url, { method, headers, body: sent });
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

/**
 * Says on the page whether the server can be reached.
 * @param {boolean} offline
 */
export function showOffline(offline) {
  document.body.dataset.offline = offline ? "yes" : "no";
}

/**
 * Whether the server has understood and will not have it: asking again would not help.
 * @param {unknown} error
 * @returns {error is Refused}
 */
function isFinal(error) {
  return error instanceof Refused && isDecided(error.status);
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The line to one hand: its edits on their way, and what the server says of it. */
export class HandLine {
  /**
   * @param {string} handId
   * @param {(view: HandView) => void} onView
   */
  constructor(handId, onView) {
    this.url = `/api/hands/${handId}`;
    this.onView = onView;
    /** @type {Operation[]} */
    this.waiting = JSON.parse(sessionStorage.getItem(`/api/hands/${handId}`) ?? "[]");
    this.alone = 0; // how many of the first that wait are sent one by one
    /** @type {Promise<void> | null} settles once all edits have arrived */
    this.sending = null;
    this.version = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.later = undefined;
  }

  /**
   * Shows a view unless a newer one is shown already.
   * @param {HandView} view
   */
  show(view) {
    if (view.version < this.version) return;
    this.version = view.version;
    this.onView(view);
  }

  /**
   * Asks for the hand. Without an answer it says so and asks again by itself: a stream that hangs
   * in a dead network reports neither the loss nor the return.
   */
  async refresh() {
    clearTimeout(this.later);
    if (this.sending) return;
    try {
      const view = await ask(this.url);
      showOffline(false);
      this.show(view);
    } catch (error) {
      if (isFinal(error)) return toast(error.message, "error");
      showOffline(true);
      this.later = setTimeout(() => this.refresh(), RETRY_VIEW);
    }
  }

  /**
   * Sends edits after all that were made before them.
   * @param {...Operation} operations
   */
  edit(...operations) {
    this.waiting.push(...operations.map((operation) => ({ key: freshKey(), ...operation })));
    this.remember();
    return this.flush();
  }

  /** Settles once every edit made so far has arrived or was refused. */
  flush() {
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
    return this.sending;
  }

  async sendAll() {
    while (this.waiting.length) {
      const count = this.alone > 0 ? 1 : EDITS_AT_ONCE;
      await this.sendBatch(this.waiting.slice(0, count));
    }
  }

  /** @param {Operation[]} batch the first of those that wait */
  async sendBatch(batch) {
    try {
      const view = await ask(`${this.url}/edits`, { method: "POST", json: { edits: batch } });
      this.settle(batch.length);
      showOffline(false);
      this.show(view);
    } catch (error) {
      if (!isFinal(error)) return this.waitAWhile(error);
      if (batch.length > 1) return void (this.alone = batch.length); // one of them was refused
      this.settle(1);
      toast(error.message, "error");
      await this.look();
    }
  }

  /**
   * The first edits that wait have arrived, or were refused.
   * @param {number} count
   */
  settle(count) {
    this.waiting.splice(0, count);
    this.alone = Math.max(0, this.alone - count);
    this.remember();
  }

  /**
   * Nobody has decided about the edits: they stay, and are sent again.
   * @param {unknown} error
   */
  async waitAWhile(error) {
    showOffline(true);
    if (error instanceof Refused && isSignedOut(error.status)) {
      toast(error.message, "error");
      await renewToken();
    }
    await sleep(RETRY_EDITS);
  }

  /** Keeps what waits over a reload, or over a visit to the page where one joins again. */
  remember() {
    if (this.waiting.length) sessionStorage.setItem(this.url, JSON.stringify(this.waiting));
    else sessionStorage.removeItem(this.url);
  }

  /** Shows the hand as it is after a refusal. Without an answer the next look shows it. */
  async look() {
    const view = await ask(this.url).catch(() => null);
    if (view) this.show(view);
  }

  /**
   * Posts to an address below the hand's; the view that is answered, or null where it failed.
   * @param {string} path
   * @param {{ json?: unknown }} [options]
   * @returns {Promise<HandView | null>}
   */
  async post(path, options = {}) {
    try {
      const view = await ask(`${this.url}/${path}`, { method: "POST", ...options });
      this.show(view);
      return view;
    } catch (error) {
      toast(error instanceof Error ? error.message : say("js.broken"), "error");
      if (error instanceof Refused && error.status === 409) this.refresh();
      return null;
    }
  }
}

/**
 * Follows the news of a hand or a match. A lost connection is shown; what was missed meanwhile is
 * caught up with when it is back.
 * @param {string} url of the event stream
 * @param {() => void} onChange
 * @param {(() => void) | null} [onTable] where the match's watched table is followed too
 */
export function watch(url, onChange, onTable = null) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let polling;
  const source = new EventSource(url);
  const online = () => {
    showOffline(false);
    onChange();
  };
  const look = () => {
    onChange();
    onTable?.();
  };
  source.addEventListener("change", online);
  if (onTable) source.addEventListener("table", onTable);
  source.addEventListener("full", () => (polling ??= setInterval(look, POLL)));
  source.addEventListener("error", () => showOffline(true));
  window.addEventListener("offline", () => showOffline(true));
  window.addEventListener("online", online);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") onChange();
  });
}
