import { Outbox, freshKey } from "../../scorer_app/web/static/js/outbox.js";
import { equal, test } from "./harness.js";

test("keys are short and never the same", () => {
  const keys = new Set(Array.from({ length: 50 }, freshKey));
  equal(keys.size, 50);
  equal(
    [...keys].every((key) => key.length <= 40),
    true,
  );
});

test("what waits comes back in the order in which it was put there", async () => {
  const outbox = new Outbox();
  const entry = (/** @type {string} */ key) => ({ key, hand: "h1", operation: { op: key } });
  await outbox.put([entry("z"), entry("a")]);
  await outbox.put([entry("m")]);
  await outbox.put([{ ...entry("x"), hand: "h2" }]);
  const waiting = await new Outbox().of("h1");
  equal(
    waiting.map(({ key }) => key),
    ["z", "a", "m"],
  );
  await outbox.drop(["z", "m"]);
  equal(
    [...(await new Outbox().counts())],
    [
      ["h1", 1],
      ["h2", 1],
    ],
  );
});

test("a browser without a database keeps the page going", async () => {
  const outbox = new Outbox();
  outbox.opened = Promise.resolve(null);
  await outbox.put([{ key: "a", hand: "h1" }]);
  equal(await outbox.of("h1"), []);
});
