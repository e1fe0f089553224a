// Referee mode: the watched table fills the screen, in the browser's full screen where it has one.
// The tally is spoken on request, from the page's own sentence, which is kept up to date.

import { askPage } from "./ask_page.js";
import { byId, find, toast } from "./dom.js";
import { aloud } from "./table_alarm.js";

/** @param {HTMLElement} root */
export function refereeMode(root) {
  const enter = find(root, "#live-referee", HTMLButtonElement);
  const leave = find(root, "#live-leave", HTMLButtonElement);
  /** @param {boolean} on */
  const set = (on) => {
    root.dataset.referee = on ? "yes" : "no";
    leave.hidden = !on;
    enter.hidden = on;
    (on ? leave : enter).focus({ preventScroll: true });
  };
  enter.addEventListener("click", () => {
    set(true);
    // All of the page, since a tile's dialog lies beside the table. A browser without full screen,
    // as on an iPhone, shows the page in its own window.
    const filled = document.documentElement.requestFullscreen?.({ navigationUI: "hide" });
    // A person may have left before the browser has filled the screen.
    const isWanted = () => root.dataset.referee === "yes";
    filled?.then(() => (isWanted() ? undefined : document.exitFullscreen())).catch(() => {});
  });
  leave.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    set(false);
  });
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) set(false);
  });
  root.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && root.dataset.referee === "yes") set(false);
  });
}

/** Speaks and shows how the match stands. */
export function tellStanding() {
  const sentence = byId("live-standing").textContent?.trim() ?? "";
  aloud(sentence);
  toast(sentence);
}

/**
 * Brings the tally's figures and sentence up to date after a hand was saved. Where the server has
 * another page by now, as of a match that has become one of cards, that page is opened. Throws an
 * error where the server does not answer.
 */
export async function refreshStanding() {
  const next = await askPage();
  if (!next) return;
  if (!next.getElementById("live-standing")) return location.reload();
  for (const name of ["live-standing", "live-tally"]) {
    byId(name).replaceChildren(...find(next, `#${name}`, HTMLElement).childNodes);
  }
}
