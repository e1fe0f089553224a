// Photographs on their way to the server, one after another in each area. Each has a key made here, so that one sent again is
// the same photograph; one that got no answer is sent again by itself, for a while.

import { send, shrink, tooBig } from "./capture.js";
import { say, toast } from "./dom.js";
import { freshKey } from "./server.js";

const PATIENCE = 120_000; // ms without any answer, then a person is asked
const PAUSE = 3_000;
const LATER = new Set([0, 429, 502, 503, 504]); // no answer, or one that may be another in a while

export class Uploads {
  constructor(handId, { arrived, changed }) {
    Object.assign(this, { handId, arrived, changed });
    this.areas = new Map(); // "A-melds" -> { side, place, photos, words, stuck, running }
    addEventListener("beforeunload", (event) => this.pending && event.preventDefault());
  }

  of(side, place) {
    return this.areas.get(`${side}-${place}`);
  }

  get pending() {
    return [...this.areas.values()].some((area) => area.photos.length);
  }

  add(side, place, files) {
    const area = this.of(side, place) ?? { side, place, photos: [] };
    this.areas.set(`${side}-${place}`, area);
    area.photos.push(...files.map((file) => ({ file, key: freshKey() })));
    this.again(area);
  }

  again(area) {
    area.running ??= this.run(area).finally(() => ((area.running = null), this.changed(area)));
  }

  forget(area) {
    Object.assign(area, { photos: [], stuck: false });
    this.changed(area);
  }

  async run(area) {
    area.stuck = false;
    let end = Date.now() + PATIENCE;
    while (area.photos.length) {
      const { status, answer } = await this.send(area, area.photos[0]);
      document.body.dataset.offline = status ? "no" : "yes";
      if (status && status < 500 && !LATER.has(status)) {
        this.settle(area, status, answer);
        end = Date.now() + PATIENCE;
      } else if (LATER.has(status) && Date.now() < end) {
        this.tell(area, answer?.message ?? say("js.upload_waiting"));
        await connection(PAUSE);
      } else {
        area.stuck = true;
        return this.tell(
          area,
          answer?.message ?? say("js.upload_unsent", { count: area.photos.length }),
        );
      }
    }
  }

  async send(area, photo) {
    this.tell(area, say("js.shrinking"));
    photo.data ??= await shrink(photo.file);
    const message = tooBig(photo.data);
    if (message) return { status: 413, answer: { message } }; // as the server would, had it heard it out
    const form = new FormData();
    for (const [name, value] of Object.entries({
      side: area.side,
      place: area.place,
      key: photo.key,
    }))
      form.append(name, value);
    form.append("photo", photo.data, "photo.jpg");
    return send(this.handId, form, (percent) => this.tell(area, say("js.sending", { percent })));
  }

  // It needs no more sending: it has arrived, or it was refused, and why is told.
  settle(area, status, answer) {
    area.photos.shift();
    if (status === 202) return this.arrived(answer);
    toast(answer?.message ?? say("js.broken"), "error");
    if (answer?.error === "too_many_photos") area.photos = []; // the rest would hear the same
  }

  tell(area, words) {
    area.words = words;
    this.changed(area);
  }
}

// Until there may be a connection again.
function connection(pause) {
  return new Promise((resolve) => {
    const go = () => (clearTimeout(timer), removeEventListener("online", go), resolve());
    const timer = setTimeout(go, pause);
    addEventListener("online", go);
  });
}
