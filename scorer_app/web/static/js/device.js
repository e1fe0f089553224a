// What a page asks of its device: a camera, a screen that stays on, and no motion where a person
// wants none.

/** Returns why this page can have no camera at all, as the key of a sentence; null where it can. */
export function whyNot() {
  if (!window.isSecureContext) return "js.needs_https";
  const hasFeature = Boolean(navigator.mediaDevices?.getUserMedia);
  return hasFeature ? null : "js.no_feature";
}

/** Keeps the screen on while a tally or a hand is shown, where the browser can. */
export function keepAwake() {
  if (!("wakeLock" in navigator)) return;
  const hold = () => {
    if (document.visibilityState !== "visible") return;
    navigator.wakeLock.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", hold);
  hold();
}

/**
 * Scrolls to a place: smoothly, unless a person wants as little motion as can be.
 * @param {Element | null | undefined} place
 * @param {ScrollLogicalPosition} [block]
 */
export function scrollTo(place, block = "center") {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  place?.scrollIntoView({ block, behavior: isStill ? "auto" : "smooth" });
}
