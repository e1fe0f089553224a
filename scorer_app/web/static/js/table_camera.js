// The device's camera: opened, its frames as JPEG, and in one sentence why it cannot be had.

const LONGEST = 1280;
const QUALITY = 0.85;
const WANTED = {
  width: { ideal: 1280 },
  height: { ideal: 720 },
  facingMode: { ideal: "environment" },
};
const REASONS = {
  NotAllowedError: "js.live.denied",
  SecurityError: "js.live.denied",
  NotFoundError: "js.live.no_camera",
  OverconstrainedError: "js.live.no_camera",
  NotReadableError: "js.live.camera_busy",
  AbortError: "js.live.camera_busy",
};

// Why this page can have no camera at all; null when it can.
export function whyNot() {
  if (!window.isSecureContext) return "js.live.needs_https";
  return navigator.mediaDevices?.getUserMedia ? null : "js.live.no_feature";
}

export const reasonOf = (error) => REASONS[error?.name] ?? "js.live.no_camera";

export class Camera {
  constructor(video, onLost) {
    this.video = video;
    this.onLost = onLost;
    this.canvas = document.createElement("canvas");
    this.stream = null;
  }

  get live() {
    return Boolean(this.stream?.getVideoTracks().some((track) => track.readyState === "live"));
  }

  async open() {
    this.close();
    const stream = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
    this.stream = stream;
    for (const track of stream.getVideoTracks())
      track.addEventListener("ended", () => this.stream === stream && this.onLost());
    this.video.srcObject = stream;
    await this.video.play();
  }

  close() {
    const stream = this.stream;
    this.stream = null;
    for (const track of stream?.getTracks() ?? []) track.stop();
    this.video.srcObject = null;
  }

  // The picture shown now, or null while there is none yet.
  frame() {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!width || !this.live) return Promise.resolve(null);
    const scale = Math.min(1, LONGEST / Math.max(width, height));
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.getContext("2d").drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/jpeg", QUALITY));
  }
}
