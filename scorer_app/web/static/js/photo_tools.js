// What a person can do with a whole photograph.

import { announce, h, tileFace } from "./dom.js";
import { SURE_FOR, dropSecondTap } from "./second_tap.js";
import { isDrawing, rowsOf, toggleLine } from "./side_line.js";
import { choiceOf } from "./tile_moves.js";
import { say } from "./words.js";

/** @type {Set<string>} photographs about to be removed, if the person is sure */
const leaving = new Set();

/**
 * Makes the buttons under a photograph.
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 * @param {HTMLElement | null} [zoom] a button that brings it nearer
 */
export function photoTools(screen, photo, zoom = null) {
  /**
   * @param {string} key
   * @param {string} text
   * @param {() => void} onclick
   * @param {(string | Node)[]} [named] tiles after the text
   */
  const tool = (key, text, onclick, named = []) => {
    const props = { type: "button", class: "quiet", onclick, "data-key": `${key}-${photo.id}` };
    return h("button", props, say(text), named);
  };
  const tools = [];
  if (photo.can_retry) tools.push(tool("again", "js.read_again", () => screen.readAgain(photo.id)));
  if (wantsAnother(screen.view, photo)) {
    tools.push(tool("another", "js.take_another", () => screen.retake(photo)));
  }
  for (const { key, text, edit } of editsOf(screen.view, photo)) {
    const named = key === "repeats" ? namedRepeats(screen.view, photo.id) : [];
    tools.push(tool(key, text, () => screen.edit(edit), named));
  }
  if (photo.url && rowsOf(screen.view, photo.id).length > 1) {
    const text = isDrawing(photo.id) ? "js.line_leave" : "js.line_draw";
    tools.push(tool("line", text, () => toggleLine(screen, photo.id)));
  }
  const move = photo.can_move && moveChoice(screen, photo);
  const ends = h("span", { class: "photo-ends" }, move, removeButton(screen, photo));
  return h("span", { class: "photo-tools" }, zoom, tools, ends);
}

/**
 * Makes the choice of the area to which a photograph belongs that was given for another one.
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 */
function moveChoice(screen, photo) {
  const areas = otherAreas(photo);
  const names = areas.map(
    ({ side, place }) => `${screen.view.score[side].name} · ${say(`js.place.${place}`)}`,
  );
  return choiceOf(say("js.move_to"), names, (index) => screen.movePhoto(photo.id, areas[index]), {
    class: "quiet",
    "data-key": `move-${photo.id}`,
  });
}

/**
 * Returns the three areas to which a photograph was not given; the other side's area of the same
 * kind comes first.
 * @param {Pick<PhotoView, "side" | "place">} photo
 * @returns {{ side: Side, place: Place }[]}
 */
export function otherAreas({ side, place }) {
  const other = side === "A" ? "B" : "A";
  const kind = place === "melds" ? "rack" : "melds";
  return [
    { side: other, place },
    { side, place: kind },
    { side: other, place: kind },
  ];
}

/**
 * Returns the ids of the hand's tiles that were read in this photograph.
 * @param {Pick<HandView, "tiles">} view
 * @param {string} photo
 */
function tilesOf(view, photo) {
  return Object.keys(view.tiles).filter((id) => view.tiles[id].photo === photo);
}

/**
 * Counts those tiles of a photograph that were set aside, and so count for nobody.
 * @param {Pick<HandView, "tiles" | "rows">} view
 * @param {string} photo
 */
export function countAside(view, photo) {
  const aside = view.rows.filter(({ place }) => place === "pozo").flatMap(({ tiles }) => tiles);
  return aside.filter((id) => view.tiles[id]?.photo === photo).length;
}

/**
 * Whether a photograph is asked about as a poor one: it is blurred, or most of its tiles are in
 * doubt.
 * @param {Question["cause"]} cause
 */
export function isPoor(cause) {
  return cause === "blurred" || cause === "doubtful";
}

/**
 * Whether another photograph should take the place of this one, which shows nothing or is poor.
 * @param {Pick<HandView, "tiles" | "questions">} view
 * @param {PhotoView} photo
 */
export function wantsAnother({ tiles, questions }, { id, state, can_retry: canRetry }) {
  if (questions.some(({ cause, subject }) => isPoor(cause) && subject === id)) return true;
  const done = state === "failed" || state === "read";
  return done && !canRetry && tilesOf({ tiles }, id).length === 0;
}

/**
 * Returns edits that concern a whole photograph: its melds count for nobody, or its tiles are
 * counted already.
 * @param {Pick<HandView, "tiles" | "rows" | "repeats">} view
 * @param {PhotoView} photo
 * @returns {{ key: string, text: string, edit: Operation }[]}
 */
export function editsOf(view, photo) {
  const found = [];
  const shown = new Set(tilesOf(view, photo.id));
  const rows = view.rows.filter(
    (row) => row.place !== "pozo" && row.tiles.every((id) => shown.has(id)),
  );
  if (photo.place === "melds" && rows.length) {
    const moves = rows.map(({ id, side }) => ({ op: "move_row", row: id, side, place: "pozo" }));
    found.push({ key: "aside", text: "js.photo_aside", edit: { op: "move_rows", moves } });
  }
  if (view.repeats[photo.id]) {
    const edit = { op: "drop_repeats", photo: photo.id };
    found.push({ key: "repeats", text: "js.pieces_repeat", edit });
  }
  return found;
}

