import { scrollTo } from "../../scorer_app/web/static/js/device.js";
import {
  find,
  goingOn,
  h,
  onceReleased,
  show,
  svg,
  tileFace,
  toast,
  withTiles,
} from "../../scorer_app/web/static/js/dom.js";
import { withCommands } from "../../scorer_app/web/static/js/table_view.js";
import { equal, test } from "./harness.js";

test("an element takes attributes, listeners and children; what is missing is left out", () => {
  let clicks = 0;
  const button = h(
    "button",
    { class: "quiet", hidden: true, title: null, disabled: false, onclick: () => (clicks += 1) },
    "a",
    [null, h("b", {}, 0)],
    false,
    undefined,
  );
  equal(button.outerHTML, '<button class="quiet" hidden="">a<b>0</b></button>');
  button.click();
  equal(clicks, 1);
});

test("a command in a sentence is an element of its own", () => {
  const told = h("p", {}, withCommands("con «burako serve --https»."));
  equal(told.innerHTML, "con «<code>burako serve --https</code>».");
});

test("a name is never markup", () => {
  equal(h("p", {}, "<b>x</b>").innerHTML, "&lt;b&gt;x&lt;/b&gt;");
});

test("parts of a drawing are parts of a drawing", () => {
  equal(svg("svg", {}, svg("g")).firstElementChild instanceof SVGGElement, true);
});

test("the keyboard stays on the element with the same key", () => {
  const box = document.body.appendChild(h("div"));
  show(box, h("button", { "data-key": "a" }), h("button", { "data-key": "b" }));
  box.querySelectorAll("button")[1].focus();
  show(box, h("button", { "data-key": "b" }, "new"));
  equal([document.activeElement?.textContent, box.childElementCount], ["new", 1]);
});

test("the keyboard goes on at the nearest element where its own is gone", () => {
  const box = document.body.appendChild(h("div"));
  const drawn = (/** @type {string} */ keys) =>
    show(box, ...[...keys].map((key) => h("button", { "data-key": key, disabled: key === "D" })));
  const focused = () => /** @type {HTMLElement} */ (document.activeElement).dataset.key;
  drawn("abDcd");
  box.querySelectorAll("button")[1].focus();
  const passed = ["aDcd", "aDd", "aD"].map((keys) => (drawn(keys), focused()));
  equal(passed, ["c", "d", "a"]);
});

test("the keyboard goes on at nothing that lies in a closed part", () => {
  const box = document.body.appendChild(h("div"));
  const buttons = (/** @type {string} */ keys) =>
    [...keys].map((key) => h("button", { "data-key": key }));
  const more = () => h("details", {}, h("summary"), buttons("b"));
  show(box, buttons("a"), more(), buttons("c"));
  box.querySelector("button")?.focus();
  show(box, more(), buttons("c"));
  equal(/** @type {HTMLElement} */ (document.activeElement).dataset.key, "c");
});

test("the page scrolls without motion where a person wants none", () => {
  const usual = window.matchMedia;
  const place = h("div");
  /** @type {unknown[]} */
  const asked = [];
  place.scrollIntoView = (how) => asked.push(how);
  for (const matches of [true, false]) {
    window.matchMedia = (media) =>
      /** @type {MediaQueryList} */ ({ matches: matches && media.includes("reduced-motion") });
    scrollTo(place);
  }
  window.matchMedia = usual;
  equal(asked, [
    { block: "center", behavior: "auto" },
    { block: "center", behavior: "smooth" },
  ]);
});

test("the keyboard goes on where a button hides itself, unless a person moved it", async () => {
  const [one, other] = [h("button", { id: "one" }), h("button", { id: "other" })];
  document.body.append(one, other);
  one.focus();
  await goingOn(() => void (one.hidden = true), [one, other])();
  equal(document.activeElement?.id, "other");
  one.hidden = false;
  await goingOn(() => other.focus(), [one, other])();
  equal(document.activeElement?.id, "other");
});

test("the keyboard is not drawn into a container", () => {
  document.body.append(h("button", { "data-key": "a", id: "outside" }), h("div", { id: "box" }));
  find(document, "#outside", HTMLElement).focus();
  show(find(document, "#box", HTMLElement), h("button", { "data-key": "a" }));
  equal(document.activeElement?.id, "outside");
});

test("a part that the page lacks is named", () => {
  let message = "";
  try {
    find(document, "#nothing", HTMLElement);
  } catch (error) {
    message = String(error);
  }
  equal(message, "Error: no HTMLElement at #nothing");
});

test("a tile shows its number and says its name", () => {
  const made = tileFace("10B", { tag: "button", class: "big" });
  equal([made.tagName, made.className, made.dataset.colour], ["BUTTON", "tile big", "B"]);
  equal([made.textContent, made.getAttribute("aria-label")], ["10", "10 azul"]);
  equal(tileFace(null).dataset.colour, "none");
});

test("a sentence shows its tiles as tiles", () => {
  const parts = withTiles("7R y 8R").map((part) =>
    typeof part === "string" ? part : part.className,
  );
  equal(parts, ["", "tile word", " y ", "tile word", ""]);
});

test("what closes a sentence never begins a line, apart from its tile", () => {
  const shown = h("p", {}, withTiles("Devolver 7R, 8R. Y listo."));
  equal(shown.textContent, "Devolver 7, 8. Y listo.");
  equal(
    [...shown.querySelectorAll(".together")].map((one) => one.textContent),
    ["7,", "8."],
  );
});

test("a toast says its sentence and of which kind it is", () => {
  toast("No se pudo.", "error");
  const place = find(document, "#toast", HTMLElement);
  equal([place.hidden, place.textContent, place.dataset.kind], [false, "No se pudo.", "error"]);
});

test("what moves a pressed button waits for the release, the last of several alone", async () => {
  const [area, box, button] = [h("div"), h("p"), h("button")];
  area.append(box, button);
  document.body.append(area);
  /** @param {string} kind */
  const press = (kind) =>
    button.dispatchEvent(new PointerEvent(kind, { pointerId: 7, bubbles: true }));
  /** @type {string[]} */
  const done = [];
  press("pointerdown");
  onceReleased(area, box, () => done.push("first"));
  onceReleased(area, box, () => done.push("second"));
  onceReleased(area, button, () => done.push("of the other"));
  onceReleased(h("div"), h("p"), () => done.push("elsewhere"));
  const before = [...done];
  press("pointerup");
  await new Promise((resolve) => setTimeout(resolve, 20));
  area.remove();
  equal([before, done], [["elsewhere"], ["elsewhere", "second", "of the other"]]);
});
