// The form of a new match. Another ruleset puts its own values into the options and proposes tiles
// or cards, unless the person has chosen these. Other pieces change the words of the options, and
// propose the ruleset that such a match usually has, unless the person has chosen one or changed
// an option. Names and players stay. Whoever comes back to the ruleset and the pieces of a match
// that is changed finds the options of the match.

import { byId, find } from "./dom.js";

const form = byId("new-match");
const options = byId("options");
const choice = form.querySelector("#pieces"); // where the form asks what is played with
const asBegun = form.outerHTML; // with the values that the page came with
let isChosen = choice instanceof HTMLElement && choice.dataset.chosen === "yes";
let areRulesChosen = false;
let turn = 0; // the number of the form that was asked for last
let isOfOthers = false; // whether the options still are those of another ruleset

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
 * null where it does not come. For those that were ticked when the page came it is as it came.
 */
async function formAsked() {
  const changed = ["ruleset", "pieces"].some((name) => ticked(name)?.defaultChecked === false);
  if (!changed) return new DOMParser().parseFromString(asBegun, "text/html");
  const asked = new URLSearchParams({ rules: ticked("ruleset")?.value ?? "" });
  const pieces = ticked("pieces")?.value ?? document.documentElement.dataset.pieces ?? "";
  if (isChosen || !choice) asked.set("pieces", pieces);
  const response = await fetch(`/matches/new?${asked}`).catch(() => null);
  if (!response?.ok) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/**
 * Leaves fields of the options out of what is sent, until others take their place: the server then
 * takes what the ruleset and the pieces mean.
 * @param {string} selector
 */
function leaveOut(selector) {
  for (const field of options.querySelectorAll(selector)) field.setAttribute("disabled", "");
}

/** @param {Document} next */
function takeOptions(next) {
  const { open } = find(options, "details", HTMLDetailsElement);
  options.replaceChildren(...find(next, "#options", HTMLElement).childNodes);
  find(options, "details", HTMLDetailsElement).open = open;
  takeWords(next);
}

/**
 * Describes the rulesets in the words of the pieces: some tell how many are dealt.
 * @param {Document} next
 */
function takeWords(next) {
  for (const input of form.querySelectorAll('[name="ruleset"]')) {
    const same = next.querySelector(`[name="ruleset"][value="${input.getAttribute("value")}"]`);
    const [words, others] = [input, same].map((one) => one?.nextElementSibling);
    if (words && others) words.replaceChildren(...others.childNodes);
  }
}

/**
 * Gives the values that a person sees to another form, except those that depend on the pieces.
 * @param {Document} next
 */
function copyValues(next) {
  for (const field of options.querySelectorAll("input, select")) {
    if (["jokers", "options_shown"].includes(field.getAttribute("name") ?? "")) continue;
    const other = next.querySelector(`#options [name="${field.getAttribute("name")}"]`);
    if (field instanceof HTMLInputElement && other instanceof HTMLInputElement) {
      other.value = field.value;
      other.checked = field.checked;
    } else if (field instanceof HTMLSelectElement && other instanceof HTMLSelectElement) {
      other.value = field.value;
    }
  }
}

/** Shows the options of what was chosen last. */
async function renew() {
  turn += 1;
  const mine = turn;
  const next = await formAsked();
  if (!next || mine !== turn) return;
  if (!isOfOthers) copyValues(next);
  takeOptions(next);
  isOfOthers = false;
  const proposed = next.querySelector("#pieces :checked");
  if (isChosen || !(proposed instanceof HTMLInputElement)) return;
  const same = choice?.querySelector(`[value="${proposed.value}"]`);
  if (same instanceof HTMLInputElement) same.checked = true;
}

/** Changes to another ruleset: its own values, and what it is played with. */
function takeRules() {
  isOfOthers = true;
  leaveOut("input, select");
  return renew();
}

/**
 * Changes to other pieces: to the ruleset that they usually have or, where the person has chosen
 * one, to the same values in other words and the jokers that their set has.
 */
function takePieces() {
  isChosen = true;
  const usual = ticked("pieces")?.dataset.rules;
  const rules = form.querySelector(`[name="ruleset"][value="${usual}"]`);
  if (!areRulesChosen && rules instanceof HTMLInputElement && !rules.checked) {
    rules.checked = true;
    return takeRules();
  }
  leaveOut('[name="jokers"]');
  return renew();
}

form.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  areRulesChosen ||= target.name === "ruleset" || options.contains(target);
  if (target.name === "ruleset") takeRules();
  if (target.name === "pieces") takePieces();
});
/**
 * Tells whether a field holds another value than the page came with.
 * @param {Element} field
 */
function isChanged(field) {
  if (field instanceof HTMLInputElement) {
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  }
  if (!(field instanceof HTMLSelectElement)) return false;
  const usual = [...field.options].findIndex((one) => one.defaultSelected);
  return field.selectedIndex !== Math.max(usual, 0);
}

// What was chosen before this script came, as on a slow network, or before the browser went back.
if (ticked("pieces")?.defaultChecked === false) isChosen = true;
areRulesChosen =
  ticked("ruleset")?.value !== ticked("pieces")?.dataset.rules ||
  [...options.querySelectorAll("input, select")].some(isChanged);
if (ticked("ruleset")?.defaultChecked === false) takeRules();
else if (ticked("pieces")?.defaultChecked === false) takePieces();
form.dataset.ready = "yes";
