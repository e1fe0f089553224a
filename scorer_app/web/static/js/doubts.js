// Saving in spite of doubts: which they are and what the score may be, said before and not after.

import { h, say, show, signed, tileFace } from "./dom.js";

export function between([low, high]) {
  return low === high ? signed(low) : say("js.between", { low: signed(low), high: signed(high) });
}

export class DoubtsDialog {
  constructor(screen, dialog, { save }) {
    Object.assign(this, { screen, dialog, save });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  open() {
    this.draw();
    this.dialog.showModal();
  }

  draw() {
    const { questions, score, version } = this.screen.view;
    const then = (action) => () => (this.dialog.close(), action());
    const button = (text, kind, action, key) =>
      h("button", { type: "button", class: kind, onclick: then(action), "data-key": key }, text);
    show(
      this.dialog,
      h(
        "h2",
        {},
        say(questions.length === 1 ? "js.one_doubt_left" : "js.doubts_left", {
          count: questions.length,
        }),
      ),
      h(
        "ul",
        { class: "doubt-list" },
        questions.map((question) => this.line(question, then)),
      ),
      h("p", {}, say("js.doubts_mean")),
      h(
        "dl",
        { class: "spans" },
        ["A", "B"].map((side) =>
          h("div", {}, h("dt", {}, score[side].name), h("dd", {}, between(score[side].interval))),
        ),
      ),
      h("p", { class: "remark" }, say("js.doubts_kept")),
      h(
        "div",
        { class: "dialog-buttons" },
        button(say("js.save_with_doubts"), "quiet", () => this.save(version), "save-with-doubts"),
        button(say("js.look_at_doubts"), "primary", () => this.screen.answer(questions[0]), "look"),
      ),
    );
  }

  line(question, then) {
    const tile = this.screen.view.tiles[question.subject];
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          onclick: then(() => this.screen.answer(question)),
          "data-key": `doubt-${question.subject}`,
        },
        tile ? tileFace(tile.face, { class: "small", "aria-hidden": "true" }) : null,
        h("span", {}, question.text),
        h("b", { class: "effect" }, `± ${signed(question.effect)}`),
      ),
    );
  }
}
