// The question whose answer changes the score most, with the answers that a person can give with
// one tap.

import { h, tileFace, withTiles } from "./dom.js";
import { maybeNone, sift } from "./finds.js";
import { closeUp } from "./photo_geometry.js";
import { countMoves, isPoor, namedRepeats, removal, toOtherPieces } from "./photo_tools.js";
import { dropSecondTap } from "./second_tap.js";
import { effectText, say } from "./words.js";

/**
 * One answer: the key of its button, its text or the key of its text, and the edit that it makes.
 * Without an edit, the answer removes the photograph that the question is about, because another
 * one shows the same.
 * @typedef {{ key: string, text: string, edit: Operation | null }} Answer
 */

/**
 * @param {HandScreen} screen
 * @param {Question} question
 */
export function questionBar(screen, question) {
  const namesTiles = question.ask === "row" || question.ask === "closing";
  const words = namesTiles ? withTiles(question.text) : question.text;
  const effect = question.effect > 0 && h("span", { class: "effect" }, effectText(question));
  const about = `${question.ask} ${question.subject}`;
  const asked = h(
    "button",
    {
      type: "button",
      class: "question",
      onclick: () => screen.answer(question),
      "data-key": "question",
      "data-goes-on": about,
    },
    h("span", {}, words),
    closeUps(screen.view, question),
    effect,
  );
  const answers = answerButtons(screen, question);
  // Each is made anew with the next question, and so is not left scrolled where this one was.
  const text = h("div", { class: "asked", "data-key": `asked ${about}` }, asked);
  if (!answers.length) return [text];
  return [text, h("div", { class: "answers", "data-key": `answers ${about}` }, answers)];
}

/**
 * Makes the pictures of the tiles that a question is about: nobody should have to answer for a tile
 * that is not in view. A tapped tile beside photographed ones is shown as the keys show it.
 * @param {HandView} view
 * @param {Question} question
 */
function closeUps(view, { ask, subject, tiles }) {
  const asked = ask === "tile" ? [subject] : ask === "copies" ? tiles : [];
  const shown = asked.map((id) => view.tiles[id]).filter(Boolean);
  if (!shown.some((tile) => closeUp(view, tile))) return false;
  const face = { "aria-hidden": "true" };
  const pictures = shown.map(
    (tile) => closeUp(view, tile) ?? (tile.photo ? "" : tileFace(tile.face, face)),
  );
  return h("span", { class: "asked-tiles" }, pictures);
}

/**
 * @param {HandScreen} screen
 * @param {Question} question
 */
function answerButtons(screen, question) {
  /**
   * @param {string} key
   * @param {string | (string | Node)[]} text
   * @param {() => void} onclick
   */
  const button = (key, text, onclick) => {
    const answer = () => {
      dropSecondTap(); // it would answer the next question, which nobody has read
      onclick();
    };
    return h("button", { type: "button", class: "accept", onclick: answer, "data-key": key }, text);
  };
  const buttons = [];
  if (question.ask === "rack") {
    const side = question.subject === "A" ? "A" : "B";
    buttons.push(
      button("rack-shoot", say("js.rack_shoot"), () => screen.shoot(side, "rack")),
      button("rack-tap", say("js.rack_tap"), () => screen.tapIn(side, "rack")),
    );
  }
  if (question.ask === "photo") buttons.push(...waysOut(screen, question, button));
  for (const { key, text, edit } of answersTo(screen.view, question)) {
    const countOnce = () => screen.countOnce(question.subject, question.duplicate_of ?? "");
    const named = edit?.op === "drop_repeats" ? namedRepeats(screen.view, String(edit.photo)) : [];
    const words = [...withTiles(say(text)), ...named];
    buttons.push(button(key, words, edit ? () => screen.edit(edit) : countOnce));
  }
  const look = () => screen.answer(question);
  const other = question.needed ? "js.choose_face" : "js.another_face";
  if (question.ask === "tile") buttons.push(button("look", say(other), look));
  const finds = maybeNone(screen.view, question);
  if (finds.length) {
    const words = say("js.see_together", { count: finds.length });
    buttons.push(button("together", words, () => sift(screen, finds)));
  }
  if (question.ask === "copies") buttons.push(button("look", say("js.see_them"), look));
  for (const input of screen.choices(question)) {
    const text = input.dataset.short ?? input.labels?.[0].textContent ?? "";
    buttons.push(button(`${input.name}-${input.value}`, text, () => input.click()));
  }
  if (question.ask === "closing") buttons.push(...waysToClose(screen, question, button));
  return buttons;
}

