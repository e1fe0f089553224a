// Tells how well tiles can be read from a camera's frame, measured on a small copy of it. The
// limits are rules of thumb: they give hints, and the reading alone decides.

export const SIZE = /** @type {Size} */ ([160, 120]); // pixels of the copy
const DARK = 50; // mean brightness, of 255
const MOVING = 9; // mean change of brightness between two frames
const SAME = 20; // mean change of brightness below which a frame shows what a picture showed
const SOFT = 14; // mean difference of neighbours along the strongest hundredth of edges
const BRIGHT = 150; // brightness of a tile's face, and how little colour it has
const GREY = 70;
const FAR = 0.04; // share of the frame that looks like faces, below which they are far away
const CUT = 0.35; // share of the frame's border that looks like faces

/** @typedef {"dark" | "moving" | "same" | "soft" | "far" | "cut" | "good"} FrameHint */

/**
 * Returns the most pressing hint about a frame.
 * @param {Uint8ClampedArray} pixels RGBA of a frame of SIZE
 * @param {Uint8ClampedArray | null} before the frame before it
 * @param {Uint8ClampedArray | null} [taken] the frame at which the last photograph was taken
 * @returns {FrameHint}
 */
export function hintFor(pixels, before, taken = null) {
  const grey = brightness(pixels);
  if (mean(grey) < DARK) return "dark";
  if (before && change(grey, brightness(before)) > MOVING) return "moving";
  if (taken && change(grey, brightness(taken)) < SAME) return "same";
  const { inside, border } = faces(pixels);
  if (inside < FAR) return "far";
  if (border > CUT) return "cut";
  return sharpness(grey) < SOFT ? "soft" : "good";
}

/** @param {Uint8ClampedArray} pixels RGBA */
function brightness(pixels) {
  const grey = new Float32Array(pixels.length / 4);
  for (let at = 0; at < grey.length; at += 1) {
    const [red, green, blue] = pixels.subarray(4 * at, 4 * at + 3);
    grey[at] = 0.3 * red + 0.59 * green + 0.11 * blue;
  }
  return grey;
}

/** @param {Float32Array} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * @param {Float32Array} one
 * @param {Float32Array} other
 */
function change(one, other) {
  return mean(one.map((value, at) => Math.abs(value - other[at])));
}

/** @param {Float32Array} grey */
function sharpness(grey) {
  const steps = grey.map((value, at) => (at ? Math.abs(value - grey[at - 1]) : 0)).sort();
  return mean(steps.subarray(Math.floor(steps.length * 0.99)));
}

/**
 * Returns which shares of the frame and of its border look like faces of tiles: bright, with little
 * colour.
 * @param {Uint8ClampedArray} pixels RGBA of a frame of SIZE
 */
function faces(pixels) {
  const [width, height] = SIZE;
  const counts = { inside: 0, border: 0 };
  for (let at = 0; at < width * height; at += 1) {
    const colours = pixels.subarray(4 * at, 4 * at + 3);
    const [low, high] = [Math.min(...colours), Math.max(...colours)];
    if (low + high < 2 * BRIGHT || high - low > GREY) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    counts.inside += 1;
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) counts.border += 1;
  }
  return {
    inside: counts.inside / (width * height),
    border: counts.border / (2 * (width + height) - 4),
  };
}
