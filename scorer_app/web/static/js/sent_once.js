// Sends a form only once, even if its button is tapped twice or again because nothing has happened
// yet. Otherwise a hand would count twice.

const PATIENCE = 15_000; // ms without another page after which a person may try again

/** @type {Map<EventTarget, number>} when each form was sent */
const sent = new Map();

addEventListener("submit", (event) => {
  const { target, defaultPrevented } = event;
  if (defaultPrevented || !target) return; // a script sends it
  const last = sent.get(target);
  if (last !== undefined && performance.now() - last < PATIENCE) return event.preventDefault();
  sent.set(target, performance.now());
});
// A page that a person comes back to is as it was left.
addEventListener("pageshow", () => sent.clear());
