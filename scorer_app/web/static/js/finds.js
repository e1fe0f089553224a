// Many finds of one photograph that may be no tiles are answered together, in a dialog.

import { find, toast } from "./dom.js";
import { say } from "./words.js";

const FEWEST = 5; // finds; fewer are sooner answered one by one

/**
 * Returns the finds that may be no tiles, in the photograph of the one that a question is about and
 * beginning with it; none where they are few, where nobody can see them because the photograph was
 * erased, or where the question is about something else.
 * @param {Pick<HandView, "photos" | "questions" | "tiles">} view
 * @param {Question} question
 * @returns {TileId[]}
 */
export function maybeNone({ photos, questions, tiles }, { ask, subject }) {
  const photo = tiles[subject]?.photo;
  const isSeen = photos.some(({ id, url }) => id === photo && url);
  if (ask !== "tile" || !isSeen || !tiles[subject].perhaps_none) return [];
  const asked = questions.filter((one) => one.ask === "tile").map((one) => one.subject);
  const others = asked.filter(
    (id) => id !== subject && tiles[id]?.photo === photo && tiles[id].perhaps_none,
  );
  return others.length + 1 < FEWEST ? [] : [subject, ...others];
}

/** @type {import("./sifting.js").Sifting | null} */
let sifting = null;

/**
 * Opens the dialog that shows finds together. Its script is loaded once it is wanted.
 * @param {HandScreen} screen
 * @param {TileId[]} finds
 */
export async function sift(screen, finds) {
  try {
    const { Sifting } = await import("./sifting.js");
    sifting ??= new Sifting(screen, find(document, "#sifting", HTMLDialogElement));
  } catch {
    return toast(say("js.no_answer"), "error");
  }
  sifting.open(finds);
}

/** Draws the dialog anew, if it is open, as the hand is now: another phone may have changed it. */
export function drawSifting() {
  if (sifting?.modal.isOpen) sifting.draw();
}
