// What has happened, in sentences: listed, and on request spoken and felt.

import { h, say, show, tileFace } from "./dom.js";
import { stateOf } from "./table_overlay.js";

const KEPT = 100;

export class Alerts {
  constructor(log, melds, speak, vibrate) {
    Object.assign(this, { log, melds, speak, vibrate });
    speak.disabled = !("speechSynthesis" in window);
    vibrate.disabled = !("vibrate" in navigator);
  }

  tell(event) {
    const state = event.doubtful ? "doubtful" : event.legal ? "legal" : "illegal";
    const clock = new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    const line = h("li", { "data-state": state, "data-alarming": event.alarming ? "yes" : "no" }, h("time", {}, clock), event.message);
    this.log.prepend(line);
    while (this.log.children.length > KEPT) this.log.lastChild.remove();
    if (!event.alarming) return;
    if (this.vibrate.checked) navigator.vibrate?.([200, 100, 200]);
    if (this.speak.checked) this.say(event.message);
  }

  say(sentence) {
    const words = new SpeechSynthesisUtterance(sentence);
    words.lang = document.documentElement.lang;
    window.speechSynthesis.speak(words);
  }

  table(table, order) {
    const melds = table?.melds ?? [];
    show(this.melds, ...(melds.length ? melds.map((meld) => this.meld(meld, order)) : [h("li", {}, say("js.live.no_melds"))]));
  }

  meld(meld, order) {
    const state = stateOf(meld);
    const told = [meld.side, meld.overruled ? say("js.accepted") : say(`js.live.${state}`)].filter(Boolean).join(" · ");
    const accept = state === "illegal" && h("button", { type: "button", class: "quiet", "data-key": `accept-${meld.id}`, onclick: () => order({ op: "overrule", meld: meld.id }) }, say("js.accept_anyway"));
    return h("li", { "data-state": state }, h("div", { class: "live-row" }, meld.tiles.map((face) => tileFace(face, { class: "small" }))), told, " ", accept);
  }
}
