// The ways out where a photograph adds nothing to the hand, or is poor.

import { h } from "./dom.js";
import { countMoves, isPoor, removal } from "./photo_tools.js";
import { say } from "./words.js";

/**
 * Makes the buttons by which a person mends a photograph that adds nothing to the hand, or is
 * poor: it is read or taken again, its tiles are tapped in, or it is removed. One that shows cards
 * in a match of tiles, or the other way round, may be right, and the match wrong.
 * @param {HandScreen} screen
 * @param {Question} question
 * @param {(key: string, text: string, onclick: () => void) => HTMLElement} button
 */
export function waysOut(screen, { subject, cause }, button) {
  const photo = screen.view.photos.find(({ id }) => id === subject);
  if (!photo) return [];
  const tap = button("photo-tap", say("js.rack_tap"), () => screen.tapIn(photo.side, photo.place));
  if (cause === "aside") {
    const moves = countMoves(screen.view, photo);
    const edit = { op: "move_rows", moves };
    const count = button("photo-count", say("js.count_as_meld"), () => screen.edit(edit));
    const { text, onclick } = removal(screen, photo); // tiles were read
    return [...(moves.length ? [count] : []), tap, button("photo-remove", text, onclick)];
  }
  const remove = button("photo-remove", say("js.remove_photo"), () => screen.removePhoto(photo.id));
  const others = cause === "other_pieces" && screen.view.state === "draft";
  const again = photo.can_retry
    ? button("photo-again", say("js.read_again"), () => screen.readAgain(photo.id))
    : button("photo-another", say("js.take_another"), () => screen.retake(photo));
  if (isPoor(cause)) return [again];
  if (cause === "nothing") return [again, tap];
  return [others && toOtherPieces(screen.view), again, tap, remove].filter((one) => one !== false);
}

/**
 * Makes the link for a match that is played with cards after all, or with tiles: to the form that
 * changes the match, where this is chosen already, and from there back to the hand. The change has
 * the photographs of an unfinished hand read anew.
 * @param {HandView} view
 */
function toOtherPieces({ id, match, pieces }) {
  const asked = new URLSearchParams({ pieces: pieces === "cards" ? "tiles" : "cards", hand: id });
  const href = `/matches/${match}/edit?${asked}`;
  return h("a", { class: "accept", href, "data-key": "photo-pieces" }, say("js.other_pieces"));
}
