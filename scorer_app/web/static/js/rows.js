// A row of tiles with its verdict and what one may do with it.

import { h, say, signed, tileFace, withTiles } from "./dom.js";

export function rowCard(screen, row) {
  const verdict = row.verdict;
  const state = !verdict
    ? "plain"
    : verdict.valid === null
      ? "unread"
      : verdict.valid
        ? "legal"
        : row.accepted
          ? "accepted"
          : "illegal";
  return h(
    "div",
    {
      class: "row",
      "data-row": row.id,
      "data-state": state,
      "data-canasta": verdict?.canasta ?? null,
    },
    h(
      "div",
      { class: "row-tiles" },
      row.tiles.map((id) => chip(screen, id)),
    ),
    h("div", { class: "row-foot" }, words(row, verdict, state), menu(screen, row, state)),
  );
}

function chip(screen, id) {
  const tile = screen.view.tiles[id];
  const states = [
    tile.doubtful && "doubtful",
    screen.lit.includes(id) && "lit",
    tile.settled && tile.read && tile.read !== tile.face && "corrected",
  ];
  return tileFace(tile.face, {
    tag: "button",
    type: "button",
    class: states.filter(Boolean).join(" "),
    "data-tile": id,
    "data-key": `chip-${id}`,
    onclick: () => screen.pick(id),
  });
}

function words(row, verdict, state) {
  const points = verdict?.points ?? row.points;
  const many =
    row.tiles.length === 1 ? say("js.one_tile") : say("js.tiles", { count: row.tiles.length });
  const text =
    state === "accepted" ? `${verdict.text} ${say("js.accepted")}` : (verdict?.text ?? many);
  return h(
    "p",
    { class: "verdict" },
    h("span", { class: "mark", "aria-hidden": "true" }),
    h(
      "span",
      {},
      withTiles(text),
      verdict?.notices?.map((notice) => h("span", { class: "row-notice" }, withTiles(notice))),
    ),
    points !== undefined ? h("b", { class: "row-points" }, signed(points)) : null,
  );
}

function menu(screen, row, state) {
  const buttons = [];
  const button = (text, operation, key) =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () => screen.edit(operation),
        "data-key": `${key}-${row.id}`,
      },
      text,
    );
  if (state === "illegal" && row.verdict.split)
    buttons.push(
      button(say("js.split_row"), { op: "split_row", row: row.id, at: row.verdict.split }, "split"),
    );
  if (state === "illegal")
    buttons.push(
      button(say("js.accept_anyway"), { op: "accept_row", row: row.id, accepted: true }, "accept"),
    );
  if (state === "accepted")
    buttons.push(
      button(
        say("js.accept_no_more"),
        { op: "accept_row", row: row.id, accepted: false },
        "accept",
      ),
    );
  if (row.place === "melds" && row.tiles.some((id) => screen.view.tiles[id].photo))
    buttons.push(toOther(screen, row));
  if (row.place === "melds")
    buttons.push(
      button(
        say("js.set_aside"),
        { op: "move_row", row: row.id, side: row.side, place: "pozo" },
        "aside",
      ),
    );
  if (row.place === "pozo")
    buttons.push(
      button(
        say("js.count_as_meld"),
        { op: "move_row", row: row.id, side: row.side, place: "melds" },
        "count",
      ),
    );
  return h("span", { class: "row-tools" }, buttons);
}

// A photograph may show melds of both sides.
function toOther(screen, row) {
  const side = row.side === "A" ? "B" : "A";
  const { name } = screen.view.score[side];
  return h(
    "button",
    {
      type: "button",
      class: "quiet to-other",
      "aria-label": say("js.to_other", { side: name }),
      onclick: () => screen.edit({ op: "move_row", row: row.id, side, place: "melds" }),
      "data-key": `other-${row.id}`,
    },
    `→ ${name}`,
  );
}
