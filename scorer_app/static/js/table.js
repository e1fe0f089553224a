// Watching the table: frames go to the referee one at a time, its answers come back as quads, sentences and alarms.

import { say, toast } from "./dom.js";
import { keepAwake } from "./awake.js";
import { Refused, ask } from "./server.js";
import { Alerts } from "./table_alerts.js";
import { Camera, reasonOf, whyNot } from "./table_camera.js";
import { Overlay } from "./table_overlay.js";

const PACE = 140; // ms from frame to frame, about seven a second; a slow answer makes it slower, nothing queues
const PAUSE = 1500; // ms before trying again after a refusal or a lost connection
const part = (name) => document.getElementById(`live-${name}`);
const root = document.getElementById("table");
const base = `/api/live/${encodeURIComponent(root.dataset.match)}`;
const remembered = `burako-line-${root.dataset.match}`;
const me = crypto.getRandomValues(new Uint32Array(2)).join("-");
const view = { watch: null, table: null, line: null, point: null, version: -1, event: 0, running: false, round: 0 };
const camera = new Camera(part("video"), () => lost("js.live.unplugged"));
const overlay = new Overlay(part("overlay"));
const alerts = new Alerts(part("log"), part("melds"), part("speak"), part("vibrate"));

function status(key, bad = false) {
  const sentence = key.startsWith("js.") ? say(key) : key;
  if (part("status").textContent !== sentence) part("status").textContent = sentence; // else it would be read out again
  part("status").dataset.kind = bad ? "bad" : "good";
}

function running(yes) {
  view.running = yes;
  view.round += 1;
  root.dataset.state = yes ? "on" : "off";
  part("start").hidden = yes;
  part("stop").hidden = !yes;
  part("video").parentElement.hidden = !yes;
  for (const name of ["review", "line"]) part(name).disabled = !yes;
  if (!yes) drawing(false);
}

async function start() {
  status("js.live.opening");
  part("start").disabled = true;
  try {
    await camera.open();
    running(true);
    status("js.live.looking");
    loop(view.round);
  } catch (error) {
    camera.close();
    running(false);
    status(reasonOf(error), true);
  } finally {
    part("start").disabled = false;
  }
}

function stop() {
  camera.close();
  running(false);
  status("js.live.stopped");
}

function lost(key) {
  camera.close();
  running(false);
  root.dataset.state = "lost";
  status(key, true);
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function loop(round) {
  while (view.running && view.round === round) {
    const begun = performance.now();
    const wait = document.visibilityState === "visible" ? await send(round) : PACE;
    await sleep(Math.max(20, wait - (performance.now() - begun)));
  }
}

// One frame; the milliseconds from its beginning to the next.
async function send(round) {
  const frame = await camera.frame();
  if (!frame) return PACE;
  const tell = (...told) => view.round === round && status(...told); // an answer that comes after the end says nothing
  try {
    const query = new URLSearchParams({ camera: me, version: view.version, event: view.event });
    take(await ask(`${base}/frame?${query}`, { method: "POST", form: frame }));
    tell(view.table ? "js.live.watching" : "js.live.looking");
    return PACE;
  } catch (error) {
    const refused = error instanceof Refused;
    if (!(refused && error.status === 429)) tell(refused ? error.message : "js.live.offline", true);
    return PAUSE;
  }
}

function take(state) {
  if (state.watch !== view.watch) Object.assign(view, { watch: state.watch, version: -1, event: 0 });
  if (state.version !== view.version) {
    const isNew = view.version >= 0 && !state.table;
    view.version = state.version;
    view.table = state.table;
    alerts.table(view.table, order);
    part("hand-over").disabled = !view.table?.melds.length;
    if (isNew || (!state.line && localStorage.getItem(remembered))) restoreLine();
  }
  view.line = state.line;
  for (const event of state.events.filter((one) => one.number > view.event)) {
    view.event = event.number;
    alerts.tell(event);
  }
  paint();
}

function paint() {
  const { width, height } = camera.canvas;
  if (width) overlay.draw({ ...view, width, height });
  root.dataset.melds = view.table?.melds.length ?? 0;
}

async function order(operation) {
  try {
    const query = new URLSearchParams({ version: view.version, event: view.event });
    take(await ask(`${base}/orders?${query}`, { method: "POST", json: operation }));
  } catch (error) {
    toast(error instanceof Refused ? error.message : say("js.live.offline"), "error");
  }
}

// --- the line between the sides ---

function drawing(yes) {
  view.point = null;
  root.dataset.drawing = yes ? "yes" : "no";
  part("line").setAttribute("aria-pressed", yes);
}

function restoreLine() {
  const kept = JSON.parse(localStorage.getItem(remembered) ?? "null");
  const { width, height } = camera.canvas;
  if (kept && width) order({ op: "line", line: kept.map(([x, y]) => [x * width, y * height]) });
}

function tapped(event) {
  const { width, height } = camera.canvas;
  if (root.dataset.drawing !== "yes" || !width) return;
  const box = part("video").getBoundingClientRect();
  const point = [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  if (!view.point) {
    view.point = point;
    toast(say("js.live.second_point"));
    return paint();
  }
  const line = [view.point, point];
  drawing(false);
  if (Math.hypot(line[1][0] - line[0][0], line[1][1] - line[0][1]) < 10) return paint();
  localStorage.setItem(remembered, JSON.stringify(line.map(([x, y]) => [x / width, y / height])));
  order({ op: "line", line });
}

part("line").addEventListener("click", () => {
  drawing(root.dataset.drawing !== "yes");
  if (root.dataset.drawing === "yes") toast(say("js.live.first_point"));
});
part("video").parentElement.addEventListener("click", tapped);

// --- buttons, and the page coming and going ---

part("start").addEventListener("click", start);
part("stop").addEventListener("click", stop);
part("review").addEventListener("click", () => order({ op: "review" }));
part("hand-over").addEventListener("click", async () => {
  try {
    location.assign((await ask(`${base}/hand-over`, { method: "POST" })).url);
  } catch (error) {
    toast(error instanceof Refused ? error.message : say("js.live.offline"), "error");
  }
});
document.addEventListener("visibilitychange", () => {
  if (!view.running) return;
  if (document.visibilityState === "hidden") status("js.live.hidden");
  else if (camera.live) part("video").play().catch(() => {});
  else start(); // phones take the camera away from a page that is not seen
});
navigator.mediaDevices?.addEventListener?.("devicechange", () => root.dataset.state === "lost" && start());
window.addEventListener("pagehide", () => camera.close());

const missing = whyNot();
if (missing) {
  part("start").disabled = true;
  status(missing, true);
} else keepAwake();
alerts.table(null, order);
