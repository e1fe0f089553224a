// The page of a watched table. This device's camera sends frames to the server, or a camera on the
// server watches, or another device does. The page shows what the server judges, and sends the
// orders that a person gives.

import { keepAwake, whyNot } from "./device.js";
import { byId, find, goingOn, h, onceReleased, show, toast } from "./dom.js";
import { inTurn } from "./in_turn.js";
import { keep, recall, TAB } from "./kept.js";
import { watch } from "./news.js";
import { Refused, ask } from "./server.js";
import { Alarm } from "./table_alarm.js";
import { Camera } from "./table_camera.js";
import { cameraSentence, isWatching, wasForgotten } from "./table_camera_state.js";
import { Feed } from "./table_feed.js";
import { pointOnFrame } from "./table_geometry.js";
import { HandOver } from "./table_hand_over.js";
import { DividingLine } from "./table_line.js";
import { tilePicker } from "./table_picker.js";
import { Picture } from "./table_picture.js";
import { refereeMode, refreshStanding, tellStanding } from "./table_referee.js";
import { TableView, withCommands } from "./table_view.js";
import { say } from "./words.js";

const root = byId("table");
const base = root.dataset.table ?? "";
const video = find(root, "#live-video", HTMLVideoElement);
const startButton = find(root, "#live-start", HTMLButtonElement);
const handOverButton = find(root, "#live-hand-over", HTMLButtonElement);
const frameBox = find(root, ".live-view", HTMLElement);
const mainPart = find(root, ".live-main", HTMLElement);
const cameraId =
  recall(TAB, "burako-camera") ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
keep(TAB, "burako-camera", cameraId); // the same after a reload
const me = `page ${cameraId}`; // what the server calls this device's camera

/** @type {TableOrders} */
const orders = {
  pick: (tile) => pick(tile),
  overrule: (meld, accepted) => order({ op: "overrule", meld, accepted }),
};
const alarm = new Alarm(
  {
    sound: find(root, "#live-sound", HTMLInputElement),
    speak: find(root, "#live-speak", HTMLInputElement),
    vibrate: find(root, "#live-vibrate", HTMLInputElement),
  },
  () => draw(),
);
const view = new TableView(root, base, { orders, alarm: (sentence) => alarm.ring(sentence) });
const line = new DividingLine(
  root.dataset.match ?? "",
  view,
  part("line"),
  part("swap"),
  (ends) => order({ op: "line", line: ends }),
  () => {
    if (feed.running) return "";
    return view.camera?.kind === "server" ? (view.camera.name ?? null) : null;
  },
);
/** @type {{ named: number } | { source: string } | null} what this page started on the server */
let begun = null;
let shown = 0; // the moment of the latest picture
let lastShown = false; // whether the last picture of a table that nobody watches was asked for
const picture = new Picture(find(root, "#live-picture", HTMLImageElement), base, {
  onSilence: () => refresh(),
  onShown: () => {
    shown = performance.now();
    draw();
  },
});
const camera = new Camera(video, () => feed.stop("js.live.unplugged", true));
const feed = new Feed(camera, `${base}/frame?camera=${cameraId}`, view, {
  take,
  status,
  changed: draw,
  late: () => {
    startButton.disabled = false; // once more may help
    status(say("js.live.late"), true);
  },
  follow: () => refresh(),
  answered: (milliseconds) => (root.dataset.answered = String(milliseconds)),
});
const dialog = find(document, "#picker", HTMLDialogElement);
const pick = tilePicker(view, base, dialog, (correction, known) => order(correction, known));

// --- what is shown ---

/** @param {string} name of a part of the page */
function part(name) {
  return byId(`live-${name}`);
}

/**
 * @param {string} text
 * @param {boolean} [bad]
 */
function status(text, bad = false) {
  const place = part("status");
  onceReleased(mainPart, place, () => {
    const parts = withCommands(text);
    // What is shown already would be read out again.
    if (place.textContent !== text) show(place, parts.length > 1 ? h("span", {}, parts) : text);
    place.dataset.kind = bad ? "bad" : "good";
  });
}

/** Returns the camera that watches if it is not this device's; else null. */
function followed() {
  const other = view.camera;
  return !feed.running && isWatching(other) && other.name !== me ? other : null;
}

/** Draws the page's controls; called after anything that may have changed who watches. */
function draw() {
  onceReleased(mainPart, root, drawControls);
}

function drawControls() {
  const other = followed();
  root.dataset.state = pageState();
  root.dataset.melds = String(view.table?.melds.length ?? 0);
  picture.follow(other?.kind ?? null);
  video.hidden = !feed.running;
  picture.image.hidden = feed.running || picture.number === 0;
  frameBox.hidden = video.hidden && picture.image.hidden;
  part("setup").hidden = feed.running || other !== null;
  part("stop").hidden = !feed.running && other?.kind !== "server";
  const watching = feed.running || other !== null;
  const left = !watching && Boolean(view.table?.melds.length);
  for (const name of ["alarms", "review"]) part(name).hidden = !watching;
  // What was seen can be counted when nobody watches any more, which needs the line.
  if (left && !lastShown) picture.next(); // this device's own picture has gone
  lastShown = left;
  part("controls").hidden = !watching && (!left || frameBox.hidden);
  part("swap").hidden = view.line === null;
  part("set").hidden = !watching || !view.otherSet;
  part("sight").hidden = !watching || !view.outOfSight;
  part("unlock").hidden = alarm.ready || !watching;
  handOverButton.hidden = !view.table?.melds.length;
  if (part("controls").hidden && line.drawing) line.draw(false);
  view.paint();
}

