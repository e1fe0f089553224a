// A photograph's way to the server: made smaller here when that saves time, sent with its progress told in words.

import { say, toast } from "./dom.js";

const LONGEST_SIDE = 3072;
const SMALL_ENOUGH = 3 * 2 ** 20;
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

// Said before it is sent: a server that stops listening shows only as a lost connection.
function tooBig(photo) {
  const limit = Number(document.getElementById("hand").dataset.uploadLimit);
  if (photo.size <= limit) return false;
  toast(say("js.too_big", { size: Math.ceil(photo.size / 2 ** 20), limit: Math.round(limit / 2 ** 20) }), "error");
  return true;
}

export const FULL = Symbol("the hand takes no more photographs");

// The hand as it then is, FULL, or null where this photograph was refused: why is told.
export async function upload(handId, side, place, file, onProgress) {
  onProgress(say("js.shrinking"));
  const photo = await shrink(file);
  if (tooBig(photo)) return null;
  const form = new FormData();
  form.append("side", side);
  form.append("place", place);
  form.append("photo", photo, "photo.jpg");
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/hands/${handId}/photos`);
    request.setRequestHeader("X-CSRF-Token", csrf);
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(say("js.sending", { percent: Math.round((100 * event.loaded) / event.total) }));
    request.onload = () => {
      if (request.status === 202) return resolve(request.response);
      toast(request.response?.message ?? say("js.broken"), "error");
      resolve(request.response?.error === "too_many_photos" ? FULL : null);
    };
    request.onerror = () => (toast(say("js.upload_lost"), "error"), resolve(null));
    request.send(form);
  });
}
