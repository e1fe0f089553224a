// The alarm of a watched table: a sound, a voice, a vibration. All three are on until a person
// switches one off; this device remembers that. Browsers let a page sound only after a first tap.

import { DEVICE, keep, recall } from "./kept.js";
import { say, spoken } from "./words.js";

const KEPT_AS = "burako-alarm";
const FELT = [200, 100, 200]; // ms of vibration, pause, vibration
const TONES = [880, 660, 880]; // hertz, one after the other
const TONE = 0.16; // seconds
const LOUD = 0.5; // of 1
const WAYS = /** @type {const} */ (["sound", "speak", "vibrate"]);
const FIRST_TAPS = ["pointerdown", "keydown"];

/**
 * @typedef {Record<typeof WAYS[number], HTMLInputElement>} AlarmBoxes
 */

export class Alarm {
  /**
   * @param {AlarmBoxes} boxes
   * @param {() => void} onReady called once the page may sound
   */
  constructor(boxes, onReady = () => {}) {
    this.boxes = boxes;
    /** @type {AudioContext | null} */
    this.audio = null;
    this.ready = false; // whether the page may sound
    boxes.speak.disabled = !("speechSynthesis" in window);
    boxes.vibrate.disabled = !("vibrate" in navigator);
    this.recall();
    for (const way of WAYS) boxes[way].addEventListener("change", () => this.remember());
    const first = () => {
      for (const tap of FIRST_TAPS) document.removeEventListener(tap, first);
      this.unlock();
      onReady();
    };
    for (const tap of FIRST_TAPS) document.addEventListener(tap, first);
  }

  recall() {
    /** @type {Record<string, boolean>} */
    const kept = recall(DEVICE, KEPT_AS) ?? {};
    for (const way of WAYS) this.boxes[way].checked = kept[way] ?? true;
  }

  remember() {
    const now = WAYS.map((way) => [way, this.boxes[way].checked]);
    keep(DEVICE, KEPT_AS, Object.fromEntries(now));
  }

  /** Makes the browser allow sounds. It must be called while a person taps. */
  unlock() {
    this.ready = true;
    if (!this.audio && "AudioContext" in window) this.audio = new AudioContext();
    this.audio?.resume().catch(() => {});
  }

  /** @param {string} sentence */
  ring(sentence) {
    const { sound, vibrate, speak } = this.boxes;
    if (vibrate.checked && this.ready) navigator.vibrate?.(FELT);
    if (sound.checked) this.beep();
    if (speak.checked) aloud(sentence);
  }

  beep() {
    const { audio } = this;
    if (!audio) return;
    TONES.forEach((pitch, at) => {
      const tone = new OscillatorNode(audio, { type: "square", frequency: pitch });
      tone.connect(new GainNode(audio, { gain: LOUD })).connect(audio.destination);
      tone.start(audio.currentTime + at * TONE);
      tone.stop(audio.currentTime + (at + 1) * TONE);
    });
  }
}

/**
 * Speaks a sentence with its tiles named in words, and stops what is still being spoken.
 * @param {string} sentence
 */
export function aloud(sentence) {
  if (!("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(
    spoken(sentence).replaceAll("−", `${say("js.minus")} `),
  );
  words.lang = document.documentElement.lang;
  window.speechSynthesis.cancel();
  window.speechSynthesis.speak(words);
}
