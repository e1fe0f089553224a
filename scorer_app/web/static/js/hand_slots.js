// The four areas in which a hand is photographed: how many tiles each has, what becomes of its
// photographs, and which files cannot be used as such; and the button that opens the guide through
// them. The guide's scripts are loaded once somebody taps it: the page comes sooner without them.

import { whyNot } from "./device.js";
import { find, h, show, toast } from "./dom.js";
import { countAside } from "./photo_tools.js";
import { asideCount, say, tileCount } from "./words.js";

const LONGEST = 24; // letters of a name
const ENDING = 8; // of these, the last ones, which tell what kind of file it is
const NAMED = 4; // files

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

/**
 * Returns the name of a file as it is shown: without signs that are unseen or turn the direction of
 * the text, and with its middle left out where it is long.
 * @param {string} name
 */
export function shownName(name) {
  const letters = [...name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")];
  if (letters.length <= LONGEST) return letters.join("");
  const start = letters.slice(0, LONGEST - ENDING - 1);
  return [...start, "…", ...letters.slice(-ENDING)].join("");
}

/**
 * Returns a sentence about the files that were refused: the reason where it is the only one.
 * @param {{ name: string, message: string }[]} refused
 * @param {number} count of the files that were chosen together
 */
export function refusedText(refused, count) {
  const [first] = refused;
  if (!first) return "";
  if (count === 1) return first.message;
  if (refused.length === 1) return `${shownName(first.name)}: ${first.message}`;
  const names = refused.slice(0, NAMED).map(({ name }) => shownName(name));
  if (refused.length > NAMED) names.push("…");
  return say("js.files_refused", { refused: refused.length, count, names: names.join(", ") });
}

/**
 * Offers the guide where this page may have the camera, and where a hand takes photographs.
 * @param {() => HandView} view
 * @param {import("./uploads.js").Uploads} uploads
 */
export function offerGuide(view, uploads) {
  const opener = find(document, '[data-part="guide"]', HTMLElement);
  /** @type {import("./guide.js").Guide | null} */
  let guide = null;
  let isLoading = false;
  const open = async () => {
    if (isLoading) return;
    isLoading = true;
    try {
      guide ??= new (await import("./guide.js")).Guide(view, uploads);
    } catch {
      return toast(say("js.no_answer"), "error");
    } finally {
      isLoading = false;
    }
    guide.open();
  };
  opener.hidden = whyNot() !== null || !(opener instanceof HTMLButtonElement);
  opener.addEventListener("click", open);
}
