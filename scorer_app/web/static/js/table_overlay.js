// Draws what was understood over the camera's picture: a quad a tile in the colour of its meld's verdict, and the line
// between the sides. Coordinates are pixels of the frames; letters are as large as the screen wants them.

import { mark } from "./dom.js";

const COLOURS = {
  legal: "#4cd07d",
  illegal: "#ff5a44",
  doubtful: "#ffb020",
  loose: "#ffffff",
  printed: "#c8c8c8",
  line: "#e3b04b",
};
const LETTERS = { tile: 11, side: 18 }; // CSS pixels

export function stateOf(meld) {
  if (meld.overruled) return "legal";
  if (meld.doubtful || meld.legal === null) return "doubtful";
  return meld.legal ? "legal" : "illegal";
}

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
  }

  draw({ size: [width, height], table, line, point }) {
    const shown = this.canvas.clientWidth;
    if (!shown) return;
    const sharp = Math.min(window.devicePixelRatio || 1, 2);
    this.canvas.width = Math.round(shown * sharp);
    this.canvas.height = Math.round((shown * sharp * height) / width);
    this.pen.setTransform(this.canvas.width / width, 0, 0, this.canvas.width / width, 0, 0);
    Object.assign(this, { width, height, unit: width / shown }); // frame pixels a CSS pixel
    const known = table?.width === width && table.height === height ? table : null; // else from before the picture's size changed
    for (const tile of known?.loose_details ?? []) this.tile(tile, COLOURS.loose);
    this.pen.setLineDash([3 * this.unit, 3 * this.unit]);
    for (const tile of known?.printed_details.flat() ?? [])
      this.outline(tile.corners, COLOURS.printed, 2);
    this.pen.setLineDash([]);
    for (const meld of known?.melds ?? [])
      for (const tile of meld.details)
        this.tile(tile, tile.doubtful ? COLOURS.doubtful : COLOURS[stateOf(meld)]);
    if (line) this.side(line);
    if (point) this.dot(point);
  }

  tile({ tile, corners }, colour) {
    this.outline(corners, "#0008", 3.5);
    this.outline(corners, colour, 2);
    if (colour === COLOURS.loose && !tile) return; // face down, as likely as not: nothing is asked of it
    const wide = Math.hypot(corners[1][0] - corners[0][0], corners[1][1] - corners[0][1]);
    const [x, bottom] = [
      corners.reduce((sum, corner) => sum + corner[0], 0) / 4,
      Math.max(...corners.map((corner) => corner[1])),
    ];
    const letters = Math.min(LETTERS.tile * this.unit, wide * 0.62);
    this.label(mark(tile), x, bottom + letters * 0.15, letters);
  }

  outline(corners, colour, thick) {
    this.pen.strokeStyle = colour;
    this.pen.lineWidth = thick * this.unit;
    this.pen.lineJoin = "round";
    this.pen.beginPath();
    corners.forEach(([x, y], place) => (place ? this.pen.lineTo(x, y) : this.pen.moveTo(x, y)));
    this.pen.closePath();
    this.pen.stroke();
  }

  label(text, x, y, letters) {
    this.pen.font = `700 ${letters}px sans-serif`;
    this.pen.textAlign = "center";
    this.pen.textBaseline = "middle";
    this.pen.lineJoin = "round";
    this.pen.lineWidth = letters / 3;
    this.pen.strokeStyle = "#06251a";
    this.pen.strokeText(text, x, y);
    this.pen.fillStyle = "#fff";
    this.pen.fillText(text, x, y);
  }

  // The line, and on either side the letter of who lays there: A right of it, seen from its first point to its second.
  side([[x1, y1], [x2, y2]]) {
    const long = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
    const far = this.width + this.height;
    this.pen.strokeStyle = COLOURS.line;
    this.pen.lineWidth = 2 * this.unit;
    this.pen.setLineDash([10 * this.unit, 6 * this.unit]);
    this.pen.beginPath();
    this.pen.moveTo(x1 - dx * far, y1 - dy * far);
    this.pen.lineTo(x2 + dx * far, y2 + dy * far);
    this.pen.stroke();
    this.pen.setLineDash([]);
    const letters = LETTERS.side * this.unit;
    const seen = (t) =>
      Math.min(x1 + dx * t, y1 + dy * t, this.width - x1 - dx * t, this.height - y1 - dy * t) >
      letters;
    let t = -far; // where the line comes into the picture there is more room than in the middle of the table
    while (t < far && !seen(t)) t += this.unit;
    this.label("A", x1 + dx * t - dy * letters, y1 + dy * t + dx * letters, letters);
    this.label("B", x1 + dx * t + dy * letters, y1 + dy * t - dx * letters, letters);
  }

  dot([x, y]) {
    this.pen.fillStyle = COLOURS.line;
    this.pen.beginPath();
    this.pen.arc(x, y, 6 * this.unit, 0, 7);
    this.pen.fill();
  }
}
