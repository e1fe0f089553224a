// The line between the sides: two taps on the picture, remembered on this device.

import { byId, toast } from "./dom.js";
import { DEVICE, keep, recall } from "./kept.js";
import { fromShares, toShares } from "./table_geometry.js";
import { say } from "./words.js";

const SHORTEST = 10; // frame pixels

/** @typedef {import("./table_view.js").TableView} TableView */
/** @typedef {[Point, Point]} Line */

/**
 * Whether two points are far enough apart to be meant as a line.
 * @param {Point} first
 * @param {Point} second
 */
export function isLine(first, second) {
  return Math.hypot(second[0] - first[0], second[1] - first[1]) >= SHORTEST;
}

export class DividingLine {
  /**
   * @param {string} match
   * @param {TableView} view
   * @param {HTMLElement} button starts and ends the drawing
   * @param {HTMLElement} swap changes the sides over
   * @param {(line: Line) => void} onLine
   * @param {() => string | null} camera returns a name of the camera that watches, empty for this
   *   device's own; null for a camera whose lines this device does not remember
   */
  constructor(match, view, button, swap, onLine, camera) {
    this.match = match;
    this.view = view;
    this.button = button;
    this.onLine = onLine;
    this.camera = camera;
    this.drawing = false;
    this.pointed = false; // whether a finger or a mouse has just come down on the button
    button.addEventListener("pointerdown", () => (this.pointed = true));
    button.addEventListener("click", () => {
      if (!this.pointed) return this.halve(); // by a key
      this.pointed = false;
      this.draw(!this.drawing);
      if (!this.drawing) return;
      byId("live-overlay").scrollIntoView({ block: "center" });
      toast(say("js.first_point"));
    });
    swap.addEventListener("click", () => {
      if (view.line) this.keep([view.line[1], view.line[0]]);
    });
  }

  /** @param {boolean} drawing whether taps on the picture are points of the line from now on */
  draw(drawing) {
    this.drawing = drawing;
    this.view.point = null;
    this.button.setAttribute("aria-pressed", String(drawing));
    byId("table").dataset.drawing = drawing ? "yes" : "no";
    this.view.paint();
  }

  /** Draws the line across the middle of the picture, for who cannot tap on it. */
  halve() {
    const { size } = this.view;
    if (!size) return;
    const [width, height] = size;
    this.draw(false);
    this.keep([
      [0, height / 2],
      [width, height / 2],
    ]);
    toast(say("js.live.line_halves"));
  }

  /** @param {Point} point */
  tapped(point) {
    const first = this.view.point;
    if (!first || !isLine(first, point)) {
      this.view.point = first ?? point;
      toast(say("js.second_point"));
      return this.view.paint();
    }
    this.draw(false);
    this.keep([first, point]);
    toast(say("js.live.line_drawn"));
  }

  /**
   * Returns the name under which a line over the present picture is remembered; null for none.
   * Another camera, or one that was turned on its side, sees the sides elsewhere.
   */
  get key() {
    const { size } = this.view;
    const camera = this.camera();
    if (!size || camera === null) return null;
    const upright = size[0] < size[1] ? " upright" : "";
    return `burako-line-${this.match}${camera && ` ${camera}`}${upright}`;
  }

  /**
   * Remembers a line in shares of the picture's size, as the next picture may have another size.
   * @param {Line} line
   */
  keep(line) {
    const { size } = this.view;
    if (!size) return;
    const shares = line.map((point) => toShares(point, size));
    if (this.key !== null) keep(DEVICE, this.key, shares);
    this.onLine(line);
  }

  /**
   * Gives a table without a line the one that this device drew last over its camera's picture, and
   * says so: the camera may stand elsewhere by now.
   */
  restore() {
    const { size, line } = this.view;
    if (!size || line || this.key === null) return;
    /** @type {Line | null} */
    const kept = recall(DEVICE, this.key);
    if (!kept) return;
    this.onLine([fromShares(kept[0], size), fromShares(kept[1], size)]);
    toast(say("js.live.line_kept"));
  }
}
