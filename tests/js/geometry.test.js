import { scaledSize } from "../../scorer_app/web/static/js/capture.js";
import {
  closeUpPart,
  labelPoint,
  labelsApart,
  medianHeight,
  partWithTiles,
  polygonPoints,
  turnOf,
  turnedUpright,
  uprightTile,
  viewBox,
} from "../../scorer_app/web/static/js/photo_geometry.js";
import {
  contains,
  dividingLine,
  fromShares,
  labelUnder,
  pointOnFrame,
  toShares,
} from "../../scorer_app/web/static/js/table_geometry.js";
import { close, equal, test } from "./harness.js";
import { upright } from "./samples.js";

/** A tile 30 wide and 20 tall in the picture, its top to the right.
 * @type {Corners} */
const turned = [
  [130, 100],
  [130, 120],
  [100, 120],
  [100, 100],
];

// --- photographs ---

test("a photograph without tiles is shown whole", () => {
  equal(partWithTiles(400, 300, []), { x: 0, y: 0, width: 400, height: 300 });
});

test("tiles in a corner are brought near, with a tile's height around them", () => {
  const part = partWithTiles(1000, 800, [upright(100, 100), upright(200, 100)]);
  equal(part, { x: 70, y: 70, width: 180, height: 90 });
});

test("the part with cards reaches beyond the indices by which they were read", () => {
  document.documentElement.dataset.pieces = "cards";
  const part = partWithTiles(4000, 4000, [upright(1000, 1000), upright(1100, 1000)]);
  delete document.documentElement.dataset.pieces;
  equal(part, { x: 895, y: 895, width: 330, height: 240 });
});

test("the margin ends where the photograph does", () => {
  const part = partWithTiles(1000, 800, [upright(0, 0), upright(300, 0)]);
  equal(part, { x: 0, y: 0, width: 350, height: 60 });
});

test("tiles over most of the photograph leave it whole", () => {
  const part = partWithTiles(400, 300, [upright(10, 10), upright(360, 250)]);
  equal(part, { x: 0, y: 0, width: 400, height: 300 });
});

test("a column of tiles is not cut slimmer than a screen can show", () => {
  const tiles = [0, 1, 2, 3].map((row) => upright(500, 100 + row * 100));
  const part = partWithTiles(1000, 1000, tiles);
  close([part.width / part.height, part.x + part.width / 2], [0.8, 510]);
});

test("a column at the edge keeps that width inside the photograph", () => {
  const tiles = [0, 1, 2, 3].map((row) => upright(0, 100 + row * 100));
  const part = partWithTiles(1000, 1000, tiles);
  close([part.x, part.width / part.height], [0, 0.8]);
});

test("the middle height is the tiles' own, however they lie", () => {
  equal(medianHeight([]), 0);
  equal(medianHeight([turned]), 30);
  const tall = upright(0, 0).map(([x, y]) => /** @type {Point} */ ([x, y * 10]));
  equal(medianHeight([upright(0, 0), tall, upright(50, 0)]), 30);
});

test("a tapped tile stands around the point, in whole pixels", () => {
  equal(uprightTile({ x: 100.2, y: 50 }, 50), [
    [82, 25],
    [118, 25],
    [118, 75],
    [82, 75],
  ]);
});

test("a label lies on a tile's lower edge", () => {
  close(labelPoint(upright(100, 100)), [110, 128.2]);
});

/**
 * Returns how high the labels lie and how large they are, if they may be 10 pixels.
 * @param {number[]} lefts of tiles in a row
 * @param {string} mark
 */
function labels(lefts, mark) {
  const tiles = lefts.map((left) => upright(left, 100));
  const { size, points } = labelsApart(tiles, Array(tiles.length).fill(mark), 10);
  return [Math.round(size * 10) / 10, ...points.map(([, y]) => Math.round(y))];
}

test("labels that would cover each other are smaller, and on two lines if need be", () => {
  equal(labels([0, 22, 44, 66], "1●"), [10, 128, 128, 128, 128]);
  equal(labels([0, 22, 44, 66], "11●"), [9, 128, 128, 128, 128]);
  equal(labels([0, 18, 36, 54], "11●"), [8, 128, 119, 128, 119]);
  equal(labels([40, 0], "11●"), [10, 128, 128]);
});

test("a label is a line higher where the one below would be covered", () => {
  const tiles = [upright(0, 100), upright(2, 110), upright(10, 100)];
  const { points } = labelsApart(tiles, ["11●", "11●", "11●"], 10);
  close(points[2], [20, 118.6]);
});

