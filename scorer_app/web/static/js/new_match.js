// Another ruleset puts its own values into the options; names and players stay.

const form = document.getElementById("new-match");
form.addEventListener("change", async (event) => {
  if (event.target.name !== "ruleset") return;
  const response = await fetch(`/matches/new?rules=${encodeURIComponent(event.target.value)}`);
  if (!response.ok) return;
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const open = form.querySelector("#options details").open;
  form.querySelector("#options").replaceChildren(...next.querySelector("#options").childNodes);
  form.querySelector("#options details").open = open;
});
