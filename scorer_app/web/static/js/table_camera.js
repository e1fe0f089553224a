// This device's camera: it is opened, gives its frames as JPEG, and tells in one sentence why it
// cannot be used.

const LONGEST_SIDE = 1280; // pixels
const QUALITY = 0.85;
const WIDE = 9 / 16; // height to width
/**
 * The key of a sentence for each name of an error of the browser.
 * @type {Record<string, string>}
 */
const REASONS = {
  NotAllowedError: "js.denied",
  SecurityError: "js.denied",
  NotFoundError: "js.no_camera",
  OverconstrainedError: "js.no_camera",
  NotReadableError: "js.camera_busy",
  AbortError: "js.camera_busy",
};

/**
 * Returns why the camera did not open, as the key of a sentence.
 * @param {unknown} error
 */
export function reasonOf(error) {
  const name = error instanceof Error ? error.name : "";
  return REASONS[name] ?? "js.no_camera";
}

export class Camera {
  /**
   * @param {HTMLVideoElement} video shows what the camera sees
   * @param {() => void} onLost called when the camera goes away by itself
   * @param {number} [longestSide] of a frame, in pixels
   */
  constructor(video, onLost, longestSide = LONGEST_SIDE) {
    this.longestSide = longestSide;
    this.video = video;
    this.onLost = onLost;
    this.canvas = document.createElement("canvas");
    this.small = document.createElement("canvas");
    /** @type {MediaStream | null} */
    this.stream = null;
    this.turn = 0; // a new one ends what is still being opened
  }

  get live() {
    const tracks = this.stream?.getVideoTracks() ?? [];
    return tracks.some((track) => track.readyState === "live");
  }

  /**
   * Opens the camera. Returns false where it was closed or opened anew in the meantime. Throws the
   * browser's error where there is no camera or no permission.
   */
  async open() {
    this.close();
    const { turn } = this;
    try {
      await this.begin(turn);
    } catch (error) {
      if (turn === this.turn) throw error;
    }
    return turn === this.turn;
  }

  /** @param {number} turn in which the camera is opened */
  async begin(turn) {
    const wanted = {
      width: { ideal: this.longestSide },
      height: { ideal: Math.round(this.longestSide * WIDE) },
      facingMode: { ideal: "environment" },
    };
    const stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
    if (turn !== this.turn) return end(stream);
    this.stream = stream;
    for (const track of stream.getVideoTracks()) {
      track.addEventListener("ended", () => {
        if (this.stream === stream) this.onLost();
      });
    }
    this.video.srcObject = stream;
    await this.video.play();
  }

  close() {
    this.turn += 1;
    if (this.stream) end(this.stream);
    this.stream = null;
    this.video.srcObject = null;
  }

  /**
   * Returns the present picture as JPEG; null while there is none yet.
   * @returns {Promise<Blob | null>}
   */
  frame() {
    return this.draw() ? this.whole() : Promise.resolve(null);
  }

  /** Returns the picture taken last as JPEG. */
  whole() {
    return jpeg(this.canvas);
  }

  /** Takes the present picture; returns false while there is none yet. */
  draw() {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!width || !this.live) return false;
    const scale = Math.min(1, this.longestSide / Math.max(width, height));
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    const pen = this.canvas.getContext("2d");
    pen?.drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
    return true;
  }

  /**
   * Returns a small copy of the picture taken last.
   * @param {number} scale how many times smaller each side is
   * @returns {ImageData}
   */
  copy(scale) {
    const width = Math.max(1, Math.floor(this.canvas.width / scale));
    const height = Math.max(1, Math.floor(this.canvas.height / scale));
    const pen = penOf(this.small, width, height);
    pen.imageSmoothingQuality = "high"; // else a pixel of the copy shows one of many
    pen.drawImage(this.canvas, 0, 0, width, height);
    return pen.getImageData(0, 0, width, height);
  }

  /**
   * Returns a part of the picture taken last as JPEG.
   * @param {import("./frame_changes.js").Part} part in its pixels
   */
  part({ left, top, width, height }) {
    const canvas = document.createElement("canvas");
    penOf(canvas, width, height).drawImage(this.canvas, -left, -top);
    return jpeg(canvas);
  }
}

/** @param {MediaStream} stream */
function end(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/**
 * @param {HTMLCanvasElement} canvas that becomes so large, and empty
 * @param {number} width
 * @param {number} height
 */
function penOf(canvas, width, height) {
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("expected a canvas that can be drawn on");
  return pen;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob | null>}
 */
function jpeg(canvas) {
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}
