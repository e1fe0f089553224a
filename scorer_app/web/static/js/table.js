// Watching the table: this device's camera sends frames to the referee one at a time, or a camera on the server watches, or
// another device does; what the referee answers is shown, and what a person orders is sent.

import { say, toast } from "./dom.js";
import { keepAwake } from "./awake.js";
import { Picker } from "./picker.js";
import { Refused, ask, watch } from "./server.js";
import { aloud } from "./table_alerts.js";
import { Camera, reasonOf, whyNot } from "./table_camera.js";
import { DividingLine } from "./table_line.js";
import { isWatched } from "./table_panel.js";
import { Picture } from "./table_picture.js";
import { TableView } from "./table_view.js";

const PACE = 140; // ms from frame to frame, about seven a second; a slow answer makes it slower, nothing queues
const PAUSE = 1500; // ms before trying again after a refusal or a lost connection
const part = (name) => document.getElementById(`live-${name}`);
const root = document.getElementById("table");
const base = root.dataset.table;
const me = (sessionStorage.burakoCamera ??= crypto.getRandomValues(new Uint32Array(2)).join("-")); // the same after a reload
const orders = {
  pick: (tile) => picker.open(tile.id),
  overrule: (meld, stands) => order({ op: "overrule", meld, stands }),
};
const view = new TableView(root, base, { orders, alarm: aloud(part("speak"), part("vibrate")) });
const line = new DividingLine(root.dataset.match, view, part("line"), part("swap"), (ends) =>
  order({ op: "line", line: ends }),
);
const camera = new Camera(part("video"), () => stopFeeding("js.live.unplugged", true));
const picture = new Picture(part("picture"), base, { onSilence: refresh, onShown: draw });
const run = { feeding: false, round: 0, lost: false };

// --- what is shown ---

function status(sentence, bad = false) {
  if (part("status").textContent !== sentence) part("status").textContent = sentence; // else it would be read out again
  part("status").dataset.kind = bad ? "bad" : "good";
}

// Whether another camera than this device's watches.
const isFollowed = () =>
  !run.feeding && isWatched(view.camera) && view.camera.name !== `page ${me}`;

// The page's controls, after anything that may have changed who watches.
function draw() {
  const followed = isFollowed();
  root.dataset.state = run.feeding ? "on" : followed ? "followed" : run.lost ? "lost" : "off";
  root.dataset.melds = view.table?.melds.length ?? 0;
  picture.follow(followed ? view.camera.kind : null);
  part("video").hidden = !run.feeding;
  part("picture").hidden = run.feeding || !picture.number;
  part("video").parentElement.hidden = part("video").hidden && part("picture").hidden;
  part("setup").hidden = run.feeding || followed;
  part("stop").hidden = !run.feeding && !(followed && view.camera.kind === "server");
  part("controls").hidden = !run.feeding && !followed;
  part("swap").hidden = !view.line;
  part("hand-over").hidden = !view.table?.melds.length;
  if (!run.feeding && !followed && line.drawing) line.draw(false);
  view.paint();
}

// What the state of a camera that is not this device's amounts to, in a sentence.
function tellOfCamera() {
  const { camera: other, table } = view;
  if (!other || other.state === "ended" || other.name === `page ${me}`)
    return status(say(!view.watch ? "js.live.unwatched" : "js.live.stopped"));
  if (other.kind === "device") return status(say("js.live.following"));
  if (other.state === "opening") return status(say("js.live.opening"));
  if (other.state !== "watching")
    return status(other.message ?? say(`js.live.camera.${other.state}`), true);
  status(
    other.message ?? say(table ? "js.live.watching" : "js.live.looking"),
    Boolean(other.message),
  );
}

function take(state) {
  const before = view.camera?.state;
  view.take(state);
  if (isFollowed() || (!run.feeding && !run.lost && view.camera?.state !== before)) tellOfCamera();
  if (run.feeding || view.camera?.kind === "server") line.restore();
  draw();
}

async function refresh() {
  if (run.feeding) return;
  const state = await ask(`${base}/state?${view.known}`).catch(() => null); // a lost connection is told above the page
  if (state) take(state);
}

// --- this device's camera ---

async function startFeeding() {
  status(say("js.live.opening"));
  try {
    await camera.open();
    Object.assign(run, { feeding: true, lost: false, round: run.round + 1 });
    status(say("js.live.looking"));
    draw();
    loop(run.round);
  } catch (error) {
    stopFeeding(reasonOf(error), true);
  }
}

