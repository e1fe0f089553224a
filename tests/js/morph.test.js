import { h, show } from "../../scorer_app/web/static/js/dom.js";
import { keep } from "../../scorer_app/web/static/js/morph.js";
import { equal, test } from "./harness.js";

/**
 * @param {string} key
 * @param {string} text
 * @param {() => void} [onclick]
 */
const item = (key, text, onclick) => h("button", { "data-key": key, onclick }, text);

test("what stays the same stays in the page, and what changed is written into it", () => {
  const list = h("div");
  show(list, item("a", "1"), item("b", "2"));
  const [a, b] = list.children;
  show(list, item("b", "3"), h("p", {}, "new"), item("a", "1"));
  equal([...list.children].indexOf(b), 0);
  equal([...list.children].indexOf(a), 2);
  equal(list.textContent, "3new1");
});

test("attributes that are gone go, and others come", () => {
  const list = h("div");
  show(list, h("p", { class: "lit", title: "one" }, "text"));
  const [line] = list.children;
  show(list, h("p", { class: "dim", lang: "it" }, "text"));
  equal(list.firstElementChild === line, true);
  equal(line.outerHTML, '<p class="dim" lang="it">text</p>');
});

test("an element that stays does what the new one would do, once", () => {
  const list = h("div");
  /** @type {string[]} */
  const done = [];
  show(
    list,
    item("a", "1", () => done.push("old")),
  );
  show(
    list,
    item("a", "1", () => done.push("new")),
  );
  list.querySelector("button")?.click();
  show(list, item("a", "1"));
  list.querySelector("button")?.click();
  equal(done, ["new"]);
});

test("what holds more than its attributes say is put in anew", () => {
  const list = h("div");
  show(list, h("canvas"), h("input"));
  const before = [...list.children];
  show(list, h("canvas"), h("input"));
  equal(
    before.map((one) => list.contains(one)),
    [false, false],
  );
});

test("a part of the page is made once for the same facts, and stands wherever it is put", () => {
  const list = h("div");
  let made = 0;
  /** @param {string} word */
  const part = (word) =>
    keep("part", [word], () => {
      made += 1;
      return h("p", {}, word);
    });
  show(list, h("section", {}, part("one")));
  const [first] = list.querySelectorAll("p");
  show(list, "before", h("section", {}, part("one")));
  equal(list.querySelector("p") === first, true);
  equal(made, 1);
  show(list, h("section", {}, part("two")));
  equal([list.textContent, made], ["two", 2]);
});

test("a part with other facts is written into the one that stands there, and known as that", () => {
  const list = h("div");
  /** @param {string} word */
  const part = (word) => keep("lasting", [word], () => h("p", {}, item("a", word)));
  show(list, part("one"));
  const [line] = list.children;
  const [button] = line.children;
  show(list, part("two"));
  equal([list.firstElementChild === line, line.firstElementChild === button], [true, true]);
  show(list, "before", part("two"));
  equal([list.textContent, list.lastElementChild === line], ["beforetwo", true]);
});

test("parts of two names never become each other", () => {
  const list = h("div");
  /** @param {string} name */
  const part = (name) => keep(name, [name], () => h("p", {}, name));
  show(list, part("left"), part("right"));
  const [left, right] = list.children;
  show(list, part("right"), part("left"));
  equal([list.firstElementChild === right, list.lastElementChild === left], [true, true]);
  show(list, part("other"));
  equal([list.textContent, left.textContent, right.textContent], ["other", "left", "right"]);
});
