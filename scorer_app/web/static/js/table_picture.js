// The latest picture of a table that another camera watches, fetched again and again while somebody looks.

const OFTEN = { server: 250, device: 1000 }; // ms between pictures: one's own camera on the server, or just following
const SILENT = 5; // times without a new picture after which the state is asked for: nobody tells when a camera falls silent

export class Picture {
  constructor(image, base, { onSilence, onShown = () => {} }) {
    Object.assign(this, { image, base, onSilence, onShown, number: 0, kind: null, round: 0 });
  }

  follow(kind) {
    if (kind === this.kind) return;
    this.kind = kind;
    this.round += 1;
    if (kind) this.loop(this.round);
  }

  async loop(round) {
    let silent = 0;
    while (this.round === round) {
      if (document.visibilityState === "visible") silent = (await this.next()) ? 0 : silent + 1;
      if (silent && silent % SILENT === 0) this.onSilence();
      await new Promise((resolve) => setTimeout(resolve, OFTEN[this.kind] ?? 1000));
    }
  }

  // Whether there was a new one.
  async next() {
    try {
      const answer = await fetch(`${this.base}/picture.jpg?after=${this.number}`);
      if (answer.status !== 200) return false;
      this.number = Number(answer.headers.get("X-Frame-Number"));
      await this.show(await answer.blob());
      return true;
    } catch {
      return false; // the connection is gone; the page says so already
    }
  }

  async show(blob) {
    const [old, url] = [this.image.src, URL.createObjectURL(blob)];
    this.image.src = url;
    await this.image.decode().catch(() => {});
    this.image.hidden = false;
    this.onShown();
    if (old.startsWith("blob:")) URL.revokeObjectURL(old);
  }
}
