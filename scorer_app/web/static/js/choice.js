// A list of places to which something goes as soon as a person chooses one.

import { h } from "./dom.js";

/**
 * Makes the list. In some browsers an arrow key already chooses the next place of a closed list:
 * there nothing is done until the Enter key, so that each place can be reached by keyboard.
 * @param {string} title what the list says and is called while no place is chosen
 * @param {string[]} places
 * @param {(index: number) => void} act
 * @param {Record<string, string>} [props] further attributes of the list
 */
export function choiceOf(title, places, act, props = {}) {
  let isByKey = false; // a key that is handled right now changes the choice
  const go = () => {
    const { value } = select;
    select.value = "";
    if (value) act(Number(value));
  };
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.key === "Enter" && select.value) {
      event.preventDefault();
      return go();
    }
    isByKey = true;
    setTimeout(() => (isByKey = false));
  };
  const select = h(
    "select",
    {
      "aria-label": title,
      onkeydown,
      onchange: () => isByKey || go(),
      onblur: () => (select.value = ""),
      ...props,
    },
    h("option", { value: "" }, title),
    places.map((place, index) => h("option", { value: index }, place)),
  );
  return select;
}
