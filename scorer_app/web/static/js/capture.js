// Makes a photograph smaller where that saves time, and sends it once, telling its progress.

import { byId } from "./dom.js";
import { token } from "./server.js";
import { say } from "./words.js";

const MEGABYTE = 2 ** 20;
const LONGEST_SIDE = 3072; // pixels
const SMALL_ENOUGH = 3 * MEGABYTE;
const QUALITY = 0.9;
const STALLED = 20_000; // ms in which nothing moves: the connection is gone, though nobody said so

/**
 * The outcome of sending a photograph; the status is 0 where no answer came.
 * @typedef {{ status: number, answer: any }} Sent
 */

/**
 * Returns the photograph as JPEG with at most 3072 pixels a side, or the file itself where that
 * would not be smaller.
 * @param {Blob} file
 * @returns {Promise<Blob>}
 */
export async function shrink(file) {
  if (file.size <= SMALL_ENOUGH) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const small = await asJpeg(picture, scaledSize(picture.width, picture.height));
    return small && small.size < file.size ? small : file;
  } catch {
    return file; // a format this browser does not know: the server may
  }
}

/**
 * Scales width and height so that the longer side has at most 3072 pixels.
 * @param {number} width
 * @param {number} height
 * @returns {Size}
 */
export function scaledSize(width, height) {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return [Math.round(width * scale), Math.round(height * scale)];
}

/**
 * @param {ImageBitmap} picture
 * @param {Size} size
 * @returns {Promise<Blob | null>}
 */
function asJpeg(picture, [width, height]) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.drawImage(picture, 0, 0, width, height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

/**
 * Returns the sentence for a photograph above the server's limit, else null. A person is told
 * before it is sent: when a server stops listening, the page sees only a lost connection.
 * @param {Blob} photo
 */
export function tooBig(photo) {
  const limit = Number(byId("hand").dataset.uploadLimit);
  if (photo.size <= limit) return null;
  const size = Math.ceil(photo.size / MEGABYTE);
  return say("js.too_big", { size, limit: Math.round(limit / MEGABYTE) });
}

/**
 * Sends a photograph's form once.
 * @param {string} handId
 * @param {FormData} form
 * @param {(percent: number) => void} onProgress
 * @returns {Promise<Sent>}
 */
export function send(handId, form, onProgress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let guard;
    const waitOn = () => {
      clearTimeout(guard);
      guard = setTimeout(() => request.abort(), STALLED);
    };
    request.open("POST", `/api/hands/${handId}/photos`);
    request.setRequestHeader("X-CSRF-Token", token());
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => {
      waitOn();
      onProgress(Math.round((100 * loaded) / total));
    };
    request.onloadend = () => {
      clearTimeout(guard);
      resolve({ status: request.status, answer: request.response });
    };
    waitOn();
    request.send(form);
  });
}
