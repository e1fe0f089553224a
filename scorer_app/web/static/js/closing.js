// The form in which people say how the hand ended, the fields of points, and the edits that they
// make.

import { find } from "./dom.js";

/** Kinds of questions that this form answers. */
const ANSWERED_HERE = ["end", "muerto", "closing"];

/**
 * Returns which answer about a side's muerto the form has ticked; null while nobody has answered.
 * Whether it was played is told apart only where the table's rules make a difference.
 * @param {Closing} closing
 * @param {Side} side
 * @returns {"yes" | "no" | "unplayed" | null}
 */
export function muertoAnswer(closing, side) {
  const taken = closing.muerto[side];
  if (taken === null) return null;
  if (!taken) return "no";
  return closing.unplayed_costs && closing.unplayed.includes(side) ? "unplayed" : "yes";
}

/**
 * Returns the value that is ticked in a group of the form, such as `end` or `muerto-A`.
 * @param {Closing} closing
 * @param {string} name of the group
 */
export function tickedValue(closing, name) {
  if (name === "end") return closing.end === "close" ? closing.closed_by : closing.end;
  return muertoAnswer(closing, name === "muerto-A" ? "A" : "B");
}

/**
 * Returns the edit that a tick makes; null where the input belongs to another form.
 * @param {string} name of the group
 * @param {string} value
 * @returns {Operation | null}
 */
export function closingEdit(name, value) {
  if (name === "end") {
    if (value === "stock_exhausted") return { op: "set_end", end: value, closed_by: null };
    return { op: "set_end", end: "close", closed_by: value };
  }
  if (!name.startsWith("muerto-")) return null;
  const side = name.slice("muerto-".length);
  return { op: "set_muerto", side, taken: value !== "no", played: value !== "unplayed" };
}

/**
 * Turns the sign of the points in the field beside a button, and leads back to the field.
 * @param {Event} event a tap, perhaps on such a button
 */
export function turnSign({ target }) {
  if (!(target instanceof HTMLElement && target.matches("[data-sign]"))) return;
  const field = find(target.parentElement ?? document, "input", HTMLInputElement);
  const digits = field.value.replace(/^[-−+]/, "");
  field.value = digits === field.value || field.value[0] === "+" ? `−${digits}` : digits;
  field.focus();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Returns the edit that a filled form of an adjustment makes, and empties the form.
 * @param {HTMLFormElement} form
 * @returns {Operation}
 */
export function adjustmentEdit(form) {
  const fields = new FormData(form);
  const points = Number(
    String(fields.get("points"))
      .replace("−", "-")
      .replace(/[.,\s]/g, ""),
  );
  const [side, reason] = [fields.get("adjust-side"), fields.get("reason")];
  form.reset();
  return { op: "add_adjustment", side, points, reason };
}

/**
 * Returns the name of the form's group that answers a question; null where none does.
 * @param {Question} question
 */
export function groupFor({ ask, subject }) {
  if (ask === "muerto") return `muerto-${subject}`;
  return ask === "end" || ask === "closing" ? "end" : null;
}

/**
 * @param {HTMLElement} form
 * @param {HandView} view
 */
export function drawClosing(form, { closing, questions }) {
  for (const input of form.querySelectorAll("input")) {
    input.checked = input.value === tickedValue(closing, input.name);
    const label = input.closest("label");
    if (label && input.value === "unplayed") label.hidden = !closing.unplayed_costs;
  }
  const asked = questions.some(({ ask }) => ANSWERED_HERE.includes(ask));
  form.dataset.asked = asked ? "yes" : "no";
}

/**
 * Returns the inputs that would answer the question: those that are not ticked yet and that the
 * rules allow.
 * @param {HTMLElement} form
 * @param {Question} question
 * @returns {HTMLInputElement[]}
 */
export function choicesFor(form, question) {
  const group = groupFor(question);
  if (group === null) return [];
  /** @param {HTMLInputElement} input */
  const isAllowed = (input) =>
    !input.closest("[hidden]") &&
    (question.ask !== "closing" || question.choices.includes(input.value));
  return [...form.querySelectorAll("input")].filter(
    (input) => input.name === group && !input.checked && isAllowed(input),
  );
}
