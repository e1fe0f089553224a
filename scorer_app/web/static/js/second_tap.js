// Many people tap twice where one tap is enough. The second tap is dropped where the first one put
// something else under the finger: a dialog, the page under a dialog, the next question, or another
// part of a page that has moved.

const SECOND_TAP = 600; // ms after a tap in which another one at the same place belongs to it
const SAME_PLACE = 24; // pixels
export const SURE_FOR = 10_000; // ms in which a button that asks takes another tap as the answer

/** @type {MouseEvent | null} null where a key was pressed since */
let last = null;
/** @type {MouseEvent | null} the tap that put something else under the finger */
let answered = null;

// A dropped press of the button leaves the focus where it is.
addEventListener("mousedown", dropIfSecond, { capture: true });
addEventListener("click", onClick, { capture: true });
addEventListener("keydown", () => (last = null), { capture: true });

/** @param {MouseEvent} event */
function onClick(event) {
  if (!event.isTrusted || event.detail === 0) return; // by a script, or by keyboard
  last = event;
  dropIfSecond(event);
}

/** @param {MouseEvent} event */
function dropIfSecond(event) {
  if (!event.isTrusted || !answered || event.timeStamp - answered.timeStamp > SECOND_TAP) return;
  const [x, y] = [event.clientX - answered.clientX, event.clientY - answered.clientY];
  if (Math.hypot(x, y) > SAME_PLACE) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Notes that the last tap puts something else under the finger. */
export function dropSecondTap() {
  answered = last;
}
