import { reasonOf, whyNot } from "../../scorer_app/web/static/js/table_camera.js";
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
  equal(reasonOf(new DOMException("", "NotAllowedError")), "js.live.denied");
  equal(reasonOf(new DOMException("", "NotReadableError")), "js.live.camera_busy");
  equal(reasonOf(new TypeError("other")), "js.live.no_camera");
  equal(reasonOf(undefined), "js.live.no_camera");
});

test("a page that is not encrypted has no camera", () => {
  equal([window.isSecureContext, whyNot()], [false, "js.live.needs_https"]);
});
