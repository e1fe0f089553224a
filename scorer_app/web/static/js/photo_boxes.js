// The boxes over a photograph: one on every tile, with what was read; a tap elsewhere adds a tile.

import { svg } from "./dom.js";
import { hold, keptPart, listen } from "./morph.js";
import {
  labelsApart,
  medianHeight,
  polygonPoints,
  uprightTile,
  viewBox,
} from "./photo_geometry.js";
import { rove } from "./roving.js";
import { firstEnd, isDrawing, tapLine } from "./side_line.js";
import { mark, partsOf, say, tileLabel } from "./words.js";

const LARGEST_LABEL = 0.05; // of the shown width
// Of the shown height: 11 px on a phone, where a rack's photograph is shown smaller.
const SMALLEST_LABEL = { melds: 0.05, rack: 0.072, pozo: 0.05 };
const LABEL = 0.34; // of a tile's height
const FIRST_TILE = 0.05; // of the picture's width: the height of a tile where none was read

/**
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 * @param {[string, TileView & { corners: Corners }][]} tiles
 * @param {Box} part of the photograph that is shown
 */
export function photoBoxes(screen, photo, tiles, part) {
  const corners = tiles.map(([, tile]) => tile.corners);
  const height = medianHeight(corners);
  const largest = Math.min(height * LABEL, part.width * LARGEST_LABEL);
  const usual = Math.max(largest, part.height * SMALLEST_LABEL[photo.place]);
  const marks = tiles.map(([, tile]) => mark(tile.face));
  const { size: label, points } = labelsApart(corners, marks, usual);
  const boxes = tiles.map(([id, tile], index) =>
    keptPart(`box ${id}`, [tile, label, points[index], isDrawing(photo.id)], () =>
      box(screen, id, tile, { label, point: points[index] }),
    ),
  );
  const drawing = svg(
    "svg",
    {
      viewBox: viewBox(part),
      class: "overlay",
      role: "group",
      "aria-label": say("js.tiles_on_photo"),
    },
    boxes.map(hold),
  );
  rove(
    drawing,
    boxes,
    boxes.find((one) => one.classList.contains("doubtful")),
  );
  const first = firstEnd(photo.id);
  if (first) {
    const [cx, cy] = first;
    drawing.append(svg("circle", { cx, cy, r: label * 0.6, class: "line-end" }));
  }
  if (isDrawing(photo.id)) {
    drawing.classList.add("drawing");
    listen(drawing, "click", (event) => {
      const { x, y } = pointOf(event); // on a tile, too
      tapLine(screen, photo, [x, y]);
    });
  } else if (photo.state === "read") {
    const newHeight = height || (photo.width ?? 0) * FIRST_TILE;
    listen(drawing, "click", (event) => {
      const { currentTarget, target } = event;
      if (target !== currentTarget) return; // a box opens its own tile
      screen.addAt(photo, uprightTile(pointOf(event), newHeight));
    });
  }
  return drawing;
}

/**
 * Returns where the drawing that listens was tapped.
 * @param {Event} event
 * @returns {DOMPoint} in the photograph's pixels
 */
function pointOf(event) {
  const { currentTarget } = event;
  if (!(event instanceof MouseEvent && currentTarget instanceof SVGGraphicsElement)) {
    throw new TypeError("expected a tap on a drawing");
  }
  const { clientX, clientY } = event;
  return new DOMPoint(clientX, clientY).matrixTransform(currentTarget.getScreenCTM()?.inverse());
}

/**
 * @param {HandScreen} screen
 * @param {string} id
 * @param {TileView & { corners: Corners }} tile
 * @param {{ label: number, point: Point }} written how large and where its label is
 */
function box(screen, id, tile, { label, point: [x, y] }) {
  const states = [tile.doubtful && "doubtful", tile.settled && "settled"];
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    screen.pick(id);
  };
  return svg(
    "g",
    {
      class: ["box", ...states].filter(Boolean).join(" "),
      role: "button",
      "data-tile": id,
      "data-key": `box-${id}`,
      "aria-label": tileLabel(tile),
      onclick: isDrawing(tile.photo ?? "") ? null : () => screen.pick(id),
      onkeydown,
    },
    svg("polygon", { points: polygonPoints(tile.corners) }),
    svg(
      "text",
      {
        x,
        y,
        "font-size": label,
        "data-colour": partsOf(tile.face).colour,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        "aria-hidden": "true",
      },
      mark(tile.face),
    ),
  );
}
