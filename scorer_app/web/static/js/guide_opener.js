// The button that opens the guide through the four photographs of a hand. The guide's scripts are
// loaded once somebody taps it: the page comes sooner without them.

import { whyNot } from "./device.js";
import { find, toast } from "./dom.js";
import { say } from "./words.js";

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
