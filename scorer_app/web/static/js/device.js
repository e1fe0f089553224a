// What a page uses of its device: whether it may use a camera, and a screen that stays on.

/** Returns why this page can have no camera at all, as the key of a sentence; null where it can. */
export function whyNot() {
  if (!window.isSecureContext) return "js.live.needs_https";
  const hasFeature = Boolean(navigator.mediaDevices?.getUserMedia);
  return hasFeature ? null : "js.live.no_feature";
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
