// The form of a new match. Another ruleset puts its own values into the options and proposes tiles
// or cards, unless the person has chosen these. Other pieces change the words of the options. Names
// and players stay.

import { byId, find } from "./dom.js";

const form = byId("new-match");
const options = byId("options");
const choice = form.querySelector("#pieces"); // where the form asks what is played with
let isChosen = choice instanceof HTMLElement && choice.dataset.chosen === "yes";

/**
 * Returns the input that is ticked among those of this name; null where the form has none.
 * @param {string} name
 * @returns {HTMLInputElement | null}
 */
function ticked(name) {
  return form.querySelector(`[name="${name}"]:checked`);
}

/**
 * Returns the form for the ruleset that is ticked and for the pieces that the person has chosen;
 * null where it does not come, or comes too late.
 */
async function formAsked() {
  const rules = ticked("ruleset")?.value ?? "";
  const asked = new URLSearchParams({ rules });
  const pieces = ticked("pieces")?.value ?? document.documentElement.dataset.pieces ?? "";
  if (isChosen || !choice) asked.set("pieces", pieces);
  const response = await fetch(`/matches/new?${asked}`);
  if (!response.ok || ticked("ruleset")?.value !== rules) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/** @param {Document} next */
function takeOptions(next) {
  const { open } = find(options, "details", HTMLDetailsElement);
  options.replaceChildren(...find(next, "#options", HTMLElement).childNodes);
  find(options, "details", HTMLDetailsElement).open = open;
}

/** Changes to another ruleset: its own values, and what it is played with. */
async function takeRules() {
  const next = await formAsked();
  if (!next) return;
  takeOptions(next);
  const proposed = next.querySelector("#pieces :checked");
  if (isChosen || !(proposed instanceof HTMLInputElement)) return;
  const same = choice?.querySelector(`[value="${proposed.value}"]`);
  if (same instanceof HTMLInputElement) same.checked = true;
}

/** Changes to other pieces: the same values in their words, and the jokers that their set has. */
async function takePieces() {
  isChosen = true;
  const next = await formAsked();
  if (!next) return;
  for (const field of options.querySelectorAll("input, select")) {
    if (field.getAttribute("name") === "jokers") continue;
    const other = next.querySelector(`#options [name="${field.getAttribute("name")}"]`);
    if (field instanceof HTMLInputElement && other instanceof HTMLInputElement) {
      other.value = field.value;
      other.checked = field.checked;
    } else if (field instanceof HTMLSelectElement && other instanceof HTMLSelectElement) {
      other.value = field.value;
    }
  }
  takeOptions(next);
}

form.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.name === "ruleset") takeRules();
  if (target.name === "pieces") takePieces();
});
// What was ticked before this script came, as on a slow network.
if (ticked("pieces")?.defaultChecked === false) takePieces();
else if (ticked("ruleset")?.defaultChecked === false) takeRules();
form.dataset.ready = "yes";
