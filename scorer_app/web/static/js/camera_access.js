// Whether this page may use a camera at all, told without loading what uses one.

/** Returns why this page can have no camera at all, as the key of a sentence; null where it can. */
export function whyNot() {
  if (!window.isSecureContext) return "js.live.needs_https";
  const hasFeature = Boolean(navigator.mediaDevices?.getUserMedia);
  return hasFeature ? null : "js.live.no_feature";
}
