// Shows what was read and tapped, area by area: photographs with their boxes, rows with their
// verdicts.

import { scrollTo } from "./device.js";
import { h } from "./dom.js";
import { keep } from "./morph.js";
import { photoBoard } from "./photo.js";
import { corrections } from "./photo_tools.js";
import { rowCard, rowFacts } from "./rows.js";
import { faceName, say } from "./words.js";

/**
 * The areas in the order in which they are shown: the melds of both sides first, then what was left
 * on the racks.
 * @type {[Side, "melds" | "rack"][]}
 */
export const AREAS = [
  ["A", "melds"],
  ["B", "melds"],
  ["A", "rack"],
  ["B", "rack"],
];

/** @param {HandScreen} screen */
export function reviewAreas(screen) {
  const areas = AREAS.map(([side, place]) => area(screen, side, place)).filter((one) => one);
  const aside = screen.view.rows.filter((row) => row.place === "pozo");
  if (!aside.length) return areas;
  const heading = h("h3", {}, say("js.aside"));
  return [...areas, h("section", { class: "area area-aside" }, heading, rowList(screen, aside))];
}

/**
 * @param {HandScreen} screen
 * @param {Side} side
 * @param {"melds" | "rack"} place
 */
function area(screen, side, place) {
  const { photos, rows, score } = screen.view;
  /** @param {PhotoView | RowView} one */
  const isHere = (one) => one.side === side && one.place === place;
  const [herePhotos, hereRows] = [photos.filter(isHere), rows.filter(isHere)];
  if (!herePhotos.length && !hereRows.length) return null;
  const key = `area-${side}-${place}`;
  return keep(key, areaFacts(screen, herePhotos, hereRows), () =>
    h(
      "section",
      { class: "area", "data-side": side, "data-key": key },
      h("h3", {}, `${score[side].name} · ${say(`js.place.${place}`)}`),
      herePhotos.map((photo) => photoBoard(screen, photo)),
      rowList(screen, hereRows),
    ),
  );
}

/**
 * Returns everything that an area is drawn from.
 * @param {HandScreen} screen
 * @param {PhotoView[]} photos
 * @param {RowView[]} rows
 */
function areaFacts({ view, looks }, photos, rows) {
  const ids = new Set(photos.map(({ id }) => id));
  /** @param {{ photo: string | null } | undefined} one */
  const isOfThem = (one) => ids.has(one?.photo ?? "");
  // A photograph's tools ask where its tiles lie, in another area, too.
  const concerned = view.rows.filter(
    (row) => rows.includes(row) || row.tiles.some((id) => isOfThem(view.tiles[id])),
  );
  const held = new Set(rows.flatMap((row) => row.tiles));
  const tiles = Object.entries(view.tiles).filter(([id, one]) => held.has(id) || isOfThem(one));
  const repeats = photos.map(({ id }) => view.repeats[id]);
  const removed = view.removed.filter(isOfThem);
  const names = [view.score.A.name, view.score.B.name];
  return [photos, concerned, tiles, repeats, removed, names, looks];
}

/**
 * @param {HandScreen} screen
 * @param {RowView[]} rows
 */
function rowList(screen, rows) {
  const cards = rows.map((row) =>
    keep(`row ${row.id}`, rowFacts(screen, row), () => rowCard(screen, row)),
  );
  return h("div", { class: "rows" }, cards);
}

/**
 * Shows these tiles apart from all others; with an empty list none is.
 * @param {HTMLElement} review
 * @param {string[]} tiles
 */
export function lightUp(review, tiles) {
  const lit = new Set(tiles);
  for (const one of review.querySelectorAll("[data-tile]")) {
    const isLit = lit.has(one.getAttribute("data-tile") ?? "");
    one.classList.toggle("lit", isLit);
    one.classList.toggle("dim", lit.size > 0 && !isLit);
  }
}

/** Scrolls to the first tile that is shown apart. */
export function scrollToLit() {
  const tile = document.querySelector(".photo .box.lit, .row .tile.lit");
  scrollTo(tile?.closest(".photo, .row"));
}

/**
 * Makes the list of what people corrected, one line a tile.
 * @param {HandView} view
 */
export function correctionList(view) {
  const lines = corrections(view).map(({ read, now }) => {
    if (!now) return say("js.read_none", { read: faceName(read) });
    if (!read) return say("js.read_nothing", { now: faceName(now) });
    return say("js.read_as", { read: faceName(read), now: faceName(now) });
  });
  if (!lines.length) lines.push(say("js.none_corrected"));
  return lines.map((text) => h("li", {}, text));
}
