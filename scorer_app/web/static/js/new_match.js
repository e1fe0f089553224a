// Another ruleset puts its own values into the options; names and players stay.

import { byId, find } from "./dom.js";

const form = byId("new-match");
const options = byId("options");

/** @param {string} ruleset */
async function showOptionsOf(ruleset) {
  const response = await fetch(`/matches/new?rules=${encodeURIComponent(ruleset)}`);
  if (!response.ok || chosen()?.value !== ruleset) return;
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const { open } = find(options, "details", HTMLDetailsElement);
  options.replaceChildren(...find(next, "#options", HTMLElement).childNodes);
  find(options, "details", HTMLDetailsElement).open = open;
}

/** @returns {HTMLInputElement | null} */
function chosen() {
  return form.querySelector('[name="ruleset"]:checked');
}

form.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "ruleset") showOptionsOf(target.value);
});
const already = chosen(); // on a slow network perhaps before this script came
if (already && !already.defaultChecked) showOptionsOf(already.value);
