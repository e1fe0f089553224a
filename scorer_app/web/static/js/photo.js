// A photograph with a box on every tile, brought near to where they lie. Pictures stay in the page while the rest is drawn anew.

import { corrections } from "./corrections.js";
import { faceName, h, mark, say } from "./dom.js";

const pictures = new Map();
const whole = new Set(); // photographs that a person wants to see all of
const leaving = new Set(); // photographs about to be removed, if the person is sure
const NEAR_ENOUGH = 0.75; // of the picture's area: less than that is worth coming nearer
const LARGEST_LABEL = 0.05; // of the picture's width
const SLIMMEST = 0.8; // width to height: a slimmer cut would be taller than a phone's screen

function picture(photo) {
  if (!pictures.has(photo.url))
    pictures.set(photo.url, h("img", { src: photo.url, alt: say("js.photo"), decoding: "async" }));
  return pictures.get(photo.url);
}

// The part of the photograph with all its tiles and a tile's height around them: { x, y, width, height } in its pixels.
function cut(photo, tiles) {
  const all = { x: 0, y: 0, width: photo.width, height: photo.height };
  if (!tiles.length) return all;
  const margin = medianHeight(tiles);
  const [xs, ys] = [0, 1].map((axis) =>
    tiles.flatMap(([, tile]) => tile.corners.map((corner) => corner[axis])),
  );
  const [left, right] = reach(xs, margin, photo.width);
  const [top, bottom] = reach(ys, margin, photo.height);
  const width = Math.min(photo.width, Math.max(right - left, (bottom - top) * SLIMMEST));
  const x = Math.max(0, Math.min((left + right - width) / 2, photo.width - width));
  const near = { x, y: top, width, height: bottom - top };
  return near.width * near.height < NEAR_ENOUGH * photo.width * photo.height ? near : all;
}

function reach(values, margin, limit) {
  return [Math.max(0, Math.min(...values) - margin), Math.min(limit, Math.max(...values) + margin)];
}

export function photoBoard(screen, photo) {
  if (photo.state === "failed" || !photo.url) return notice(screen, photo);
  const tiles = Object.entries(screen.view.tiles).filter(
    ([, tile]) => tile.photo === photo.id && tile.corners,
  );
  const near = cut(photo, tiles);
  const part = whole.has(photo.id) ? cut(photo, []) : near;
  const frame = h(
    "div",
    { class: "photo-frame" },
    picture(photo),
    overlay(screen, photo, tiles, part),
  );
  if (photo.width) place(frame, photo, part); // keeps its place until the picture has come
  const zoom =
    near.width < photo.width || near.height < photo.height ? zoomButton(screen, photo) : null;
  return h(
    "figure",
    { class: "photo", "data-photo": photo.id },
    frame,
    h(
      "figcaption",
      {},
      h("span", { class: "stage", "data-state": photo.state }, photo.text),
      photo.notices.map((text) => h("span", { class: "photo-notice" }, text)),
      tools(screen, photo, zoom),
    ),
  );
}

function place(frame, photo, part) {
  frame.style.aspectRatio = `${part.width} / ${part.height}`;
  const { style } = frame.firstChild;
  style.width = `${(100 * photo.width) / part.width}%`;
  style.left = `${(-100 * part.x) / part.width}%`;
  style.top = `${(-100 * part.y) / part.height}%`;
}

function zoomButton(screen, photo) {
  const all = whole.has(photo.id);
  const turn = () => (all ? whole.delete(photo.id) : whole.add(photo.id), screen.draw());
  return h(
    "button",
    { type: "button", class: "quiet", onclick: turn, "data-key": `zoom-${photo.id}` },
    say(all ? "js.photo_near" : "js.photo_whole"),
  );
}

function notice(screen, photo) {
  return h(
    "div",
    { class: "photo-waiting", "data-state": photo.state, role: "status" },
    h("p", {}, photo.text),
    photo.state === "failed" ? tools(screen, photo) : null,
  );
}

