// The line between the sides: two taps on the picture, remembered on this device as shares of the picture's size.

import { say, toast } from "./dom.js";

const SHORTEST = 10; // frame pixels

export class DividingLine {
  constructor(match, view, button, swap, onLine) {
    Object.assign(this, { key: `burako-line-${match}`, view, button, onLine, drawing: false });
    button.addEventListener("click", () => {
      this.draw(!this.drawing);
      if (this.drawing) toast(say("js.live.first_point"));
    });
    swap.addEventListener("click", () => this.keep([...view.line].reverse()));
  }

  draw(yes) {
    this.drawing = yes;
    this.view.point = null;
    this.button.setAttribute("aria-pressed", yes);
    document.getElementById("table").dataset.drawing = yes ? "yes" : "no";
    this.view.paint();
  }

  tapped(point) {
    const first = this.view.point;
    if (!first) {
      this.view.point = point;
      toast(say("js.live.second_point"));
      return this.view.paint();
    }
    this.draw(false);
    if (Math.hypot(point[0] - first[0], point[1] - first[1]) < SHORTEST) return;
    this.keep([first, point]);
    toast(say("js.live.line_drawn"));
  }

  keep(ends) {
    const [width, height] = this.view.size;
    localStorage.setItem(this.key, JSON.stringify(ends.map(([x, y]) => [x / width, y / height])));
    this.onLine(ends);
  }

  // A table that has no line gets the one drawn last time.
  restore() {
    const kept = JSON.parse(localStorage.getItem(this.key) ?? "null");
    if (!kept || !this.view.size || this.view.line) return;
    const [width, height] = this.view.size;
    this.onLine(kept.map(([x, y]) => [x * width, y * height]));
  }
}
