// Lists what has happened on the watched table, in sentences and small pictures, and sounds the
// alarm for what is not allowed.

import { h, withTiles } from "./dom.js";
import { faceName, say } from "./words.js";

const KEPT = 100; // events
const FRESH = 20; // seconds: an event from before this page was opened is listed, but alarms nobody

/**
 * Returns the verdict on an event in one word.
 * @param {Pick<TableEvent, "doubtful" | "legal">} event
 * @returns {"doubtful" | "legal" | "illegal"}
 */
export function eventState({ doubtful, legal }) {
  if (doubtful) return "doubtful";
  return legal ? "legal" : "illegal";
}

/**
 * Whether an event in the list should also sound the alarm.
 * @param {Pick<TableEvent, "alarming" | "ago">} event
 */
export function isAlarm({ alarming, ago }) {
  return alarming && ago < FRESH;
}

export class Alerts {
  /**
   * @param {HTMLElement} log newest first
   * @param {string} base of the table's addresses
   * @param {(sentence: string) => void} alarm
   * @param {Record<Side, string>} [names] of the sides
   */
  constructor(log, base, alarm, names = { A: "A", B: "B" }) {
    this.log = log;
    this.base = base;
    this.alarm = alarm;
    this.names = names;
    this.clear();
  }

  clear() {
    this.log.replaceChildren(h("li", { class: "nothing" }, say("js.live.nothing_yet")));
  }

  /**
   * @param {TableEvent} event
   * @param {string} watch the name of the watch that saw it
   */
  add(event, watch) {
    this.log.querySelector(".nothing")?.remove();
    this.log.prepend(this.line(event, watch));
    while (this.log.children.length > KEPT) this.log.lastElementChild?.remove();
    if (isAlarm(event)) this.alarm(event.message);
  }

  /**
   * @param {TableEvent} event
   * @param {string} watch
   */
  line(event, watch) {
    const when = new Date(Date.now() - 1000 * event.ago);
    const words = h(
      "p",
      {},
      h("time", { datetime: when.toISOString() }, clockTime(when)),
      event.side && h("b", {}, `${this.names[event.side]}: `),
      withTiles(event.message),
    );
    const props = {
      "data-state": eventState(event),
      "data-alarming": event.alarming ? "yes" : "no",
    };
    return h("li", props, event.thumbnail && this.picture(event, watch), words);
  }

  /**
   * @param {TableEvent} event
   * @param {string} watch
   */
  picture(event, watch) {
    const query = new URLSearchParams({ watch, event: String(event.number) });
    const tiles = event.tiles.map(faceName).join(", ");
    return h("img", {
      src: `${this.base}/thumbnail.jpg?${query}`,
      alt: say("js.live.thumbnail", { tiles }),
      loading: "lazy",
    });
  }
}

/**
 * Writes hours, minutes and seconds as the page's language does.
 * @param {Date} when
 */
function clockTime(when) {
  return when.toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
}
