import { SIZE, hintFor } from "../../scorer_app/web/static/js/frame_quality.js";
import { equal, test } from "./harness.js";

const [WIDTH, HEIGHT] = SIZE;

/**
 * A frame of green felt with ivory faces where `isFace` says so.
 * @param {(x: number, y: number) => boolean} isFace
 * @param {number} [light]
 */
function frame(isFace, light = 1) {
  const pixels = new Uint8ClampedArray(4 * WIDTH * HEIGHT);
  for (let at = 0; at < WIDTH * HEIGHT; at += 1) {
    const face = isFace(at % WIDTH, Math.floor(at / WIDTH));
    const colour = face ? [240, 232, 210] : [60, 120, 80];
    pixels.set([...colour.map((part) => part * light), 255], 4 * at);
  }
  return pixels;
}

/** @type {(x: number, y: number) => boolean} */
const tiles = (x, y) => x > 40 && x < 120 && y > 40 && y < 80 && x % 16 > 2;

test("a still, bright and sharp picture of tiles is good", () => {
  equal(hintFor(frame(tiles), frame(tiles)), "good");
});

test("what the last photograph shows is not taken once more", () => {
  const other = frame((x, y) => x > 10 && x < 150 && y > 20 && y < 100 && x % 16 > 2);
  equal(hintFor(frame(tiles), frame(tiles), frame(tiles)), "same");
  equal(hintFor(frame(tiles), frame(tiles), other), "good");
});

test("what is wrong with a picture is said, the most pressing first", () => {
  const moved = frame((x, y) => tiles(x + 20, y - 15));
  equal(hintFor(frame(tiles, 0.2), moved), "dark");
  equal(hintFor(frame(tiles), moved), "moving");
  equal(
    hintFor(
      frame(() => false),
      null,
    ),
    "far",
  );
  equal(
    hintFor(
      frame(() => true),
      null,
    ),
    "cut",
  );
});
