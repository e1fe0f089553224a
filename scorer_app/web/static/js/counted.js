// The form of a hand that people counted themselves. What is typed outlives a reload of the page.
// Once it is saved the match takes the place of the form, so that going back shows it only once.

import { turnSign } from "./closing.js";
import { find, h, toast } from "./dom.js";
import { forget, keep, recall, TAB } from "./kept.js";
import { say } from "./words.js";

const PATIENCE = 15_000; // ms after which no answer is expected any more
// The form of a new hand has an id in its address.
const KEPT = `burakoPoints ${location.pathname}${location.search}`;
const JOINING = `${KEPT} joining`; // whether the person was sent to type the join code
const form = () => find(document, "#count", HTMLFormElement);
let isSending = false; // two taps are one hand

/** @returns {HTMLInputElement[]} the fields in which people write */
const fields = () => [...form().querySelectorAll("input")].filter(({ type }) => type !== "hidden");

/**
 * Returns what the hand had in a field when the form was shown; nothing for a new hand.
 * @param {HTMLInputElement} field
 */
function shown({ name }) {
  const given = form().elements.namedItem(`shown_${name}`);
  return given instanceof HTMLInputElement ? given.value : "";
}

/**
 * Returns the fields that tell the server for which next hand the form was shown; none in the form
 * of a hand that is corrected.
 * @returns {HTMLInputElement[]}
 */
const nextHand = () =>
  [...form().querySelectorAll("input")].filter(({ name }) => /^shown_(hand|draft)$/.test(name));

/** Keeps what has been typed, field by field, with what the field held before. */
function keepTyped() {
  const typed = fields().filter((field) => field.value !== shown(field));
  const kept = typed.map((field) => [field.name, [shown(field), field.value]]);
  kept.push(...nextHand().map(({ name, value }) => [name, ["", value]]));
  keep(TAB, KEPT, Object.fromEntries(kept));
}

/**
 * Writes again what was kept, except where another device has changed the number since. Points of a
 * new hand stay those of the hand for which they were typed, which may be saved by now.
 */
function writeKept() {
  /** @type {Record<string, [string, string]>} */
  const kept = recall(TAB, KEPT) ?? {};
  for (const field of fields()) {
    const [before, typed] = kept[field.name] ?? [];
    if (before === shown(field) && typed !== undefined) field.value = typed;
  }
  for (const field of nextHand()) field.value = kept[field.name]?.[1] ?? field.value;
}

/** Whether a person came to this page by a link, instead of loading it anew or going back to it. */
function isOpenedAnew() {
  const [visit] = performance.getEntriesByType("navigation");
  return !(visit instanceof PerformanceNavigationTiming) || visit.type === "navigate";
}

/** @param {string} address of the page that the server answers with */
function leaveFor(address) {
  forget(TAB, KEPT);
  const cameFrom = document.referrer && new URL(document.referrer).pathname;
  if (cameFrom === new URL(address).pathname && history.length > 1) history.back();
  else location.replace(address);
}

async function save() {
  document.getElementById("refused")?.remove();
  const body = new FormData(form());
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(form().action, { method: "POST", body, signal });
  if (response.redirected) return leaveFor(response.url);
  const answer = new DOMParser().parseFromString(await response.text(), "text/html");
  isSending = false;
  if (!answer.querySelector("#count")) return tellRefusal(answer, response.status);
  find(document, "main", HTMLElement).replaceChildren(
    ...find(answer, "main", HTMLElement).childNodes,
  );
  document.title = answer.title; // the form may be that of a later hand by now
  const wrong = document.querySelector("#count [autofocus]");
  if (wrong instanceof HTMLElement) wrong.focus();
  keepTyped();
}

/**
 * Tells above the button why the server refuses the form, which stays as it is, and leads to the
 * page for the join code where that is lacking.
 * @param {Document} answer the server's page; perhaps that of a proxy, which says nothing of use
 * @param {number} status
 */
function tellRefusal(answer, status) {
  const sentence = answer.querySelector(".failure > p:not(.links)")?.textContent;
  const toCode = status === 401 && document.querySelector("[data-to-code]");
  const told = h("p", { class: "alert", role: "alert", id: "refused" });
  find(form(), ".primary", HTMLElement).before(told);
  told.append(sentence ?? say("js.broken"));
  if (toCode instanceof HTMLAnchorElement) {
    const onclick = () => keep(TAB, JOINING, true);
    told.append(" ", h("a", { href: toCode.href, onclick }, toCode.textContent ?? ""));
  }
  told.scrollIntoView({ block: "nearest" });
}

function sayNothingCame() {
  toast(say("js.no_answer"), "error");
  isSending = false;
}

document.addEventListener("submit", async (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  if (isSending) return;
  isSending = true;
  await save().catch(sayNothingCame);
});
addEventListener("pageshow", () => (isSending = false)); // a person comes back to the page
document.addEventListener("click", turnSign);
document.addEventListener("input", keepTyped);
if (fields().some((field) => field.value !== shown(field))) keepTyped();
else if (isOpenedAnew() && !recall(TAB, JOINING)) forget(TAB, KEPT);
else writeKept();
forget(TAB, JOINING);
form().dataset.ready = "yes";
