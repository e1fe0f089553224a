// The four areas in which a hand is photographed: how many tiles each has, and what becomes of its
// photographs.

import { find, h, show } from "./dom.js";
import { countAside } from "./photo_tools.js";
import { refusedText } from "./refusals.js";
import { asideCount, say, tileCount } from "./words.js";

/**
 * What one area shows: a sentence, and whether the area has anything, waits for something or
 * failed.
 * @typedef {{ text: string, filled: boolean, busy: boolean, failed: boolean,
 *   warned: boolean }} SlotStatus `warned`: read, but not all is well with a photograph
 */

/**
 * @param {Pick<HandView, "photos" | "rows" | "tiles">} view
 * @param {Side} side
 * @param {Place} place
 * @param {Pick<UploadArea, "photos" | "words" | "stuck" | "chosen" | "refused">} [upload]
 * @returns {SlotStatus}
 */
export function slotStatus(view, side, place, upload) {
  const photos = view.photos.filter((photo) => photo.side === side && photo.place === place);
  const rows = view.rows.filter((row) => row.side === side && row.place === place);
  const count = rows.reduce((sum, row) => sum + row.tiles.length, 0);
  const bad = photos.find((photo) => photo.state === "failed");
  const unread = photos.find((photo) => photo.state !== "read" && photo.state !== "failed");
  const waiting = upload?.photos.length ? upload.words : unread?.text;
  // Too dark, no tiles: worth seeing while one still holds the phone over the table.
  const notice = photos.flatMap((photo) => photo.notices)[0];
  // Tiles that were set aside are no tiles of the area, but the photograph shows them.
  const onPhotos = Object.entries(view.tiles).filter(([, { photo }]) =>
    photos.some(({ id }) => id === photo),
  );
  const isEmpty = count === 0 && !onPhotos.length;
  const refused = upload ? refusedText(upload.refused, upload.chosen) : "";
  const warning = notice || refused;
  const failed = Boolean(upload?.stuck || (!waiting && (bad || (warning && isEmpty))));
  const aside = photos.reduce((sum, { id }) => sum + countAside(view, id), 0);
  const allAside = onPhotos.length > 0 && aside === onPhotos.length;
  const counted = allAside
    ? [say("js.none_counts")]
    : [count && tileCount(count), asideCount(aside)];
  const words = [...counted, bad?.text, notice, refused].filter(Boolean).join(" · ");
  return {
    text: waiting ?? (words || (photos[0]?.text ?? "")),
    filled: photos.length > 0 || count > 0,
    busy: Boolean(waiting) && !failed,
    failed,
    warned: Boolean(warning || aside > count) && !waiting && !failed,
  };
}

/**
 * @param {HTMLElement} slot
 * @param {SlotStatus} status
 */
export function drawSlot(slot, { text, filled, busy, failed, warned }) {
  slot.dataset.filled = filled ? "yes" : "no";
  slot.dataset.failed = failed ? "yes" : "no";
  slot.dataset.busy = busy ? "yes" : "no";
  slot.dataset.warned = warned ? "yes" : "no";
  const place = find(slot, ".slot-status", HTMLElement);
  const before = place.textContent;
  if (before === text) return; // it would be read out again
  // How much of a photograph is sent is seen, but read out once and not with every percent.
  place.ariaLive = busy && withoutFigures(before) === withoutFigures(text) ? "off" : "polite";
  place.textContent = text;
}

/** @param {string | null} text */
function withoutFigures(text) {
  return text?.replace(/\d+/g, "");
}

/**
 * Shows what a person can do about photographs that could not be sent for too long. Those that no
 * hand takes any more can be moved to another hand, unless this page alone has them.
 * @param {HTMLElement} slot
 * @param {UploadArea} upload
 * @param {Pick<import("./uploads.js").Uploads, "again" | "forget" | "moveOn" | "isKept">} uploads
 */
export function drawUnsent(slot, upload, uploads) {
  const place = find(slot, ".slot-unsent", HTMLElement);
  const { stuck, lost } = upload;
  if (place.hidden === stuck) place.hidden = !stuck;
  if (!stuck) return;
  /**
   * @param {string} key
   * @param {string} text
   * @param {() => void} onclick
   */
  const button = (key, text, onclick) =>
    h("button", { type: "button", class: "pick", onclick, "data-key": key }, text);
  show(
    place,
    !lost && button("resend", say("js.upload_again"), () => uploads.again(upload)),
    lost && uploads.isKept && button("move", say("js.unsent_move"), () => uploads.moveOn()),
    button("forget", say("js.upload_forget"), () => uploads.forget(upload)),
  );
}
