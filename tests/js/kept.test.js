import { DEVICE, TAB, forget, keep, recall } from "../../scorer_app/web/static/js/kept.js";
import { equal, test } from "./harness.js";

test("what is kept is recalled until it is forgotten, in its own place", () => {
  keep(TAB, "a", { points: [1, "2"] });
  equal([recall(TAB, "a"), recall(DEVICE, "a")], [{ points: [1, "2"] }, null]);
  forget(TAB, "a");
  equal(recall(TAB, "a"), null);
});

test("what another version has kept in another form is as good as nothing", () => {
  sessionStorage.setItem("a", "Casa");
  equal(recall(TAB, "a"), null);
});

test("a browser that refuses its storage or has no room in it keeps nothing", () => {
  const refusals = [
    () => {
      throw new DOMException("refused", "SecurityError");
    },
    () => /** @type {Storage} */ (/** @type {unknown} */ (null)),
  ];
  for (const area of refusals) {
    keep(area, "a", 1);
    forget(area, "a");
    equal(recall(area, "a"), null);
  }
  const full = () => ({ ...sessionStorage, setItem: () => void JSON.parse("full") });
  keep(/** @type {any} */ (full), "a", 1);
  equal(recall(TAB, "a"), null);
});
