// Keeps a page like the server's: on each change the page is asked for again and those of its parts
// that may change are replaced.

import { askPage } from "./ask_page.js";
import { keepAwake } from "./device.js";
import { onceReleased } from "./dom.js";
import { inTurn } from "./in_turn.js";
import { watch } from "./news.js";
import { TablePanel } from "./table_panel.js";

/** @type {HTMLElement | null} */
const root = document.querySelector("[data-watch]");
/** @type {HTMLElement | null} */
const table = document.querySelector("[data-table]");
const panel = table && new TablePanel(table);

// A page that sends a form is left: what the form changes or deletes is not asked for any more.
let isLeaving = false;
addEventListener("submit", () => (isLeaving = true));
addEventListener("pageshow", () => (isLeaving = false));

async function look() {
  const next = isLeaving ? null : await askPage();
  if (!next) return;
  for (const part of document.querySelectorAll("[data-live]")) {
    const name = part.getAttribute("data-live");
    const fresh = next.querySelector(`[data-live="${name}"]`);
    if (!fresh || fresh.innerHTML === part.innerHTML) continue;
    onceReleased(document.body, part, () => part.replaceChildren(...fresh.childNodes));
  }
}

// The whole line of a hand opens it, not only its number, and so does the remark below the line.
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element) || target.closest("a")) return;
  const line = target.closest(".anotador tbody tr");
  const above = line?.matches(".remark") ? line.previousElementSibling : null;
  (line?.querySelector("a") ?? above?.querySelector("a"))?.click();
});

if (root) {
  const onTable = () => {
    if (!isLeaving) panel?.refresh();
  };
  watch(root.dataset.watch ?? "", inTurn(look), onTable);
  if ("keepAwake" in root.dataset) keepAwake();
}
