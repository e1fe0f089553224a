// Draws the tally as a picture, on a canvas.

import { ofCards, signed } from "./words.js";

const WIDTH = 1080;
const LINE = 74; // from hand to hand
const FRAME = 470; // height without any hand
const REMARK = 44; // from remark to remark; FRAME has room for one
const FIRST_HAND = 230;
const BANNER = 310; // height of a victory above the sheet
/** @type {[string, string][]} numbers of the tiles over a victory, and their inks */
const TILES = [
  ["7", "#b3261e"],
  ["8", "#b3261e"],
  ["★", "#6b2c91"],
  ["10", "#b3261e"],
  ["11", "#b3261e"],
];
const SUIT = "♥\uFE0E"; // below the numbers, where they are cards
const MEASURED_AT = 40;
/** @type {Room} a side's name, between the sheet's edge and its middle line */
export const NAME = { width: 420, large: 52, small: 44, one: 130, two: [98, 148] };
/** @type {Room} who has won, between the tiles and the sheet */
export const VICTORY = { width: WIDTH - 120, large: 100, small: 64, one: 284, two: [240, 310] };
const COLUMNS = 460; // from side to side
const DISPLAY = '"Rockwell", "Roboto Slab", "DejaVu Serif", Georgia, serif';
const BODY = '"Roboto", "DejaVu Sans", system-ui, sans-serif';
const COLOURS = {
  felt: "#1d4a3a",
  paper: "#fbf6e8",
  ink: "#22281f",
  hand: "#4b4d3e",
  best: "#1f6b3e",
  foot: "#5d5e4c",
  victory: "#f0c468",
  tile: "#fdf8ea",
  edge: "#cdbf98",
};

/**
 * What the picture shows: the points of both sides in each hand, their totals, who has won a match
 * that is over, and remarks: who played, and sentences that say why the totals may not be right.
 * @typedef {object} Tally
 * @property {string[]} names
 * @property {number[]} totals
 * @property {number[][]} hands
 * @property {string[]} remarks
 * @property {string} foot
 * @property {string | null} victory
 */

/**
 * The room for a text: how wide its lines may be, the size of the letters of one line, the largest
 * size of those of two lines, and where the baselines of one line or of two lie.
 * @typedef {{ width: number, large: number, small: number, one: number, two: number[] }} Room
 */

/**
 * One line of a text: its letters, where its baseline lies, and their size.
 * @typedef {{ text: string, baseline: number, size: number }} Line
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Tally} tally
 */
export function drawTally(canvas, tally) {
  const further = Math.max(0, tally.remarks.length - 1) * REMARK;
  const height = FRAME + tally.hands.length * LINE + further;
  const above = tally.victory ? BANNER : 0;
  canvas.width = WIDTH;
  canvas.height = above + height;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = COLOURS.felt;
  pen.fillRect(0, 0, WIDTH, canvas.height);
  if (tally.victory) drawVictory(pen, tally.victory);
  pen.translate(0, above);
  const last = FIRST_HAND + tally.hands.length * LINE + 70;
  drawPaper(pen, height, last);
  tally.names.forEach((name, side) => drawName(pen, name, side));
  tally.hands.forEach((hand, row) => {
    hand.forEach((points, side) => drawPoints(pen, points, side, row));
  });
  const best = Math.max(...tally.totals);
  tally.totals.forEach((total, side) => {
    const colour = total === best ? COLOURS.best : COLOURS.ink;
    write(pen, signed(total), [310 + side * COLUMNS, last], `700 110px ${DISPLAY}`, colour);
  });
  pen.font = `400 32px ${BODY}`;
  pen.fillStyle = COLOURS.foot;
  pen.textAlign = "center";
  tally.remarks.forEach((remark, at) => {
    pen.fillText(remark, WIDTH / 2, height - 116 - further + at * REMARK, WIDTH - 160);
  });
  pen.fillText(tally.foot, WIDTH / 2, height - 72, WIDTH - 160);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} victory
 */
