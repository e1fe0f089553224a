import { whyNot } from "../../scorer_app/web/static/js/device.js";
import { Camera, reasonOf } from "../../scorer_app/web/static/js/table_camera.js";
import {
  cameraSentence,
  isWatching,
  panelSentence,
  wasForgotten,
} from "../../scorer_app/web/static/js/table_camera_state.js";
import { equal, test } from "./harness.js";

/** @type {Table} */
const table = { width: 640, height: 480, melds: [], loose_details: [], printed_details: [] };

test("a camera that failed or ended does not watch, a stalled one does", () => {
  /** @type {CameraView["state"][]} */
  const states = ["opening", "watching", "stalled", "failed", "ended"];
  const watching = states.map((one) => isWatching({ kind: "server", state: one }));
  equal(watching, [true, true, true, false, false]);
  equal(isWatching(null), false);
});

test("a restarted server has forgotten its camera, one told to stop has not", () => {
  /** @type {(camera: CameraView | null) => { watch: string, camera: CameraView | null }} */
  const seen = (camera) => ({ watch: "w1", camera });
  const watching = seen({ kind: "server", state: "watching" });
  const none = { watch: null, camera: null };
  equal(wasForgotten(watching, none, 3000), true);
  equal(wasForgotten(watching, { watch: "w2", camera: null }, 3000), true);
  equal(wasForgotten(watching, seen({ kind: "server", state: "ended" }), 3000), false);
  equal(wasForgotten(seen({ kind: "server", state: "ended" }), none, 3000), false);
  equal(wasForgotten(seen({ kind: "device", state: "watching" }), none, 3000), false);
  equal(wasForgotten(none, none, 3000), false);
  const another = { watch: "w2", camera: watching.camera };
  equal(wasForgotten(watching, another, 3000), false);
  equal(wasForgotten(watching, none, 600000), false);
});

test("beside the tally only a stalled camera is told", () => {
  equal(panelSentence({ kind: "server", state: "stalled" }), "js.live.camera.stalled");
  equal(panelSentence({ kind: "server", state: "watching" }), "");
  equal(panelSentence(null), "");
});

test("what another camera does is said in a sentence", () => {
  /** @type {(camera: CameraView | null, seen?: object) => { text: string, bad: boolean }} */
  const said = (camera, seen = {}) =>
    cameraSentence({ watch: "w1", table: null, camera, ...seen }, "page 1");
  equal(said(null, { watch: null }), { text: "js.live.unwatched", bad: false });
  equal(said(null), { text: "js.live.stopped", bad: false });
  equal(said({ kind: "device", state: "watching", name: "page 1" }).text, "js.live.stopped");
  equal(said({ kind: "device", state: "watching", name: "page 2" }).text, "js.live.following");
  equal(said({ kind: "server", state: "opening" }).text, "js.live.opening");
  equal(said({ kind: "server", state: "watching" }).text, "js.live.looking");
  equal(said({ kind: "server", state: "watching" }, { table }).text, "js.live.watching");
  equal(said({ kind: "server", state: "failed", message: "No está." }), {
    text: "No está.",
    bad: true,
  });
  equal(said({ kind: "server", state: "stalled" }).text, "js.live.camera.stalled");
});

test("why there is no camera has a sentence for every error", () => {
  equal(reasonOf(new DOMException("", "NotAllowedError")), "js.denied");
  equal(reasonOf(new DOMException("", "NotReadableError")), "js.camera_busy");
  equal(reasonOf(new TypeError("other")), "js.no_camera");
  equal(reasonOf(undefined), "js.no_camera");
});

test("a page that is not encrypted has no camera", () => {
  equal([window.isSecureContext, whyNot()], [false, "js.needs_https"]);
});

/**
 * Gives the page a camera that opens when the test says so. Returns what opens each one asked for,
 * in order.
 */
function slowCameras() {
  /** @type {((stream: MediaStream) => void)[]} */
  const opening = [];
  const getUserMedia = () => new Promise((resolve) => opening.push(resolve));
  Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia }, configurable: true });
  const video = Object.assign(document.createElement("video"), { play: async () => {} });
  return { opening, camera: new Camera(video, () => {}) };
}

const stream = () => document.createElement("canvas").captureStream();

/** @param {MediaStream} given */
const isLive = (given) => given.getTracks().some((track) => track.readyState === "live");

test("a camera that is closed while it opens stays closed", async () => {
  const { opening, camera } = slowCameras();
  const opened = camera.open();
  camera.close();
  const given = stream();
  opening[0](given);
  equal([await opened, camera.live, isLive(given)], [false, false, false]);
});

test("a camera that is opened twice at once is open once", async () => {
  const { opening, camera } = slowCameras();
  const [first, second] = [camera.open(), camera.open()];
  const given = [stream(), stream()];
  opening[1](given[1]);
  opening[0](given[0]);
  equal([await first, await second], [false, true]);
  equal(given.map(isLive), [false, true]);
  camera.close();
  equal(given.map(isLive), [false, false]);
});

test("a camera that fails after it was closed is no failure", async () => {
  const { camera } = slowCameras();
  const getUserMedia = () => Promise.reject(new DOMException("", "NotAllowedError"));
  Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia }, configurable: true });
  const opened = camera.open();
  camera.close();
  equal(await opened, false);
});
