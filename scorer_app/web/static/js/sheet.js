// The anotador of one hand: both sides, base and puntos, every line opening into the tiles it
// counts.

import { h } from "./dom.js";
import { keep } from "./morph.js";
import { between, isShort, lengthOf, say, signed } from "./words.js";

const NO_SCORE = "–";
/** @type {Side[]} */
const SIDES = ["A", "B"];

/**
 * Whether the hand has a score. A closing that the rules do not allow gives none, which is not 0;
 * an answer to it gives one once it has reached the server.
 * @param {Pick<HandView, "questions" | "wasRefused">} view
 */
export function hasScore(view) {
  return !view.wasRefused && !view.questions.some(({ ask }) => ask === "closing");
}

/**
 * Writes a side's total for the sheet.
 * @param {Pick<HandView, "questions" | "wasRefused">} view
 * @param {SideScore} score
 */
export function totalText(view, { total, interval }) {
  if (!hasScore(view)) return NO_SCORE;
  return interval[0] === interval[1] ? signed(total) : between(interval);
}

/**
 * Writes a side's total where there is little room.
 * @param {Pick<HandView, "questions" | "wasRefused">} view
 * @param {SideScore} score
 */
export function shortTotal(view, { total, interval: [low, high] }) {
  if (!hasScore(view)) return NO_SCORE;
  return low === high ? signed(total) : `${signed(low)} … ${signed(high)}`;
}

/**
 * Writes the sum of a part of the sheet.
 * @param {Pick<HandView, "questions" | "wasRefused">} view
 * @param {number} points
 */
function sumText(view, points) {
  return hasScore(view) ? signed(points) : NO_SCORE;
}

/** @param {HandScreen} screen */
export function scoreSheet(screen) {
  const { view, lit } = screen;
  const { score, notes, provisional } = view;
  const columns = SIDES.map((name, index) => {
    const [side, lacks] = [score[name], provisional || screen.isToRead(name)];
    const facts = [side, lacks, hasScore(view), lit];
    return keep(`sheet ${index}`, facts, () => column(screen, side, lacks));
  });
  return [...columns, ...notes.map((note) => h("p", { class: "note" }, note))];
}

/**
 * Makes one side's half of the sheet.
 * @param {HandScreen} screen
 * @param {SideScore} score
 * @param {boolean} [lacks] whether something of the total is still to come
 */
export function column(screen, score, lacks = false) {
  const { view } = screen;
  const [low, high] = score.interval;
  /** @param {ScoreLine["part"]} part */
  const linesOf = (part) => score.lines.filter((line) => line.part === part);
  const adjustments = linesOf("adjustment");
  return h(
    "section",
    { class: "sheet" },
    h("h3", {}, score.name),
    block(screen, say("js.base"), sumText(view, score.base), linesOf("base")),
    block(screen, say("js.puntos"), sumText(view, score.puntos), linesOf("puntos")),
    adjustments.length > 0 && block(screen, say("js.adjustments"), null, adjustments),
    h(
      "p",
      { class: "sheet-total" },
      h("span", {}, lacks ? say("js.so_far") : say("js.total")),
      sheetTotal(totalText(view, score), low === high),
    ),
  );
}

/**
 * @param {string} text
 * @param {boolean} isSure
 */
function sheetTotal(text, isSure) {
  const interval = { class: "interval", "data-short": isShort(text) };
  return h("b", isSure ? { "data-length": lengthOf(text) } : interval, text);
}

/**
 * @param {HandScreen} screen
 * @param {string} title
 * @param {string | null} sum
 * @param {ScoreLine[]} lines
 */
function block(screen, title, sum, lines) {
  return h(
    "div",
    { class: "sheet-block" },
    h("p", { class: "sheet-sum" }, h("span", {}, title), sum !== null && h("b", {}, sum)),
    h(
      "ul",
      {},
      lines.map((line) => entry(screen, line)),
    ),
  );
}

/**
 * @param {HandScreen} screen
 * @param {ScoreLine} line
 */
function entry(screen, line) {
  const inside = [h("span", {}, line.label), h("b", {}, signed(line.points))];
  if (line.kind === "adjustment") inside.push(removal(screen, line));
  if (!line.tiles.length) return h("li", {}, h("span", { class: "line" }, inside));
  const isLit = screen.lit.length > 0 && screen.lit.join() === line.tiles.join();
  const props = {
    type: "button",
    class: "line",
    "aria-pressed": String(isLit),
    onclick: () => screen.light(line.tiles),
    "data-key": `line-${line.kind}-${line.tiles[0]}`,
  };
  return h("li", {}, h("button", props, inside));
}

/**
 * @param {HandScreen} screen
 * @param {ScoreLine} line an adjustment
 */
function removal(screen, line) {
  const props = {
    type: "button",
    class: "quiet",
    "aria-label": `${say("js.delete")}: ${line.label}`,
    onclick: () => screen.edit({ op: "remove_adjustment", adjustment: line.id }),
  };
  return h("button", props, "✕");
}
