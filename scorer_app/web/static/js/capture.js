// A photograph made smaller where that saves time, and sent once with its progress.

import { say } from "./dom.js";

const LONGEST_SIDE = 3072;
const SMALL_ENOUGH = 3 * 2 ** 20;
const STALLED = 20_000; // ms in which nothing moves: the connection is gone, though nobody said so
const csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";

export async function shrink(file) {
  if (file.size <= SMALL_ENOUGH) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const small = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
    return small && small.size < file.size ? small : file;
  } catch {
    return file; // a format this browser does not know: the server may
  }
}

// The sentence for one above the limit, else null. Said before it is sent: a server that stops listening shows only as a lost connection.
export function tooBig(photo) {
  const limit = Number(document.getElementById("hand").dataset.uploadLimit);
  return photo.size > limit
    ? say("js.too_big", {
        size: Math.ceil(photo.size / 2 ** 20),
        limit: Math.round(limit / 2 ** 20),
      })
    : null;
}

// { status, answer }; status 0 where none came.
export function send(handId, form, onProgress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let guard;
    const wait = () => (clearTimeout(guard), (guard = setTimeout(() => request.abort(), STALLED)));
    request.open("POST", `/api/hands/${handId}/photos`);
    request.setRequestHeader("X-CSRF-Token", csrf);
    request.responseType = "json";
    request.upload.onprogress = (event) => (
      wait(),
      onProgress(Math.round((100 * event.loaded) / event.total))
    );
    request.onloadend = () => (
      clearTimeout(guard),
      resolve({ status: request.status, answer: request.response })
    );
    wait();
    request.send(form);
  });
}
