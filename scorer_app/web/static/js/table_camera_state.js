// Interprets the state of the camera that watches a table.

import { say } from "./words.js";

/**
 * Whether a camera is set to watch the table, even if it stalls at this moment.
 * @param {CameraView | null} camera
 * @returns {camera is CameraView}
 */
export function isWatching(camera) {
  return camera !== null && camera.state !== "failed" && camera.state !== "ended";
}

/**
 * Milliseconds without a picture after which a camera is not restarted by itself when the server
 * comes back: nobody expects it any more.
 */
const TOO_LONG = 120000;

/**
 * Whether the server, in `state`, no longer knows its camera that watched, because the server was
 * restarted. If somebody has ended the camera, the state still names the same watch.
 * @param {{ watch: string | null, camera: CameraView | null }} before what was known
 * @param {{ watch: string | null, camera: CameraView | null }} state
 * @param {number} silence milliseconds since the last picture
 */
export function wasForgotten(before, state, silence) {
  const watched = before.camera?.kind === "server" && isWatching(before.camera);
  return watched && state.watch !== before.watch && !state.camera && silence < TOO_LONG;
}

/**
 * Returns what is said beside the tally; a text only where the picture stands still.
 * @param {CameraView | null} camera
 */
export function panelSentence(camera) {
  return camera?.state === "stalled" ? say("js.live.camera.stalled") : "";
}

/**
 * Returns what is said about a camera that is not this device's.
 * @param {object} seen
 * @param {string | null} seen.watch
 * @param {CameraView | null} seen.camera
 * @param {Table | null} seen.table
 * @param {string} me the name that this device's camera has
 * @returns {{ text: string, bad: boolean }}
 */
export function cameraSentence({ watch, camera, table }, me) {
  if (!camera || camera.state === "ended" || camera.name === me) {
    return { text: say(watch ? "js.live.stopped" : "js.live.unwatched"), bad: false };
  }
  if (camera.kind === "device") return { text: say("js.live.following"), bad: false };
  if (camera.state === "opening") return { text: say("js.live.opening"), bad: false };
  if (camera.state === "watching") {
    const text = camera.message ?? say(table ? "js.live.watching" : "js.live.looking");
    return { text, bad: Boolean(camera.message) };
  }
  return { text: camera.message ?? say(`js.live.camera.${camera.state}`), bad: true };
}
