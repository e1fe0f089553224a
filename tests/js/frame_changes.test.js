import {
  CELL,
  FrameChanges,
  changedPart,
  inFrame,
} from "../../scorer_app/web/static/js/frame_changes.js";
import { equal, test } from "./harness.js";

const [WIDTH, HEIGHT] = [96, 64];

/**
 * A grey copy of a frame, with rectangles of other greys.
 * @param {...[number, number, number, number, number]} rectangles left, top, width, height, grey
 */
function copy(...rectangles) {
  const image = new ImageData(WIDTH, HEIGHT);
  image.data.fill(100);
  for (const [left, top, width, height, grey] of rectangles)
    for (let y = top; y < top + height; y += 1)
      image.data.fill(grey, 4 * (y * WIDTH + left), 4 * (y * WIDTH + left + width));
  return image;
}

test("the first frame is sent whole, the same once more not at all", () => {
  const changes = new FrameChanges();
  equal(changes.take(copy(), 0), "whole");
  equal(changes.take(copy(), 100), "nothing");
});

test("what a tile covers is sent with a cell around it", () => {
  const changes = new FrameChanges();
  changes.take(copy(), 0);
  const tile = copy([40, 24, 5, 7, 220]);
  equal(changes.take(tile, 100), { left: 32, top: 16, width: 24, height: 24 });
  equal(changes.take(tile, 200), "nothing");
  equal(changes.take(copy(), 300), { left: 32, top: 16, width: 24, height: 24 });
});

test("what was not sent is compared with what was, so that a slow change is sent, too", () => {
  const changes = new FrameChanges();
  changes.take(copy(), 0);
  const shades = [103, 106, 107, 108].map((grey) => copy([8, 8, 24, 24, grey]));
  const taken = shades.map((shade, at) => changes.take(shade, 100 * (at + 1)));
  equal(taken.slice(0, 2), ["nothing", "nothing"]);
  equal(taken[2], { left: 0, top: 0, width: 40, height: 40 });
  equal(taken[3], "nothing");
});

test("a camera's noise is no change", () => {
  const noisy = copy();
  for (let at = 0; at < noisy.data.length; at += 1) noisy.data[at] += (at * 7919) % 5;
  equal(changedPart(copy(), noisy), "nothing");
});

test("two pixels of a cell that differ are a change, one may be noise", () => {
  equal(changedPart(copy(), copy([3, 3, 1, 1, 140])), "nothing");
  equal(changedPart(copy(), copy([3, 3, 2, 1, 140])), {
    left: 0,
    top: 0,
    width: 2 * CELL,
    height: 2 * CELL,
  });
});

test("another light changes the whole frame", () => {
  const changes = new FrameChanges();
  changes.take(copy(), 0);
  equal(changes.take(copy([0, 0, WIDTH, HEIGHT, 130]), 100), "whole");
});

test("a frame is sent whole now and then, after a loss, and in another size", () => {
  const changes = new FrameChanges();
  changes.take(copy(), 0);
  equal(changes.take(copy(), 9999), "nothing");
  equal(changes.take(copy(), 10000), "whole");
  changes.forget();
  equal(changes.take(copy(), 10100), "whole");
  equal(changes.take(new ImageData(HEIGHT, WIDTH), 10200), "whole");
});

test("a part reaches the edges of a frame that is no multiple of the copy", () => {
  const frame = { width: 387, height: 259 };
  const part = { left: 80, top: 48, width: 16, height: 16 };
  equal(inFrame(part, copy(), frame), { left: 320, top: 192, width: 67, height: 67 });
  equal(inFrame({ ...part, left: 8, top: 8 }, copy(), frame), {
    left: 32,
    top: 32,
    width: 64,
    height: 64,
  });
});
