// The line of an area that says what is done with its photographs.

import { equal, test } from "./harness.js";

import { drawSlot } from "../../scorer_app/web/static/js/hand_slots.js";

test("how much of a photograph is sent is read out once, and what comes after it", () => {
  document.body.innerHTML = '<div id="s"><p class="slot-status" role="status"></p></div>';
  const slot = /** @type {HTMLElement} */ (document.getElementById("s"));
  const line = /** @type {HTMLElement} */ (slot.querySelector(".slot-status"));
  /**
   * Returns the texts that are read out.
   * @param {string[]} texts
   * @param {boolean} busy
   */
  const readOut = (texts, busy) =>
    texts.filter((text) => {
      drawSlot(slot, { text, filled: false, busy, failed: false, warned: false });
      equal(line.textContent, text);
      return line.ariaLive !== "off";
    });
  equal(readOut(["Enviando… 7 %", "Enviando… 42 %", "Enviando… 100 %"], true), ["Enviando… 7 %"]);
  equal(readOut(["Leyendo"], true), ["Leyendo"]);
  equal(readOut(["5 fichas", "6 fichas"], false), ["5 fichas", "6 fichas"]);
});