/** Returns in one word who watches. */
function pageState() {
  if (feed.running) return "on";
  if (followed()) return "followed";
  return feed.lost ? "lost" : "off";
}

function showCameraState() {
  const { text, bad } = cameraSentence(view, me);
  status(text, bad);
}

/** @param {WatchState} state */
function take(state) {
  const before = [view.watch, view.camera?.state].join();
  const forgotten = wasForgotten(view, state, performance.now() - shown);
  view.take(state);
  const isNew = !feed.running && !feed.lost && [view.watch, view.camera?.state].join() !== before;
  if (followed() || isNew) showCameraState();
  line.restore();
  draw();
  if (forgotten) beginAgain();
}

/**
 * Starts the camera on the server again that this page had started, after the server was restarted.
 */
async function beginAgain() {
  if (!begun || feed.running) return;
  if (await request("camera", { method: "POST", json: begun })) toast(say("js.live.again"));
  else begun = null;
}

const refresh = inTurn(async () => {
  if (!feed.running) take(await ask(`${base}/state?${view.known}`));
});
const followTally = inTurn(refreshStanding);

// --- what a person does ---

/**
 * Sends a request and shows what the server answers. Returns whether the request was done.
 * @param {string} path
 * @param {{ method: string, json?: unknown }} options
 * @param {string} [known] what was known of the table when the person decided, as a query
 * @param {boolean} [stays] whether a refusal stays there, and does not pass
 */
async function request(path, options, known = String(view.known), stays = false) {
  try {
    take(await ask(`${base}/${path}?${known}`, options));
    return true;
  } catch (error) {
    if (stays && error instanceof Refused) status(error.message, true);
    else passes(error);
    return false;
  }
}

/** @param {unknown} error of which is told in passing */
function passes(error) {
  toast(error instanceof Refused ? error.message : say("js.no_answer"), "error");
}

/**
 * @param {Operation} operation
 * @param {string} [known]
 */
function order(operation, known) {
  return request("orders", { method: "POST", json: operation }, known);
}

/** Returns the camera on the server that is chosen; null where this device's is chosen. */
function chosenCamera() {
  const chosen = root.querySelector('input[name="camera"]:checked');
  const value = chosen instanceof HTMLInputElement ? chosen.value : "device";
  if (value === "device") return null;
  if (value !== "typed") return { named: Number(value) };
  return { source: find(root, "#live-source", HTMLInputElement).value };
}

async function start() {
  const wanted = chosenCamera();
  startButton.disabled = true;
  feed.lost = false;
  begun = null;
  if (!wanted) await feed.start();
  else if (await request("camera", { method: "POST", json: wanted }, undefined, true)) {
    begun = wanted;
  }
  startButton.disabled = false;
  root.scrollIntoView({ block: "start" });
}

async function stop() {
  begun = null;
  if (feed.running) feed.stop("js.live.stopped");
  else await request("camera", { method: "DELETE" });
}

/** @param {MouseEvent} event a tap on the picture */
function tapped(event) {
  if (!view.size) return;
  const point = pointOnFrame(event, part("overlay").getBoundingClientRect(), view.size);
  if (line.drawing) return line.tapped(point);
  const tile = view.tileAt(point);
  if (tile) orders.pick(tile);
}

/** Adapts the page to the camera that is chosen now. */
function cameraChosen() {
  const wanted = chosenCamera();
  const missing = wanted ? null : whyNot();
  startButton.disabled = missing !== null;
  const typed = document.getElementById("live-typed"); // only at the machine that serves
  if (typed) typed.hidden = !wanted || !("source" in wanted);
  if (missing) status(say(missing), true);
  else if (!feed.lost) showCameraState();
}

/**
 * Says that nothing is seen while the page is hidden, and starts the camera again when the page is
 * shown: phones take the camera from a hidden page.
 */
function seenAgain() {
  if (!feed.running) return;
  if (document.visibilityState === "hidden") return status(say("js.live.hidden"));
  status(say("js.live.looking"));
  if (camera.live) video.play().catch(() => {});
  else feed.start();
}

startButton.addEventListener("click", goingOn(start, [part("stop"), startButton]));
part("stop").addEventListener("click", goingOn(stop, [startButton, part("stop")]));
part("review").addEventListener("click", () => order({ op: "review" }));
frameBox.addEventListener("click", tapped);
new HandOver(handOverButton, base, passes);
part("setup").addEventListener("change", cameraChosen);
document.addEventListener("visibilitychange", seenAgain);
navigator.mediaDevices?.addEventListener?.("devicechange", () => {
  if (feed.lost) feed.start();
});
window.addEventListener("pagehide", () => camera.close());

cameraChosen();
draw();
keepAwake();
refereeMode(root);
part("how").addEventListener("click", tellStanding);
part("try").addEventListener("click", () => alarm.ring(say("js.live.try")));
const tell = () => {
  refresh();
  followTally();
};
watch(root.dataset.watch ?? "", tell, refresh, true); // it calls out what a hidden page would miss
