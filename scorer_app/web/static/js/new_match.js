// Another ruleset puts its own values into the options; names and players stay.

import { byId, find } from "./dom.js";

const form = byId("new-match");
const options = byId("options");

form.addEventListener("change", async ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "ruleset") return;
  const response = await fetch(`/matches/new?rules=${encodeURIComponent(target.value)}`);
  if (!response.ok) return;
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const { open } = find(options, "details", HTMLDetailsElement);
  options.replaceChildren(...find(next, "#options", HTMLElement).childNodes);
  find(options, "details", HTMLDetailsElement).open = open;
});
