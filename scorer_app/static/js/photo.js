// A photograph with a box on every tile. Pictures stay in the page while everything around them is drawn anew.

import { faceName, h, say } from "./dom.js";

const pictures = new Map();

function picture(photo) {
  if (!pictures.has(photo.url)) pictures.set(photo.url, h("img", { src: photo.url, alt: say("js.photo"), decoding: "async" }));
  const image = pictures.get(photo.url);
  if (photo.width) Object.assign(image, { width: photo.width, height: photo.height }); // keeps its place, and the overlay's, until it has come
  return image;
}

export function photoBoard(screen, photo) {
  if (photo.state === "failed" || !photo.url) return notice(screen, photo);
  const tiles = Object.entries(screen.view.tiles).filter(([, tile]) => tile.photo === photo.id && tile.corners);
  const board = h("figure", { class: "photo", "data-photo": photo.id }, picture(photo));
  board.append(overlay(screen, photo, tiles));
  board.append(h("figcaption", {}, h("span", { class: "stage", "data-state": photo.state }, photo.text), photo.notices.map((text) => h("span", { class: "photo-notice" }, text)), tools(screen, photo)));
  return board;
}

function notice(screen, photo) {
  return h("div", { class: "photo-waiting", "data-state": photo.state, role: "status" }, h("p", {}, photo.text), photo.state === "failed" ? tools(screen, photo) : null);
}

function tools(screen, photo) {
  const siblings = screen.view.photos.filter((one) => one.side === photo.side && one.place === photo.place && one.state === "read");
  const repeats = siblings.length > 1 && siblings[0].id !== photo.id && photo.state === "read";
  const again = photo.state === "failed" ? h("button", { type: "button", class: "quiet", onclick: () => screen.readAgain(photo.id) }, say("js.read_again")) : null;
  const shown = new Set(Object.keys(screen.view.tiles).filter((id) => screen.view.tiles[id].photo === photo.id));
  const rows = screen.view.rows.filter((row) => row.place !== "pozo" && row.tiles.every((id) => shown.has(id)));
  const aside = rows.length && photo.place === "melds" ? h("button", { type: "button", class: "quiet", onclick: () => screen.edit(...rows.map((row) => ({ op: "move_row", row: row.id, side: row.side, place: "pozo" }))), "data-key": `aside-${photo.id}` }, say("js.photo_aside")) : null;
  return h("span", { class: "photo-tools" }, again, aside, repeats ? h("button", { type: "button", class: "quiet", onclick: () => screen.edit({ op: "drop_repeats", photo: photo.id }), "data-key": `repeats-${photo.id}` }, say("js.pieces_repeat")) : null, h("button", { type: "button", class: "quiet", onclick: () => screen.removePhoto(photo.id), "data-key": `remove-${photo.id}` }, say("js.remove_photo")));
}

function overlay(screen, photo, tiles) {
  const size = medianHeight(tiles);
  const svg = h("svg", { viewBox: `0 0 ${photo.width} ${photo.height}`, class: "overlay", role: "group", "aria-label": say("js.tiles_on_photo") });
  svg.append(...tiles.map(([id, tile]) => box(screen, id, tile, size)));
  if (photo.state === "read")
    svg.addEventListener("click", (event) => {
      if (event.target !== svg) return;
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      screen.addAt(photo, square(point, size || photo.width / 20));
    });
  return svg;
}

function box(screen, id, tile, size) {
  const lit = screen.lit.includes(id);
  const [a, b, c, d] = tile.corners; // the label lies on the lower edge, where it hides neither number nor shape
  const [cx, cy] = [0, 1].map((axis) => (c[axis] + d[axis]) * 0.47 + (a[axis] + b[axis]) * 0.03);
  const label = tile.face === "J" ? "★" : (tile.face ?? "?");
  const states = `${tile.doubtful ? "doubtful" : ""} ${lit ? "lit" : ""} ${tile.settled ? "settled" : ""} ${screen.lit.length && !lit ? "dim" : ""}`;
  return h(
    "g",
    { class: `box ${states}`, tabindex: "0", role: "button", "data-tile": id, "data-key": `box-${id}`, "aria-label": `${faceName(tile.face)}${tile.doubtful ? `, ${say("js.doubtful")}` : ""}`, onclick: () => screen.pick(id), onkeydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), screen.pick(id)) },
    h("polygon", { points: tile.corners.map((corner) => corner.join()).join(" "), class: lit ? "lit" : "" }),
    h("text", { x: cx, y: cy, "font-size": size * 0.34, "text-anchor": "middle", "dominant-baseline": "central", "aria-hidden": "true" }, label),
  );
}

function medianHeight(tiles) {
  const heights = tiles.map(([, { corners: [a, , , d] }]) => Math.hypot(d[0] - a[0], d[1] - a[1])).sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] ?? 0;
}

function square({ x, y }, size) {
  const [w, v] = [size * 0.36, size / 2];
  return [[x - w, y - v], [x + w, y - v], [x + w, y + v], [x - w, y + v]].map((corner) => corner.map((value) => Math.round(value)));
}
