// Follows the news of a hand or a match. The windows of a browser share six connections to a
// server, and an open stream takes one. So a hidden page has no stream, and of the others only the
// latest have one; the rest look at times.

import { NO_ANSWER, isGone, showOffline } from "./server.js";

const POLL = 4000; // ms between looks of a page without a stream
const AGAIN = 3000; // ms, at least, before a stream that was refused is asked for again
const STREAMS = 3; // at most, in one browser: requests need connections, too

/** Returns the status of this page as the server answers it now; 0 where no answer comes. */
async function pageStatus() {
  const signal = AbortSignal.timeout(NO_ANSWER);
  return fetch(location.href, { method: "HEAD", signal }).then(
    ({ status }) => status,
    () => 0,
  );
}

export class News {
  /**
   * @param {string} url of the event stream
   * @param {() => void} onChange
   * @param {(() => void) | null} onTable where the match's watched table is followed too
   * @param {number} [pause] ms between looks without a stream
   */
  constructor(url, onChange, onTable, pause = POLL) {
    this.url = url;
    this.onChange = onChange;
    this.onTable = onTable;
    this.pause = pause;
    /** @type {BroadcastChannel | null} to the browser's other pages, while news are followed */
    this.channel = null;
    this.since = 0; // when this page began, which also names it
    /** @type {Set<number>} the pages that began after this one */
    this.later = new Set();
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Whether the streams of this browser belong to later pages. */
  get isDisplaced() {
    return this.later.size >= STREAMS;
  }

  /** Begins to follow the news, as the latest page. */
  begin() {
    if (this.channel) return;
    this.since = Date.now() + Math.random();
    this.later.clear();
    this.channel = new BroadcastChannel("burako-news"); // which needs no HTTPS, as locks do
    this.channel.addEventListener("message", ({ data }) => this.hear(data));
    this.channel.postMessage([this.since, true]);
    this.open();
  }

  end() {
    this.channel?.postMessage([this.since, false]);
    this.channel?.close();
    this.channel = null;
    this.close();
  }

  /** Becomes the latest page again: a person uses this one. */
  comeFirst() {
    if (!this.channel || !this.isDisplaced) return;
    this.end();
    this.begin();
  }

  /**
   * Notes that another page of this browser follows the news, or has ceased to.
   * @param {[since: number, isFollowing: boolean]} news
   */
  hear([since, isFollowing]) {
    const wasDisplaced = this.isDisplaced;
    if (isFollowing && since > this.since) this.later.add(since);
    else this.later.delete(since);
    if (this.isDisplaced === wasDisplaced) return;
    this.close();
    if (wasDisplaced) this.open();
    else this.poll();
  }

  close() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.source?.close();
    this.source = null;
  }

  open() {
    this.close();
    const source = new EventSource(this.url);
    this.source = source;
    source.addEventListener("change", () => this.online());
    let isBegun = false; // a stream begins with one event of each name
    source.addEventListener("match", () => {
      if (isBegun) this.onChange(); // a hand is scored by the rules of its match
      isBegun = true;
    });
    if (this.onTable) source.addEventListener("table", this.onTable);
    source.addEventListener("again", () => this.open());
    let isFull = false; // the server has no stream left, and the browser asks again soon
    source.addEventListener("full", () => {
      isFull = true;
      this.look();
    });
    source.addEventListener("error", () => {
      if (!isFull) showOffline(true);
      isFull = false;
      // A browser asks again by itself only where no answer came, and not after a refusal.
      if (source.readyState === EventSource.CLOSED) this.openLater();
    });
  }

  /** Opens a refused stream after a random time, so that not all pages ask at once. */
  openLater() {
    this.askLater(AGAIN * (1 + Math.random()), (status) => {
      if (isGone(status)) return location.reload();
      if (status === 401) showOffline(true, "not_joined");
      this.open();
    });
  }

  /** Looks at times, without a stream. */
  poll() {
    this.askLater(this.pause, (status) => {
      if (status === 0 || status >= 500) showOffline(true, "");
      else if (status === 401) showOffline(true, "not_joined");
      else this.look();
      this.poll();
    });
  }

  /**
   * Asks later for the status of this page, unless that is not wanted any more by then.
   * @param {number} pause in milliseconds
   * @param {(status: number) => void} then
   */
  askLater(pause, then) {
    const timer = setTimeout(async () => {
      const status = await pageStatus();
      if (this.timer === timer) then(status);
    }, pause);
    this.timer = timer;
  }

  look() {
    this.online();
    this.onTable?.();
  }

  online() {
    showOffline(false);
    this.onChange();
  }
}

/**
 * Follows the news while the page is seen. A lost connection is shown on the page, and when it is
 * back, what was missed is caught up with.
 * @param {string} url of the event stream
 * @param {() => void} onChange
 * @param {(() => void) | null} [onTable] where the match's watched table is followed too
 * @param {boolean} [isHeard] whether news are followed while the page is hidden, too, because it
 *   calls them out
 */
export function watch(url, onChange, onTable = null, isHeard = false) {
  const news = new News(url, onChange, onTable);
  const turn = () => {
    if (isHeard || document.visibilityState === "visible") news.begin();
    else news.end();
  };
  turn();
  addEventListener("pagehide", () => news.end());
  addEventListener("pageshow", turn); // a person comes back to the page
  addEventListener("focus", () => news.comeFirst());
  addEventListener("offline", () => showOffline(true));
  addEventListener("online", () => news.online());
  document.addEventListener("visibilitychange", () => {
    turn();
    if (document.visibilityState === "visible") onChange();
  });
}
