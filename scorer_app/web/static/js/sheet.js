// The anotador of one hand: both sides, base and puntos, every line opening into the tiles it counts.

import { h, say, signed } from "./dom.js";
import { between } from "./doubts.js";

// A closing whose conditions fail gives no score: not 0, but none yet.
export function stands(view) {
  return !view.questions.some(({ ask }) => ask === "closing");
}

export function scoreSheet(screen) {
  const { view } = screen;
  return ["A", "B"]
    .map((side) => column(screen, view.score[side], view))
    .concat(view.notes.map((note) => h("p", { class: "note" }, note)));
}

function column(screen, score, view) {
  const [low, high] = score.interval;
  const total = !stands(view) ? "–" : low === high ? signed(score.total) : between(score.interval);
  return h(
    "section",
    { class: "sheet" },
    h("h3", {}, score.name),
    block(
      screen,
      say("js.base"),
      score.base,
      score.lines.filter((line) => line.part === "base"),
    ),
    block(
      screen,
      say("js.puntos"),
      score.puntos,
      score.lines.filter((line) => line.part === "puntos"),
    ),
    score.lines.some((line) => line.part === "adjustment")
      ? block(
          screen,
          say("js.adjustments"),
          null,
          score.lines.filter((line) => line.part === "adjustment"),
        )
      : null,
    h(
      "p",
      { class: "sheet-total" },
      h("span", {}, view.provisional ? say("js.so_far") : say("js.total")),
      h("b", { class: low === high ? null : "interval" }, total),
    ),
  );
}

function block(screen, title, sum, lines) {
  return h(
    "div",
    { class: "sheet-block" },
    h(
      "p",
      { class: "sheet-sum" },
      h("span", {}, title),
      sum === null ? null : h("b", {}, signed(sum)),
    ),
    h(
      "ul",
      {},
      lines.map((line) => entry(screen, line)),
    ),
  );
}

function entry(screen, line) {
  const inside = [h("span", {}, line.label), h("b", {}, signed(line.points))];
  if (line.kind === "adjustment")
    inside.push(
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": `${say("js.delete")}: ${line.label}`,
          onclick: () => screen.edit({ op: "remove_adjustment", adjustment: line.id }),
        },
        "✕",
      ),
    );
  if (!line.tiles.length) return h("li", {}, h("span", { class: "line" }, inside));
  const pressed = String(screen.lit.length > 0 && screen.lit.join() === line.tiles.join());
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "line",
        "aria-pressed": pressed,
        onclick: () => screen.light(line.tiles),
        "data-key": `line-${line.kind}-${line.tiles[0]}`,
      },
      inside,
    ),
  );
}