function drawVictory(pen, victory) {
  TILES.forEach((tile, at) => drawTile(pen, tile, at));
  writeIn(pen, victory, VICTORY, WIDTH / 2, COLOURS.victory);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {[string, string]} tile
 * @param {number} at its place in the row
 */
function drawTile(pen, [number, ink], at) {
  pen.save();
  pen.translate(WIDTH / 2 + (at - 2) * 100, at % 2 === 0 ? 110 : 98);
  pen.rotate(at % 2 === 0 ? -0.07 : 0.07);
  for (const [colour, down] of /** @type {[string, number][]} */ ([
    [COLOURS.edge, 8],
    [COLOURS.tile, 0],
  ])) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.roundRect(-42, -58 + down, 84, 116, 14);
    pen.fill();
  }
  if (ofCards() && number !== "★") {
    write(pen, number === "11" ? "J" : number, [0, -2], `700 48px ${DISPLAY}`, ink);
    write(pen, SUIT, [0, 44], `400 44px ${BODY}`, ink);
  } else write(pen, number, [0, 20], `700 56px ${DISPLAY}`, ink);
  pen.restore();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} height
 * @param {number} last where the totals stand, at which the line between the sides ends
 */
function drawPaper(pen, height, last) {
  pen.fillStyle = COLOURS.paper;
  pen.beginPath();
  pen.roundRect(40, 40, WIDTH - 80, height - 80, 36);
  pen.fill();
  pen.fillStyle = COLOURS.ink;
  pen.fillRect(80, 165, WIDTH - 160, 4);
  pen.fillRect(WIDTH / 2, 70, 2, last - 70);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} name
 * @param {number} side 0 or 1
 */
function drawName(pen, name, side) {
  writeIn(pen, name, NAME, 310 + side * COLUMNS, COLOURS.ink);
}

/**
 * Writes a text in its room, with its lines around `middle`.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} words
 * @param {Room} room
 * @param {number} middle
 * @param {string} colour
 */
function writeIn(pen, words, room, middle, colour) {
  /** @type {(text: string, size: number) => number} */
  const widthOf = (text, size) => {
    pen.font = `700 ${size}px ${DISPLAY}`;
    return pen.measureText(text).width;
  };
  pen.textAlign = "center";
  for (const { text, baseline, size } of linesIn(words, room, widthOf)) {
    pen.font = `700 ${size}px ${DISPLAY}`;
    pen.fillStyle = colour;
    pen.fillText(text, middle, baseline);
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} points
 * @param {number} side 0 or 1
 * @param {number} row
 */
function drawPoints(pen, points, side, row) {
  const place = /** @type {Point} */ ([440 + side * COLUMNS, FIRST_HAND + row * LINE]);
  write(pen, signed(points), place, `500 46px ${BODY}`, COLOURS.hand, "right");
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {Point} place
 * @param {string} font
 * @param {string} colour
 * @param {CanvasTextAlign} [align]
 */
function write(pen, text, [x, y], font, colour, align = "center") {
  pen.font = font;
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(text, x, y, WIDTH / 2 - 70);
}

/**
 * Breaks a text into lines: one or, where it is long, two, with letters as small as they must be.
 * @param {string} text
 * @param {Room} room
 * @param {(text: string, size: number) => number} widthOf
 * @returns {Line[]}
 */
export function linesIn(text, { width, large, small, one, two }, widthOf) {
  if (widthOf(text, large) <= width) return [{ text, baseline: one, size: large }];
  const lines = inHalves(text);
  const fitting = lines.map((line) => (MEASURED_AT * width) / widthOf(line, MEASURED_AT));
  const size = Math.min(small, ...fitting.map(Math.floor));
  if (lines.length === 1) return [{ text: lines[0], baseline: one, size }];
  return lines.map((line, at) => ({ text: line, baseline: two[at], size }));
}

/**
 * Cuts a name in two so that the longer part is as short as possible: between words or, in a single
 * word, in the middle.
 * @param {string} name
 */
export function inHalves(name) {
  const words = name.split(" ");
  if (words.length === 1) {
    const letters = lettersOf(name);
    const half = Math.ceil(letters.length / 2);
    return [letters.slice(0, half).join(""), letters.slice(half).join("")].filter(Boolean);
  }
  const cuts = words.map((_, at) => [words.slice(0, at).join(" "), words.slice(at).join(" ")]);
  /** @param {string[]} cut */
  const longest = (cut) => Math.max(...cut.map((part) => part.length));
  const [best] = cuts.sort((a, b) => longest(a) - longest(b));
  return best.filter(Boolean);
}

/**
 * Returns what people see as letters, one a string: an emoji of several characters is one of them.
 * A browser that cannot tell them gives its characters.
 * @param {string} text
 */
function lettersOf(text) {
  if (!("Segmenter" in Intl)) return Array.from(text);
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