function stopFeeding(key, bad = false) {
  camera.close();
  Object.assign(run, { feeding: false, lost: bad, round: run.round + 1 });
  draw();
  status(say(key), bad);
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function loop(round) {
  while (run.feeding && run.round === round) {
    const begun = performance.now();
    const wait = document.visibilityState === "visible" ? await send(round) : PACE;
    await sleep(Math.max(20, wait - (performance.now() - begun)));
  }
}

// One frame; the milliseconds from its beginning to the next.
async function send(round) {
  const frame = await camera.frame();
  if (!frame) return PACE;
  const posted = performance.now();
  const current = () => run.feeding && run.round === round; // an answer that comes after the end says nothing
  try {
    const state = await ask(`${base}/frame?camera=${me}&${view.known}`, {
      method: "POST",
      form: frame,
    });
    if (!current()) return PACE;
    take(state);
    root.dataset.answered = Math.round(performance.now() - posted);
    if (document.visibilityState === "visible")
      status(say(view.table ? "js.live.watching" : "js.live.looking"));
    return PACE;
  } catch (error) {
    if (!current() || error.status === 429) return PAUSE;
    if (error.code === "busy") return (stopFeeding("js.live.following"), refresh(), PAUSE);
    status(error instanceof Refused ? error.message : say("js.live.offline"), true);
    return PAUSE;
  }
}

// --- orders ---

// What the server answers to it, shown; whether it was done.
async function request(path, options) {
  try {
    take(await ask(`${base}/${path}?${view.known}`, options));
    return true;
  } catch (error) {
    toast(error instanceof Refused ? error.message : say("js.live.offline"), "error");
    return false;
  }
}

const order = (operation) => request("orders", { method: "POST", json: operation });

function chosenCamera() {
  const chosen = root.querySelector('input[name="camera"]:checked')?.value ?? "device";
  if (chosen === "device") return null;
  return chosen === "typed" ? { source: part("source").value } : { named: Number(chosen) };
}

async function start() {
  const wanted = chosenCamera();
  part("start").disabled = true;
  run.lost = false;
  if (wanted) await request("camera", { method: "POST", json: wanted });
  else await startFeeding();
  part("start").disabled = false;
}

function stop() {
  if (run.feeding) stopFeeding("js.live.stopped");
  else request("camera", { method: "DELETE" });
}

function tapped(event) {
  if (!view.size) return;
  const box = part("overlay").getBoundingClientRect();
  const point = [
    ((event.clientX - box.left) / box.width) * view.size[0],
    ((event.clientY - box.top) / box.height) * view.size[1],
  ];
  const tile = view.tileAt(point);
  if (line.drawing) line.tapped(point);
  else if (tile) orders.pick(tile);
}

// The review's picker, with the watched table in place of a hand.
const picker = new Picker(
  {
    get view() {
      const likely = (tile) =>
        [...new Set([tile.tile, ...tile.alternatives.map(([face]) => face)])]
          .filter(Boolean)
          .slice(0, 3);
      const tiles = Object.fromEntries(
        view.tiles.map((tile) => [
          tile.id,
          { face: tile.tile, corners: tile.corners, photo: "now", likely: likely(tile) },
        ]),
      );
      const [width, height] = view.size ?? [0, 0];
      return {
        tiles,
        rows: [],
        photos: [{ id: "now", url: `${base}/settled.jpg?${view.version}`, width, height }],
      };
    },
    edit: ({ tile, face }) => order({ op: "correct", tile, face }),
  },
  document.getElementById("picker"),
);

// --- buttons, and the page coming and going ---

part("start").addEventListener("click", start);
part("stop").addEventListener("click", stop);
part("review").addEventListener("click", () => order({ op: "review" }));
part("video").parentElement.addEventListener("click", tapped);
part("hand-over").addEventListener("click", async () => {
  try {
    location.assign((await ask(`${base}/hand-over`, { method: "POST" })).url);
  } catch (error) {
    toast(error instanceof Refused ? error.message : say("js.live.offline"), "error");
  }
});
part("setup").addEventListener("change", () => {
  const missing = chosenCamera() ? null : whyNot();
  part("start").disabled = Boolean(missing);
  part("typed").hidden = !chosenCamera()?.hasOwnProperty("source");
  if (missing) status(say(missing), true);
  else if (!run.lost) tellOfCamera();
});
document.addEventListener("visibilitychange", () => {
  if (!run.feeding) return;
  if (document.visibilityState === "hidden") return status(say("js.live.hidden"));
  status(say("js.live.looking"));
  if (camera.live)
    part("video")
      .play()
      .catch(() => {});
  else startFeeding(); // phones take the camera away from a page that is not seen
});
navigator.mediaDevices?.addEventListener?.("devicechange", () => run.lost && startFeeding());
window.addEventListener("pagehide", () => camera.close());

part("setup").dispatchEvent(new Event("change"));
draw();
keepAwake();
watch(root.dataset.watch, refresh, refresh);