/**
 * Returns those tiles that go when the repeats of a photograph are dropped which are named on the
 * button after its words, since they may as well be two copies: equal tiles of two racks, or of two
 * halves of one, and those of a row too short for a meld, which any meld may hold.
 * @param {Pick<HandView, "rows" | "tiles" | "repeats">} view
 * @param {string} photo
 */
export function namedRepeats(view, photo) {
  const rows = view.rows.filter(({ place, tiles }) => place === "rack" || tiles.length < 3);
  const unsure = rows.flatMap(({ tiles }) => tiles);
  const ids = (view.repeats[photo] ?? []).filter((id) => unsure.includes(id));
  return ids.flatMap((id) => [" ", tileFace(view.tiles[id].face, { class: "word", role: "img" })]);
}

/**
 * Returns the moves that count the rows of a photograph of melds which were set aside as melds of
 * its side. Rows that other photographs share stay aside.
 * @param {Pick<HandView, "tiles" | "rows">} view
 * @param {Pick<PhotoView, "id" | "side" | "place">} photo
 * @returns {Operation[]}
 */
export function countMoves(view, { id, side, place }) {
  if (place !== "melds") return [];
  const shown = new Set(tilesOf(view, id));
  const aside = view.rows.filter(
    (row) => row.place === "pozo" && row.tiles.every((tile) => shown.has(tile)),
  );
  return aside.map((row) => ({ op: "move_row", row: row.id, side, place }));
}

/**
 * Returns what a button says and does that removes a photograph. It asks for a second tap, because
 * all that was corrected in the photograph goes with it.
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 */
export function removal(screen, photo) {
  const remove = () => {
    leaving.delete(photo.id); // it may come back, and then asks again
    return screen.removePhoto(photo.id);
  };
  if (leaving.has(photo.id)) {
    return { sure: true, text: confirmation(lostWith(screen, photo)), onclick: remove };
  }
  const askFirst = () => {
    leaving.add(photo.id);
    dropSecondTap();
    screen.draw();
    announce(confirmation(lostWith(screen, photo)));
    setTimeout(() => {
      leaving.delete(photo.id);
      screen.draw();
    }, SURE_FOR);
  };
  return { sure: false, text: say("js.remove_photo"), onclick: askFirst };
}

/**
 * Counts the corrections that go with a photograph.
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 */
function lostWith(screen, photo) {
  return corrections(screen.view).filter((one) => one.photo === photo.id).length;
}

/**
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 */
function removeButton(screen, photo) {
  const { sure, text, onclick } = removal(screen, photo);
  return h(
    "button",
    {
      type: "button",
      class: sure ? "quiet danger" : "quiet",
      onclick,
      "data-key": `remove-${photo.id}`,
    },
    text,
  );
}

/**
 * Returns what the button says before the second tap: how many corrections are lost with the
 * photograph.
 * @param {number} lost
 */
export function confirmation(lost) {
  return lost ? say("js.remove_photo_corrected", { count: lost }) : say("js.remove_photo_sure");
}

/**
 * Returns what is still to be done once a photograph that was given twice is removed: if it was
 * given to both sides, the melds of the one that stays are to be divided between them.
 * @param {Pick<HandView, "photos" | "score">} view
 * @param {string} photo that goes
 * @param {string} original the photograph that stays
 */
export function leftToShareOut({ photos, score }, photo, original) {
  const gone = photos.find(({ id }) => id === photo);
  const stays = photos.find(({ id }) => id === original);
  if (!gone || !stays || stays.side === gone.side || stays.place !== "melds") return null;
  return say("js.share_out", { here: score[stays.side].name, there: score[gone.side].name });
}

/**
 * One correction: `read` is what the reader said, and `now` what the tile is, null where there is
 * no tile.
 * @typedef {{ photo: string, read: Face | null, now: Face | null }} Correction
 */

/**
 * @param {Pick<HandView, "tiles" | "removed">} view
 * @returns {Correction[]}
 */
export function corrections(view) {
  const found = [];
  for (const { photo, settled, read, face } of Object.values(view.tiles)) {
    if (photo && settled && read !== face) found.push({ photo, read, now: face });
  }
  for (const { photo, read } of view.removed) found.push({ photo, read, now: null });
  return found;
}

/**
 * Makes the link for a match that is played with cards after all, or with tiles: to the form that
 * changes the match, where this is chosen already, and from there back to the hand. The change has
 * the photographs of an unfinished hand read anew.
 * @param {HandView} view
 */
export function toOtherPieces({ id, match, pieces }) {
  const asked = new URLSearchParams({ pieces: pieces === "cards" ? "tiles" : "cards", hand: id });
  const href = `/matches/${match}/edit?${asked}`;
  return h("a", { class: "accept", href, "data-key": "photo-pieces" }, say("js.other_pieces"));
}
