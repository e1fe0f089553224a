// A photograph with a box on every tile, enlarged to the part where they lie. Pictures stay in the
// page while the rest is drawn anew.

import { h } from "./dom.js";
import { hold, keep } from "./morph.js";
import { photoBoxes } from "./photo_boxes.js";
import { partWithTiles } from "./photo_geometry.js";
import { countAside, photoTools } from "./photo_tools.js";
import { firstEnd, isDrawing } from "./side_line.js";
import { asideCount, say } from "./words.js";

/** @type {Map<string, HTMLImageElement>} by address */
const pictures = new Map();
/** @type {Set<string>} photographs that a person wants to see all of */
const shownWhole = new Set();

/**
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 */
export function photoBoard(screen, photo) {
  if (photo.state === "failed" || !photo.url) return waiting(screen, photo);
  const tiles = boxedTiles(screen.view, photo.id);
  const size = { width: photo.width ?? 0, height: photo.height ?? 0 };
  const corners = tiles.map(([, tile]) => tile.corners);
  const near = partWithTiles(size.width, size.height, corners);
  const part = shownWhole.has(photo.id) ? { x: 0, y: 0, ...size } : near;
  const image = picture(photo.url);
  const facts = [photo, tiles, part, isDrawing(photo.id), firstEnd(photo.id)];
  const boxes = keep(`boxes ${photo.id}`, facts, () => photoBoxes(screen, photo, tiles, part));
  const frame = h("div", { class: "photo-frame" }, hold(image), boxes);
  if (photo.width) place(frame, image, size, part); // holds the space until the picture has come
  const isNearer = near.width < size.width || near.height < size.height;
  const zoom = isNearer ? zoomButton(screen, photo.id) : null;
  const notices = photo.notices.map((text) => h("span", { class: "photo-notice" }, text));
  const stage = [photo.text, asideCount(countAside(screen.view, photo.id))]
    .filter(Boolean)
    .join(" · ");
  const caption = h(
    "figcaption",
    {},
    h("span", { class: "stage", "data-state": photo.state }, stage),
    notices,
    photoTools(screen, photo, zoom),
  );
  const looks = { class: "photo", "data-photo": photo.id, "data-place": photo.place };
  return h("figure", looks, frame, caption);
}

/**
 * Returns the photograph's tiles that have a place on it, with their ids.
 * @param {HandView} view
 * @param {string} photo
 * @returns {[string, TileView & { corners: Corners }][]}
 */
function boxedTiles(view, photo) {
  const boxed = [];
  for (const [id, tile] of Object.entries(view.tiles)) {
    const { corners } = tile;
    if (tile.photo === photo && corners) {
      /** @type {[string, TileView & { corners: Corners }]} */
      const entry = [id, { ...tile, corners }];
      boxed.push(entry);
    }
  }
  return boxed;
}

/** @param {string} url */
function picture(url) {
  const known = pictures.get(url);
  if (known) return known;
  const image = h("img", { src: url, alt: say("js.photo"), decoding: "async" });
  pictures.set(url, image);
  return image;
}

/**
 * Moves the picture so that the frame shows one part of it.
 * @param {HTMLElement} frame
 * @param {HTMLImageElement} image
 * @param {{ width: number, height: number }} whole
 * @param {Box} part
 */
function place(frame, image, whole, part) {
  frame.style.aspectRatio = `${part.width} / ${part.height}`;
  frame.style.maxWidth = `calc(var(--photo-most) * ${part.width / part.height})`;
  image.style.width = `${(100 * whole.width) / part.width}%`;
  image.style.left = `${(-100 * part.x) / part.width}%`;
  image.style.top = `${(-100 * part.y) / part.height}%`;
}

/**
 * @param {HandScreen} screen
 * @param {string} photo
 */
function zoomButton(screen, photo) {
  const whole = shownWhole.has(photo);
  const turn = () => {
    if (whole) shownWhole.delete(photo);
    else shownWhole.add(photo);
    screen.draw();
  };
  return h(
    "button",
    { type: "button", class: "quiet", onclick: turn, "data-key": `zoom-${photo}` },
    say(whole ? "js.photo_near" : "js.photo_whole"),
  );
}

/**
 * Makes what stands in place of a photograph that cannot be shown: what is happening to it, why it
 * failed, or that its picture was deleted.
 * @param {HandScreen} screen
 * @param {PhotoView} photo
 */
function waiting(screen, photo) {
  return h(
    "div",
    {
      class: "photo-waiting",
      "data-photo": photo.id,
      "data-state": photo.state,
      role: "status",
    },
    h("p", {}, photo.text),
    ["failed", "read"].includes(photo.state) ? photoTools(screen, photo) : null,
  );
}