function tools(screen, photo, zoom = null) {
  const again = photo.again
    ? h(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => screen.readAgain(photo.id),
          "data-key": `again-${photo.id}`,
        },
        say("js.read_again"),
      )
    : null;
  const shown = new Set(
    Object.keys(screen.view.tiles).filter((id) => screen.view.tiles[id].photo === photo.id),
  );
  const rows = screen.view.rows.filter(
    (row) => row.place !== "pozo" && row.tiles.every((id) => shown.has(id)),
  );
  const aside =
    rows.length && photo.place === "melds"
      ? h(
          "button",
          {
            type: "button",
            class: "quiet",
            onclick: () =>
              screen.edit(
                ...rows.map((row) => ({
                  op: "move_row",
                  row: row.id,
                  side: row.side,
                  place: "pozo",
                })),
              ),
            "data-key": `aside-${photo.id}`,
          },
          say("js.photo_aside"),
        )
      : null;
  const another =
    ["failed", "read"].includes(photo.state) && !photo.again && !shown.size
      ? h(
          "button",
          {
            type: "button",
            class: "quiet",
            onclick: () => screen.retake(photo),
            "data-key": `another-${photo.id}`,
          },
          say("js.take_another"),
        )
      : null;
  return h(
    "span",
    { class: "photo-tools" },
    zoom,
    again,
    another,
    aside,
    screen.view.repeats[photo.id]
      ? h(
          "button",
          {
            type: "button",
            class: "quiet",
            onclick: () => screen.edit({ op: "drop_repeats", photo: photo.id }),
            "data-key": `repeats-${photo.id}`,
          },
          say("js.pieces_repeat"),
        )
      : null,
    removeButton(screen, photo),
  );
}

// A photograph goes with all that was corrected in it and does not come back, so it is asked for twice.
function removeButton(screen, photo) {
  const sure = leaving.has(photo.id);
  const askFirst = () => {
    leaving.add(photo.id);
    screen.draw();
    setTimeout(() => (leaving.delete(photo.id), screen.draw()), 5000);
  };
  const count = corrections(screen.view).filter((one) => one.photo === photo.id).length;
  const words = !sure
    ? "js.remove_photo"
    : !count
      ? "js.remove_photo_sure"
      : count === 1
        ? "js.remove_photo_sure_one"
        : "js.remove_photo_sure_many";
  return h(
    "button",
    {
      type: "button",
      class: sure ? "quiet danger" : "quiet",
      onclick: sure ? () => screen.removePhoto(photo.id) : askFirst,
      "data-key": `remove-${photo.id}`,
    },
    say(words, { count }),
  );
}

function overlay(screen, photo, tiles, part) {
  const size = medianHeight(tiles);
  const svg = h("svg", {
    viewBox: `${part.x} ${part.y} ${part.width} ${part.height}`,
    class: "overlay",
    role: "group",
    "aria-label": say("js.tiles_on_photo"),
  });
  const label = Math.min(size * 0.34, part.width * LARGEST_LABEL);
  svg.append(...tiles.map(([id, tile]) => box(screen, id, tile, label)));
  if (photo.state === "read")
    svg.addEventListener("click", (event) => {
      if (event.target !== svg) return;
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
        svg.getScreenCTM().inverse(),
      );
      screen.addAt(photo, square(point, size || photo.width / 20));
    });
  return svg;
}

function box(screen, id, tile, labelSize) {
  const lit = screen.lit.includes(id);
  const [a, b, c, d] = tile.corners; // the label lies on the lower edge, where it hides neither number nor shape
  const [cx, cy] = [0, 1].map((axis) => (c[axis] + d[axis]) * 0.47 + (a[axis] + b[axis]) * 0.03);
  const states = `${tile.doubtful ? "doubtful" : ""} ${lit ? "lit" : ""} ${tile.settled ? "settled" : ""} ${screen.lit.length && !lit ? "dim" : ""}`;
  return h(
    "g",
    {
      class: `box ${states}`,
      tabindex: "0",
      role: "button",
      "data-tile": id,
      "data-key": `box-${id}`,
      "aria-label": `${faceName(tile.face)}${tile.doubtful ? `, ${say("js.doubtful")}` : ""}`,
      onclick: () => screen.pick(id),
      onkeydown: (event) =>
        (event.key === "Enter" || event.key === " ") && (event.preventDefault(), screen.pick(id)),
    },
    h("polygon", {
      points: tile.corners.map((corner) => corner.join()).join(" "),
      class: lit ? "lit" : "",
    }),
    h(
      "text",
      {
        x: cx,
        y: cy,
        "font-size": labelSize,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        "aria-hidden": "true",
      },
      mark(tile.face),
    ),
  );
}

function medianHeight(tiles) {
  const heights = tiles
    .map(
      ([
        ,
        {
          corners: [a, , , d],
        },
      ]) => Math.hypot(d[0] - a[0], d[1] - a[1]),
    )
    .sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] ?? 0;
}

function square({ x, y }, size) {
  const [w, v] = [size * 0.36, size / 2];
  return [
    [x - w, y - v],
    [x + w, y - v],
    [x + w, y + v],
    [x - w, y + v],
  ].map((corner) => corner.map((value) => Math.round(value)));
}
