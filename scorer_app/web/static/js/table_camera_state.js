// What the state of the camera that watches a table amounts to.

import { say } from "./words.js";

/**
 * Whether a camera watches the table, if perhaps not at this moment.
 * @param {CameraView | null} camera
 * @returns {camera is CameraView}
 */
export function isWatching(camera) {
  return camera !== null && camera.state !== "failed" && camera.state !== "ended";
}

/** Milliseconds without a picture after which a server that is back was away for too long: nobody
 * expects a camera to go on by itself that watched some time ago. */
const TOO_LONG = 120000;

/**
 * Whether the server, in `state`, knows nothing any more of its camera that watched: it was
 * restarted. Where somebody has ended the camera, its watch still says so.
 * @param {{ watch: string | null, camera: CameraView | null }} before what was known
 * @param {{ watch: string | null, camera: CameraView | null }} state
 * @param {number} silence milliseconds since the last picture
 */
export function wasForgotten(before, state, silence) {
  const watched = before.camera?.kind === "server" && isWatching(before.camera);
  return watched && state.watch !== before.watch && !state.camera && silence < TOO_LONG;
}

/**
 * What is said beside the tally: only that the picture stands still.
 * @param {CameraView | null} camera
 */
export function panelSentence(camera) {
  return camera?.state === "stalled" ? say("js.live.camera.stalled") : "";
}

/**
 * What is said of a camera that is not this device's.
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
