// The question whose answer moves the score most, and what a person can say to it with one tap.

import { h, say, signed, withTiles } from "./dom.js";

export function questionBar(screen, question) {
  const effect = question.effect
    ? h("span", { class: "effect" }, `± ${signed(question.effect)}`)
    : null;
  const asked = h(
    "button",
    {
      type: "button",
      class: "question",
      onclick: () => screen.answer(question),
      "data-key": "question",
    },
    h(
      "span",
      {},
      ["row", "closing"].includes(question.ask) ? withTiles(question.text) : question.text,
    ),
    effect,
  );
  const button = (key, text, act) =>
    h("button", { type: "button", class: "accept", onclick: act, "data-key": key }, text);
  const act = (what) => (typeof what === "function" ? what : () => screen.edit(what));
  const edits = answers(screen, question).map(([key, text, what]) =>
    button(key, say(text), act(what)),
  );
  const choices = screen
    .choices(question)
    .map((input) =>
      button(
        `${input.name}-${input.value}`,
        input.dataset.short ?? input.labels[0].textContent,
        () => input.click(),
      ),
    );
  const said = [...edits, ...choices];
  return said.length ? [asked, h("div", { class: "answers" }, said)] : [asked];
}

// [key, text, the edit it makes or what it does] of each.
function answers(screen, { ask, subject, tiles, like, needed }) {
  const { view } = screen;
  if (ask === "row")
    return [
      ...splits(view, subject),
      ["accept", "js.accept_anyway", { op: "accept_row", row: subject, accepted: true }],
    ];
  if (ask === "tile") {
    const { face, perhaps_none: perhapsNone } = view.tiles[subject];
    const sure = needed ? [] : [["sure", "js.yes", { op: "set_tile", tile: subject, face }]];
    return perhapsNone
      ? [...sure, ["none", "js.no_tile", { op: "remove_tile", tile: subject }]]
      : sure;
  }
  if (ask === "twice")
    return [
      ["once", "js.count_once", () => screen.countOnce(subject, like)],
      ["apart", "js.keep_copies", { op: "tell_apart", photo: subject }],
    ];
  if (ask === "tapped")
    return [
      ["drop-tapped", "js.pieces_repeat", { op: "drop_tapped", photo: subject }],
      ["keep", "js.keep_copies", { op: "keep_tapped", photo: subject }],
    ];
  if (ask !== "copies") return [];
  const again = photoAgain(view, tiles);
  const repeats = again
    ? [["drop-repeats", "js.pieces_repeat", { op: "drop_repeats", photo: again }]]
    : [];
  return [...repeats, ["keep", "js.keep_copies", { op: "keep_copies", face: subject }]];
}

// A row that is two legal melds laid close together.
function splits(view, row) {
  const at = view.rows.find(({ id }) => id === row)?.verdict?.split;
  return at ? [["split", "js.split_row", { op: "split_row", row, at }]] : [];
}

// The photograph that shows some of these tiles as its area had them before: perhaps the same pieces twice.
function photoAgain(view, tiles) {
  return Object.keys(view.repeats).find((photo) =>
    view.repeats[photo].some((id) => tiles.includes(id)),
  );
}
