// Keeps the screen on while a tally or a hand is shown, where the browser can.

export function keepAwake() {
  if (!("wakeLock" in navigator)) return;
  const hold = () => {
    if (document.visibilityState !== "visible") return;
    navigator.wakeLock.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", hold);
  hold();
}
