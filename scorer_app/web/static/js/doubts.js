// Saving in spite of doubts: which they are and what the score may be, said before and not after.

import { h, show, tileFace } from "./dom.js";
import { Modal } from "./modal.js";
import { between, effectText, isShort, say } from "./words.js";

export class DoubtsDialog {
  /**
   * @param {HandScreen} screen
   * @param {HTMLDialogElement} dialog
   * @param {(version: number) => void} save saves this version of the hand as it is
   */
  constructor(screen, dialog, save) {
    this.screen = screen;
    this.dialog = dialog;
    this.save = save;
    this.modal = new Modal(dialog);
  }

  open() {
    this.draw();
    this.modal.open();
  }

  draw() {
    const { questions, score } = this.screen.view;
    const title = say("js.doubts_left", { count: questions.length });
    const sides = [score.A, score.B].map(({ name, interval }) => {
      const text = between(interval);
      const short = interval[0] !== interval[1] && isShort(text);
      return h("div", {}, h("dt", {}, name), h("dd", { "data-short": short }, text));
    });
    show(
      this.dialog,
      h("h2", {}, title),
      h(
        "ul",
        { class: "doubt-list" },
        questions.map((question) => this.line(question)),
      ),
      h("p", {}, say("js.doubts_mean")),
      h("dl", { class: "spans" }, sides),
      h("p", { class: "remark" }, say("js.doubts_kept")),
      this.buttons(),
    );
  }

  buttons() {
    const { questions, version } = this.screen.view;
    const save = () => this.leave(() => this.save(version));
    const look = () => this.leave(() => this.screen.answer(questions[0]));
    return h(
      "div",
      { class: "dialog-buttons" },
      h(
        "button",
        { type: "button", class: "quiet", onclick: save, "data-key": "save-with-doubts" },
        say("js.save_with_doubts"),
      ),
      h(
        "button",
        { type: "button", class: "primary", onclick: look, "data-key": "look" },
        say("js.look_at_doubts"),
      ),
    );
  }

  /** @param {Question} question */
  line(question) {
    const tile = this.screen.view.tiles[question.subject];
    const face = tile && tileFace(tile.face, { class: "small", "aria-hidden": "true" });
    const answer = () => this.leave(() => this.screen.answer(question));
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: answer, "data-key": `doubt-${question.subject}` },
        face,
        h("span", {}, question.text),
        h("b", { class: "effect" }, effectText(question)),
      ),
    );
  }

  /** @param {() => void} action what happens once the dialog is closed */
  leave(action) {
    this.modal.close();
    action();
  }
}
