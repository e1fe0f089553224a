// Takes the four photographs of a hand one after another, with the camera open inside the page.
// While the person still holds the phone the page says what is wrong with the picture, and a good
// one is taken by itself.

import { find, h, show, toast } from "./dom.js";
import { SIZE, hintFor } from "./frame_quality.js";
import { Modal } from "./modal.js";
import { Camera, reasonOf } from "./table_camera.js";
import { say } from "./words.js";

/** @type {[Side, "melds" | "rack"][]} */
const SHOTS = [
  ["A", "melds"],
  ["B", "melds"],
  ["A", "rack"],
  ["B", "rack"],
];
const LONGEST_SIDE = 3072; // pixels of a photograph
const LOOK = 250; // ms between two looks at the picture
const STEADY = 5; // good looks one after another after which the photograph is taken

export class Guide {
  /**
   * @param {() => HandView} view
   * @param {import("./uploads.js").Uploads} uploads
   */
  constructor(view, uploads) {
    const dialog = find(document, "#guide", HTMLDialogElement);
    this.view = view;
    this.dialog = dialog;
    this.modal = new Modal(dialog, () => this.end());
    this.uploads = uploads;
    this.at = 0;
    this.steady = 0;
    this.isShooting = false;
    this.video = h("video", { muted: true, playsinline: true });
    this.camera = new Camera(this.video, () => this.modal.close(), LONGEST_SIDE);
    this.small = document.createElement("canvas");
    [this.small.width, this.small.height] = SIZE;
    /** @type {Uint8ClampedArray | null} */
    this.before = null;
    /**
     * What the last photograph shows, so that it is not taken twice.
     * @type {Uint8ClampedArray | null}
     */
    this.taken = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.looking = undefined;
  }

  async open() {
    this.at = Math.max(
      0,
      SHOTS.findIndex((shot) => this.isEmpty(...shot)),
    );
    this.taken = null;
    this.draw();
    this.modal.open();
    try {
      if (!(await this.camera.open())) return; // closed already
    } catch (error) {
      this.modal.close();
      return toast(say(reasonOf(error)), "error");
    }
    this.looking = setInterval(() => this.look(), LOOK);
  }

  /**
   * Whether a place has no photograph yet, nor one on its way.
   * @param {Side} side
   * @param {"melds" | "rack"} place
   */
  isEmpty(side, place) {
    const isThere = this.view().photos.some(
      (photo) => photo.side === side && photo.place === place,
    );
    return !isThere && !this.uploads.isComing(side, place);
  }

  end() {
    clearInterval(this.looking);
    this.camera.close();
  }

  draw() {
    const [side, place] = SHOTS[this.at];
    const name = this.view().score[side].name;
    const step = `${this.at + 1}/${SHOTS.length}`;
    /**
     * @param {string} key
     * @param {string} text
     * @param {() => void} onclick
     * @param {string} [looks]
     */
    const button = (key, text, onclick, looks = "quiet") =>
      h("button", { type: "button", class: looks, onclick, "data-key": key }, say(text));
    this.steady = 0;
    show(
      this.dialog,
      h("h2", {}, `${step} · ${say(`js.place.${place}`)} · ${name}`),
      h("div", { class: "guide-frame" }, this.video),
      h("p", { class: "guide-hint", role: "status" }, say("js.guide.far")),
      h(
        "div",
        { class: "dialog-buttons" },
        button("guide-close", "js.close", () => this.modal.close()),
        button("guide-skip", "js.guide_skip", () => this.next()),
        button("guide-shoot", "js.guide_shoot", () => this.shoot(), "primary"),
      ),
    );
  }

  /**
   * Looks at the picture, says what is wrong with it, and takes the photograph once the picture
   * stays good.
   */
  look() {
    const pen = this.small.getContext("2d", { willReadFrequently: true });
    if (!pen || !this.camera.live || !this.video.videoWidth) return;
    pen.drawImage(this.video, 0, 0, ...SIZE);
    const { data } = pen.getImageData(0, 0, ...SIZE);
    const hint = hintFor(data, this.before, this.taken);
    this.before = data;
    this.steady = hint === "good" ? this.steady + 1 : 0;
    const place = find(this.dialog, ".guide-hint", HTMLElement);
    const text = say(`js.guide.${hint}`);
    if (place.textContent !== text) place.textContent = text;
    this.dialog.dataset.hint = hint;
    if (this.steady >= STEADY) this.shoot();
  }

  async shoot() {
    if (this.isShooting) return; // the same would be taken twice, and an area be skipped
    const { at } = this;
    const [side, place] = SHOTS[at];
    this.isShooting = true;
    const picture = await this.camera.frame();
    this.isShooting = false;
    this.steady = 0;
    if (!picture) return;
    this.taken = this.before;
    const file = new File([picture], "photo.jpg", { type: picture.type });
    this.uploads.add(side, place, [file]);
    if (this.at === at) this.next(); // else a person has gone on meanwhile
  }

  next() {
    this.at += 1;
    this.before = null;
    if (this.at < SHOTS.length) this.draw();
    else this.modal.close();
  }
}
