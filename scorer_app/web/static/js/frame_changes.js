// Finds the part of a camera's frame that differs from the frame that the server has. While nothing
// moves over the table, hardly anything need be sent. Frames are compared on small copies.

export const SCALE = 4; // pixels of a frame to one pixel of its copy, along each side
export const CELL = 8; // pixels of the copy along each side of a cell, which is sent or not
const EVERY = 10_000; // ms after which a frame is sent whole, whatever has changed
const MOST = 0.6; // share of the frame above which all of it is sent
// A cell has changed where so many of its pixels differ by more than a camera's noise, or where all
// of it differs a little: a shadow, or the light.
const NOISE = 14; // of 255, as the mean of red, green and blue
const PIXELS = 2;
const SHIFT = 6; // of 255, as the mean over the cell

/** @typedef {{ left: number, top: number, width: number, height: number }} Part in pixels */

export class FrameChanges {
  constructor() {
    /** @type {ImageData | null} the copy of the frame that the server has */
    this.known = null;
    this.sentWhole = -Infinity;
  }

  /** Assumes that the server may have another frame, so that the next frame is sent whole. */
  forget() {
    this.known = null;
  }

  /**
   * Returns what of a frame is to be sent: a part of it, in pixels of the copy; all of it; or
   * nothing. What is returned counts as sent.
   * @param {ImageData} copy
   * @param {number} moment in milliseconds
   * @returns {Part | "whole" | "nothing"}
   */
  take(copy, moment) {
    const { known } = this;
    const isNew = known?.width !== copy.width || known.height !== copy.height;
    const isDue = moment - this.sentWhole >= EVERY;
    const part = known === null || isNew || isDue ? null : changedPart(known, copy);
    if (part === "nothing") return part;
    if (known && part && part.width * part.height <= MOST * copy.width * copy.height) {
      paste(known, copy, part);
      return part;
    }
    this.known = copy;
    this.sentWhole = moment;
    return "whole";
  }
}

/**
 * Returns a part of a copy in the pixels of its frame. At the right and the bottom the frame may
 * have some pixels more than the copy times the scale.
 * @param {Part} part
 * @param {{ width: number, height: number }} copy
 * @param {{ width: number, height: number }} frame
 * @returns {Part}
 */
export function inFrame(part, copy, frame) {
  const [left, top] = [SCALE * part.left, SCALE * part.top];
  const right = part.left + part.width === copy.width ? frame.width : left + SCALE * part.width;
  const bottom = part.top + part.height === copy.height ? frame.height : top + SCALE * part.height;
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Returns the smallest rectangle of cells that holds all that differ, with one cell more on each
 * side.
 * @param {ImageData} known
 * @param {ImageData} copy of the same size
 * @returns {Part | "nothing"}
 */
export function changedPart(known, copy) {
  const { width, height } = copy;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += CELL) {
    for (let x = 0; x < width; x += CELL) {
      if (!isChanged(known, copy, x, y)) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + CELL), Math.max(bottom, y + CELL)];
    }
  }
  if (!right) return "nothing";
  [left, top] = [Math.max(left - CELL, 0), Math.max(top - CELL, 0)];
  [right, bottom] = [Math.min(right + CELL, width), Math.min(bottom + CELL, height)];
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * @param {ImageData} known
 * @param {ImageData} copy
 * @param {number} left
 * @param {number} top of the cell
 */
function isChanged(known, copy, left, top) {
  const [right, bottom] = [Math.min(left + CELL, copy.width), Math.min(top + CELL, copy.height)];
  let [sum, above] = [0, 0];
  for (let y = top; y < bottom; y += 1) {
    for (let at = 4 * (y * copy.width + left); at < 4 * (y * copy.width + right); at += 4) {
      const difference =
        (Math.abs(copy.data[at] - known.data[at]) +
          Math.abs(copy.data[at + 1] - known.data[at + 1]) +
          Math.abs(copy.data[at + 2] - known.data[at + 2])) /
        3;
      sum += difference;
      if (difference > NOISE) above += 1;
    }
  }
  return above >= PIXELS || sum > SHIFT * (right - left) * (bottom - top);
}

/**
 * Copies a part of one picture into another.
 * @param {ImageData} known
 * @param {ImageData} copy
 * @param {Part} part
 */
function paste(known, copy, { left, top, width, height }) {
  for (let y = top; y < top + height; y += 1) {
    const begin = 4 * (y * copy.width + left);
    known.data.set(copy.data.subarray(begin, begin + 4 * width), begin);
  }
}
