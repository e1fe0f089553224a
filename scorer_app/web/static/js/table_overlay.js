// Draws what was recognised over the camera's picture: a quad around each tile in the colour of its
// meld's verdict, and the line between the sides. Coordinates are pixels of the frames; letters
// have a fixed size on the screen.

import { dividingLine, labelUnder } from "./table_geometry.js";
import { mark } from "./words.js";

const COLOURS = {
  legal: "#4cd07d",
  illegal: "#ff5a44",
  doubtful: "#ffb020",
  loose: "#ffffff",
  printed: "#c8c8c8",
  line: "#e3b04b",
  wrong: "#ff5a4455",
  shade: "#0008",
  letters: "#fff",
  rim: "#06251a",
};
const LETTERS = { tile: 11, side: 18 }; // CSS pixels
const LONGEST_NAME = 14; // letters
const SHARPEST = 2; // device pixels a CSS pixel: more is not seen
const FULL_CIRCLE = 2 * Math.PI;

/**
 * Returns the verdict on a meld in one word.
 * @param {TableMeld} meld
 * @returns {"legal" | "illegal" | "doubtful"}
 */
export function stateOf({ overruled, doubtful, legal }) {
  if (overruled) return "legal";
  if (doubtful || legal === null) return "doubtful";
  return legal ? "legal" : "illegal";
}

/**
 * Returns the table if its corners refer to frames of this size; null if it is from before the
 * picture's size changed.
 * @param {Table | null} table
 * @param {Size} size
 */
export function fitting(table, [width, height]) {
  return table?.width === width && table.height === height ? table : null;
}

export class Overlay {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Record<Side, string>} [names] of the sides
   */
  constructor(canvas, names = { A: "A", B: "B" }) {
    this.canvas = canvas;
    this.names = names;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.unit = 1; // frame pixels a CSS pixel
  }

  /**
   * @param {object} seen
   * @param {Size} seen.size of the frame
   * @param {Table | null} seen.table
   * @param {[Point, Point] | null} seen.line
   * @param {Point | null} seen.point the first end of a line being drawn
   * @param {number | null} [seen.wrong] the meld that the banner is about
   */
  draw({ size, table, line, point, wrong = null }) {
    if (!this.begin(size)) return;
    const known = fitting(table, size);
    if (known) this.table(known, wrong);
    if (line) this.side(line, size);
    if (point) this.dot(point);
  }

  /**
   * Empties the canvas and scales it to the frame. Returns false where the canvas is not shown.
   * @param {Size} size
   */
  begin([width, height]) {
    const shown = this.canvas.clientWidth;
    if (!shown) return false;
    const sharp = Math.min(window.devicePixelRatio || 1, SHARPEST);
    this.canvas.width = Math.round(shown * sharp);
    this.canvas.height = Math.round((shown * sharp * height) / width);
    const scale = this.canvas.width / width;
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.unit = width / shown;
    return true;
  }

  /**
   * @param {Table} table
   * @param {number | null} wrong
   */
  table({ melds, loose_details: loose, printed_details: printed }, wrong) {
    for (const tile of loose) {
      // An unread one is as likely as not face down: nothing is asked of it.
      this.tile(tile, COLOURS.loose, tile.tile !== null);
    }
    this.pen.setLineDash([3 * this.unit, 3 * this.unit]);
    for (const tile of printed.flat()) this.outline(tile.corners, COLOURS.printed, 2);
    this.pen.setLineDash([]);
    for (const meld of melds) {
      const colour = COLOURS[stateOf(meld)];
      if (meld.id === wrong) this.emphasis(meld);
      for (const tile of meld.details)
        this.tile(tile, tile.doubtful ? COLOURS.doubtful : colour, true);
    }
  }

  /**
   * Fills the tiles of a meld, so that they can be found from across the room.
   * @param {TableMeld} meld
   */
  emphasis({ details }) {
    this.pen.save();
    this.pen.fillStyle = COLOURS.wrong;
    for (const { corners } of details) {
      this.outline(corners, COLOURS.illegal, 7);
      this.pen.fill();
    }
    this.pen.restore();
  }

  /**
   * @param {TableTile} tile
   * @param {string} colour
   * @param {boolean} named whether its face is written under it
   */
  tile({ tile, corners }, colour, named) {
    this.outline(corners, COLOURS.shade, 3.5);
    this.outline(corners, colour, 2);
    if (!named) return;
    const { x, y, height } = labelUnder(corners, LETTERS.tile * this.unit);
    this.label(mark(tile), [x, y], height);
  }

  /**
   * @param {Corners} corners
   * @param {string} colour
   * @param {number} thick in CSS pixels
   */
  outline(corners, colour, thick) {
    this.pen.strokeStyle = colour;
    this.pen.lineWidth = thick * this.unit;
    this.pen.lineJoin = "round";
    this.pen.beginPath();
    for (const [x, y] of corners) this.pen.lineTo(x, y); // the first one only moves there
    this.pen.closePath();
    this.pen.stroke();
  }

  /**
   * @param {string} text
   * @param {Point} centre
   * @param {number} height
   */
  label(text, [x, y], height) {
    this.pen.font = `700 ${height}px sans-serif`;
    this.pen.textAlign = "center";
    this.pen.textBaseline = "middle";
    this.pen.lineJoin = "round";
    this.pen.lineWidth = height / 3;
    this.pen.strokeStyle = COLOURS.rim;
    this.pen.strokeText(text, x, y);
    this.pen.fillStyle = COLOURS.letters;
    this.pen.fillText(text, x, y);
  }

  /**
   * Draws the line between the sides, with the name of the side on either side of it.
   * @param {[Point, Point]} line
   * @param {Size} size
   */
  side(line, size) {
    const letters = LETTERS.side * this.unit;
    const { from, to, a, b } = dividingLine(line, size, letters, this.unit);
    this.pen.strokeStyle = COLOURS.line;
    this.pen.lineWidth = 2 * this.unit;
    this.pen.setLineDash([10 * this.unit, 6 * this.unit]);
    this.pen.beginPath();
    this.pen.moveTo(...from);
    this.pen.lineTo(...to);
    this.pen.stroke();
    this.pen.setLineDash([]);
    this.name("A", a, size, letters);
    this.name("B", b, size, letters);
  }

  /**
   * Writes the name of a side, wholly inside the picture.
   * @param {Side} side
   * @param {Point} place
   * @param {Size} size of the frame
   * @param {number} height of the letters
   */
  name(side, [x, y], [width], height) {
    const name = this.names[side];
    const text = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
    this.pen.font = `700 ${height}px sans-serif`;
    const half = this.pen.measureText(text).width / 2 + height / 2;
    this.label(text, [Math.min(Math.max(x, half), width - half), y], height);
  }

  /** @param {Point} point */
  dot([x, y]) {
    this.pen.fillStyle = COLOURS.line;
    this.pen.beginPath();
    this.pen.arc(x, y, 6 * this.unit, 0, FULL_CIRCLE);
    this.pen.fill();
  }
}