/**
 * Makes the buttons by which a person mends a photograph that adds nothing to the hand, or is
 * poor: it is read or taken again, its tiles are tapped in, or it is removed. One that shows cards
 * in a match of tiles, or the other way round, may be right, and the match wrong.
 * @param {HandScreen} screen
 * @param {Question} question
 * @param {(key: string, text: string, onclick: () => void) => HTMLElement} button
 */
function waysOut(screen, { subject, cause }, button) {
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
 * Makes the buttons for a side that did close, although what is known of the hand says that it
 * cannot have: by them a person mends what the rules miss.
 * @param {HandScreen} screen
 * @param {Question} question whose subject is the reason why the closing does not stand
 * @param {(key: string, text: string, onclick: () => void) => HTMLElement} button
 */
function waysToClose(screen, { subject: reason }, button) {
  const { closing, rows } = screen.view;
  const side = closing.closed_by;
  if (!side) return [];
  if (reason === "muerto_not_taken") {
    const taken = { op: "set_muerto", side, taken: true };
    return [button("closing-muerto", say("js.muerto_taken"), () => screen.edit(taken))];
  }
  if (reason === "hand_not_empty") {
    const left = rows.filter((row) => row.side === side && row.place === "rack");
    const tiles = left.flatMap((row) => row.tiles);
    return [button("closing-see", say("js.see_them"), () => screen.light(tiles))];
  }
  return [
    button("closing-shoot", say("js.rack_shoot"), () => screen.shoot(side, "melds")),
    button("closing-tap", say("js.rack_tap"), () => screen.tapIn(side, "melds")),
  ];
}

/**
 * Returns the answer that nothing of a photograph counts, where that may be so, or that a poor
 * one is good enough. Of a rack without tiles it says that nothing was left on it.
 * @param {HandView} view
 * @param {Question} question
 * @returns {Answer[]}
 */
function answersToPhoto({ photos }, { subject, cause }) {
  const nothing = { op: "nothing_counts", photo: subject };
  const keep = { op: "keep_blurred", photo: subject };
  if (cause === "aside") return [{ key: "nothing", text: "js.photo_aside", edit: nothing }];
  if (isPoor(cause)) return [{ key: "keep", text: "js.good_enough", edit: keep }];
  if (cause !== "nothing") return [];
  const photo = photos.find(({ id }) => id === subject);
  const edit = photo?.place === "rack" ? { op: "empty_rack", side: photo.side } : nothing;
  return [{ key: "nothing", text: "js.no_tiles", edit }];
}

/**
 * Returns the answers to a question; none where it is answered in the form of the closing.
 * @param {HandView} view
 * @param {Question} question
 * @returns {Answer[]}
 */
export function answersTo(view, question) {
  const { ask, subject, tiles } = question;
  if (ask === "row") return answersToRow(view, subject);
  if (ask === "tile") return answersToTile(view, question);
  if (ask === "photo") return answersToPhoto(view, question);
  if (ask === "rack") {
    const empty = { op: "empty_rack", side: subject };
    return [{ key: "rack-empty", text: "js.rack_empty", edit: empty }];
  }
  if (ask === "twice") {
    const apart = { op: "tell_apart", photo: subject };
    return [
      { key: "once", text: "js.count_once", edit: null },
      { key: "apart", text: "js.keep_copies", edit: apart },
    ];
  }
  if (ask === "again") {
    const [drop, apart] = ["drop_repeats", "tell_apart"].map((op) => ({ op, photo: subject }));
    return [
      { key: "drop-repeats", text: "js.pieces_repeat", edit: drop },
      { key: "apart", text: "js.keep_copies", edit: apart },
    ];
  }
  if (ask === "tapped") {
    const [drop, keep] = ["drop_tapped", "keep_tapped"].map((op) => ({ op, photo: subject }));
    return [
      { key: "drop-tapped", text: "js.pieces_repeat", edit: drop },
      { key: "keep", text: "js.keep_copies", edit: keep },
    ];
  }
  return ask === "copies" ? answersToCopies(view, subject, tiles) : [];
}

/**
 * Returns the repairs that a row offers, as answers. With `of`, only those about this tile.
 * @param {RowView | undefined} row
 * @param {string} [of]
 */
export function repairAnswers(row, of) {
  const offered = (row?.repairs ?? []).filter(({ tile }) => of === undefined || tile === of);
  return offered.map(({ kind, text, edit }, index) => ({ key: `${kind}-${index}`, text, edit }));
}

/**
 * Returns the answers about an illegal row: first the repairs, then that the players accept it, or,
 * beside one repair at most, that it counts for nobody; and that these are no tiles, where a
 * photograph alone shows them and one of them may be none: they may be printed on a box.
 * @param {HandView} view
 * @param {string} row
 * @returns {Answer[]}
 */
function answersToRow(view, row) {
  const accept = { op: "accept_row", row, accepted: true };
  const illegal = view.rows.find(({ id }) => id === row);
  const aside = { op: "move_row", row, side: illegal?.side, place: "pozo" };
  /** @type {Answer[]} */
  const answers = [...repairAnswers(illegal)];
  const fewRepairs = answers.length < 2;
  answers.push({ key: "accept", text: "js.accept_anyway", edit: accept });
  if (fewRepairs) answers.push({ key: "aside", text: "js.set_aside", edit: aside });
  const tiles = illegal?.tiles ?? [];
  const isGiven = tiles.some((id) => !view.tiles[id]?.photo || view.tiles[id].settled);
  if (!isGiven && tiles.some((id) => view.tiles[id].perhaps_none)) {
    const gone = { op: "remove_tiles", tiles };
    answers.push({ key: "none", text: "js.not_tiles", edit: gone });
  }
  return answers;
}

/**
 * Returns the answers about a doubtful tile: it is what was read (unless nothing was), another face
 * that its meld allows, or no tile.
 * @param {HandView} view
 * @param {Question} question
 * @returns {Answer[]}
 */
function answersToTile({ tiles, rows }, { subject, needed }) {
  const { face, perhaps_none: perhapsNone } = tiles[subject];
  const yes = { op: "set_tile", tile: subject, face, seen: face };
  const none = { op: "remove_tile", tile: subject };
  /** @type {Answer[]} */
  const answers = needed ? [] : [{ key: "sure", text: "js.yes", edit: yes }];
  const row = rows.find((one) => one.tiles.includes(subject));
  answers.push(...repairAnswers(row, subject));
  if (perhapsNone) answers.push({ key: "none", text: "js.no_tile", edit: none });
  return answers;
}

/**
 * Returns the answers about a face that is there more often than the set has it. A photograph may
 * show tiles again that its area had before; then an answer says so.
 * @param {HandView} view
 * @param {Face} face
 * @param {string[]} tiles
 * @returns {Answer[]}
 */
function answersToCopies(view, face, tiles) {
  /** @type {Answer[]} */
  const answers = [{ key: "keep", text: "js.keep_copies", edit: { op: "keep_copies", face } }];
  const photos = Object.keys(view.repeats);
  const photo = photos.find((id) => view.repeats[id].some((tile) => tiles.includes(tile)));
  if (photo) {
    const drop = { op: "drop_repeats", photo };
    answers.unshift({ key: "drop-repeats", text: "js.pieces_repeat", edit: drop });
  }
  return answers;
}
