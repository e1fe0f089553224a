// Shows the name of a chosen file beside the button: the browser's own button speaks its own
// language.

import { say } from "./words.js";

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
  const name = target.closest(".file-field")?.querySelector(".file-name");
  if (name) name.textContent = target.files?.[0]?.name ?? say("js.no_file");
});
