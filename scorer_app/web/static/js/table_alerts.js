// What has happened, in sentences and small pictures: listed, and on request spoken and felt.

import { faceName, h, say, spoken, withTiles } from "./dom.js";

const KEPT = 100;
const FRESH = 20; // seconds: what was told before this page was opened is listed, but alarms nobody

export class Alerts {
  constructor(log, base, alarm) {
    Object.assign(this, { log, base, alarm });
    this.clear();
  }

  clear() {
    this.log.replaceChildren(h("li", { class: "nothing" }, say("js.live.nothing_yet")));
  }

  tell(event, watch) {
    this.log.querySelector(".nothing")?.remove();
    const state = event.doubtful ? "doubtful" : event.legal ? "legal" : "illegal";
    const when = new Date(Date.now() - 1000 * event.ago);
    const clock = when.toLocaleTimeString(document.documentElement.lang, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
    const words = h(
      "p",
      {},
      h("time", { datetime: when.toISOString() }, clock),
      event.side && h("b", {}, `${event.side} `),
      withTiles(event.message),
    );
    const line = h(
      "li",
      { "data-state": state, "data-alarming": event.alarming ? "yes" : "no" },
      event.thumbnail && this.picture(event, watch),
      words,
    );
    this.log.prepend(line);
    while (this.log.children.length > KEPT) this.log.lastChild.remove();
    if (event.alarming && event.ago < FRESH) this.alarm(event.message);
  }

  picture(event, watch) {
    const query = new URLSearchParams({ watch, event: event.number });
    const tiles = event.tiles.map(faceName).join(", ");
    return h("img", {
      src: `${this.base}/thumbnail.jpg?${query}`,
      alt: say("js.live.thumbnail", { tiles }),
      loading: "lazy",
    });
  }
}

// Alarms for ears and hands, as far as the browser has them and the two boxes are ticked.
export function aloud(speak, vibrate) {
  speak.disabled = !("speechSynthesis" in window);
  vibrate.disabled = !("vibrate" in navigator);
  return (sentence) => {
    if (vibrate.checked) navigator.vibrate?.([200, 100, 200]);
    if (!speak.checked) return;
    const words = new SpeechSynthesisUtterance(spoken(sentence));
    words.lang = document.documentElement.lang;
    window.speechSynthesis.speak(words);
  };
}