test("a close-up shows the tile and a third of its height around", () => {
  equal(closeUpPart(upright(100, 100)), { x: 89.5, y: 89.5, width: 41, height: 51 });
});

test("a part and corners are written as a drawing wants them", () => {
  equal(viewBox({ x: 1, y: 2, width: 3, height: 4 }), "1 2 3 4");
  equal(polygonPoints(upright(0, 0)), "0,0 20,0 20,30 0,30");
});

test("a photograph is scaled to its longer side, never up", () => {
  equal(scaledSize(6144, 4096), [3072, 2048]);
  equal(scaledSize(3000, 4096), [2250, 3072]);
  equal(scaledSize(640, 480), [640, 480]);
});

// --- the watched table ---

test("a tile holds the points inside it, whichever way round its corners are", () => {
  const reversed = [...upright(100, 100)].reverse();
  for (const corners of [upright(100, 100), reversed, turned]) {
    equal(contains(corners, [110, 115]), true);
    equal(contains(corners, [99, 115]), false);
    equal(contains(corners, [110, 131]), false);
  }
});

test("a tap on the shown picture meets a pixel of the frame", () => {
  const box = { left: 10, top: 20, width: 320, height: 180 };
  equal(pointOnFrame({ clientX: 170, clientY: 110 }, box, [1280, 720]), [640, 360]);
  equal(pointOnFrame({ clientX: 10, clientY: 20 }, box, [1280, 720]), [0, 0]);
});

test("a remembered point fits a picture of another size", () => {
  const share = toShares([320, 180], [1280, 720]);
  equal(share, [0.25, 0.25]);
  equal(fromShares(share, [640, 480]), [160, 120]);
});

test("letters stand under a tile, no wider than it is", () => {
  close(Object.values(labelUnder(upright(100, 100), 11)), [110, 131.65, 11]);
  close(labelUnder(upright(100, 100), 50).height, 12.4);
});

test("A is right of the dividing line as seen along it", () => {
  /** @type {[Point, Point]} */
  const right = [
    [100, 360],
    [1180, 360],
  ];
  const { from, to, a, b } = dividingLine(right, [1280, 720], 20, 1);
  close([from[0] < 0 ? 0 : 1, to[0] > 1280 ? 0 : 1], [0, 0]);
  close([a[1], b[1]], [380, 340]);
  const back = dividingLine([right[1], right[0]], [1280, 720], 20, 1);
  close([back.a[1], back.b[1]], [340, 380]);
});

test("a slanting line is drawn on through both of its points", () => {
  /** @type {[Point, Point]} */
  const slanting = [
    [300, 200],
    [600, 600],
  ];
  const { from, to, a, b } = dividingLine(slanting, [1280, 720], 30, 1);
  close([to[0] - from[0], to[1] - from[1]], [2700, 3600]);
  close([a[0] - b[0], a[1] - b[1]], [-48, 36]);
  const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  close((middle[0] - 300) * 4, (middle[1] - 200) * 3);
  equal(middle[1] > 30 && middle[1] < 31, true);
});

test("a line that comes in from the far edges has its letters there", () => {
  /** @type {[Point, Point]} */
  const upwards = [
    [640, 400],
    [640, 300],
  ];
  close(dividingLine(upwards, [1280, 720], 20, 1).a, [660, 699]);
  /** @type {[Point, Point]} */
  const leftwards = [
    [700, 360],
    [600, 360],
  ];
  close(dividingLine(leftwards, [1280, 720], 20, 1).a, [1259, 340]);
});

test("the sides' letters stand where the line comes into the picture", () => {
  /** @type {[Point, Point]} */
  const down = [
    [640, 300],
    [640, 400],
  ];
  const { a, b } = dividingLine(down, [1280, 720], 20, 1);
  close([a[0], b[0]], [620, 660]);
  close([a[1], b[1]], [21, 21]);
});

test("a tile that lies askew or upside down is turned upright for the close-up", () => {
  const [first, second, third, fourth] = upright(100, 100);
  const upside = [third, fourth, first, second];
  equal(Math.abs(turnOf(upside)), 180);
  close(turnedUpright(upside).corners.flat(), upright(100, 100).flat());
  /** @type {Corners} */
  const askew = [
    [0, 0],
    [10, 10],
    [-5, 25],
    [-15, 15],
  ];
  const [a, b, c, d] = turnedUpright(askew).corners;
  close([a[1], c[1]], [b[1], d[1]]);
  equal(a[0] < b[0] && a[1] < d[1], true);
});
