// Makes requests to the server follow one another.

import { isFinal, sleep } from "./server.js";

const AGAIN = 2000; // ms after a look without an answer

/**
 * Returns a function that looks at the server, but never twice at a time, since two answers could
 * arrive in the wrong order. A call during a look has another look follow, as the answer may have
 * been made before the change that called for it. A look that gets no answer is repeated by itself.
 * @param {() => Promise<void>} look throws where it gets no answer
 * @param {number} [pause] ms after a look without an answer
 * @returns {() => Promise<void>} settles once what was news by then is shown, or a look under way
 *   will show it
 */
export function inTurn(look, pause = AGAIN) {
  let isLooking = false;
  let isBehind = false;
  return async () => {
    isBehind = true;
    if (isLooking) return;
    isLooking = true;
    while (isBehind) {
      isBehind = false;
      try {
        await look();
      } catch (error) {
        if (isFinal(error)) continue;
        isBehind = true;
        await sleep(pause);
      }
    }
    isLooking = false;
  };
}
