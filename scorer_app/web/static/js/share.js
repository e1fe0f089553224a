// The tally as a text for a chat and as a picture; both are made here and go only where the person
// sends them.

import { byId, find, toast } from "./dom.js";
import { drawTally } from "./share_picture.js";
import { say } from "./words.js";

const text = find(document, "#share-text", HTMLTextAreaElement);
const canvas = find(document, "#share-picture", HTMLCanvasElement);
const save = find(document, "#picture-save", HTMLAnchorElement);

/** @param {ShareData} content */
async function send(content) {
  if (canShare(content)) return navigator.share(content).catch(() => {});
  if (content.text) return copy();
  save.click();
}

/** Some browsers, such as Firefox on Android, share texts but no files.
 * @param {ShareData} content */
function canShare(content) {
  return "share" in navigator && (!content.files || navigator.canShare?.(content));
}

async function copy() {
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    document.execCommand("copy"); // plain HTTP has no clipboard of its own
  }
  toast(say("js.copied"));
}

/** @param {Blob | null} picture */
function offerPicture(picture) {
  if (!picture) return;
  save.href = URL.createObjectURL(picture);
  const file = new File([picture], save.download, { type: "image/png" });
  byId("picture-send").addEventListener("click", () => send({ files: [file] }));
}

drawTally(canvas, JSON.parse(byId("share-data").textContent ?? ""));
canvas.toBlob(offerPicture);
byId("share-send").addEventListener("click", () => send({ text: text.value }));
byId("share-copy").addEventListener("click", copy);
