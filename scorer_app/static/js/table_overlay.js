// Draws what was understood over the camera's picture: a quad a tile in the colour of its meld's verdict, and the line
// between the sides. Coordinates are pixels of the frames as sent.

const COLOURS = { legal: "#4cd07d", illegal: "#ff5a44", doubtful: "#ffb020", loose: "#ffffff" };

export function stateOf(meld) {
  if (meld.doubtful || meld.legal === null) return "doubtful";
  return meld.legal || meld.overruled ? "legal" : "illegal";
}

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
  }

  draw({ width, height, table, line, point }) {
    this.canvas.width = width;
    this.canvas.height = height;
    this.unit = width / 320;
    for (const meld of table?.melds ?? []) this.meld(meld);
    for (const tile of table?.loose_details ?? []) this.quad(tile.corners, COLOURS.loose);
    if (line) this.side(line);
    if (point) this.dot(point);
  }

  meld(meld) {
    const colour = COLOURS[stateOf(meld)];
    for (const tile of meld.details) {
      this.quad(tile.corners, tile.doubtful ? COLOURS.doubtful : colour);
      this.write(tile.tile ?? "?", tile.corners);
    }
  }

  quad(corners, colour) {
    this.pen.strokeStyle = colour;
    this.pen.lineWidth = this.unit / 2;
    this.pen.beginPath();
    corners.forEach(([x, y], place) => (place ? this.pen.lineTo(x, y) : this.pen.moveTo(x, y)));
    this.pen.closePath();
    this.pen.stroke();
  }

  write(text, corners) {
    const x = corners.reduce((sum, corner) => sum + corner[0], 0) / 4;
    const bottom = Math.max(...corners.map((corner) => corner[1]));
    this.label(text, x, bottom + 3.5 * this.unit);
  }

  label(text, x, y) {
    this.pen.font = `700 ${Math.round(4 * this.unit)}px sans-serif`;
    this.pen.textAlign = "center";
    this.pen.lineWidth = this.unit;
    this.pen.strokeStyle = "#000";
    this.pen.strokeText(text, x, y);
    this.pen.fillStyle = "#fff";
    this.pen.fillText(text, x, y);
  }

  // The line, and on either side the letter of who lays there: A right of it, seen from its first point to its second.
  side([[x1, y1], [x2, y2]]) {
    const long = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
    const far = this.canvas.width + this.canvas.height;
    this.pen.strokeStyle = "#e3b04b";
    this.pen.lineWidth = this.unit;
    this.pen.beginPath();
    this.pen.moveTo(x1 - dx * far, y1 - dy * far);
    this.pen.lineTo(x2 + dx * far, y2 + dy * far);
    this.pen.stroke();
    const [x, y, away] = [(x1 + x2) / 2, (y1 + y2) / 2, 8 * this.unit];
    this.label("A", x - dy * away, y + dx * away);
    this.label("B", x + dy * away, y - dx * away);
  }

  dot([x, y]) {
    this.pen.fillStyle = "#e3b04b";
    this.pen.beginPath();
    this.pen.arc(x, y, 2 * this.unit, 0, 7);
    this.pen.fill();
  }
}
