import { inTurn } from "../../scorer_app/web/static/js/in_turn.js";
import { Refused } from "../../scorer_app/web/static/js/server.js";
import { equal, test, until } from "./harness.js";

/** A look whose answers come when the test lets them, in order. */
function looking() {
  /** @type {{ resolve: () => void, reject: (reason: Error) => void }[]} */
  const looks = [];
  /** @returns {Promise<void>} */
  const look = () => new Promise((resolve, reject) => looks.push({ resolve, reject }));
  return { looks, news: inTurn(look, 1) };
}

test("news during a look has it taken once more, not twice and not beside it", async () => {
  const { looks, news } = looking();
  const shown = news();
  news();
  news();
  equal(looks.length, 1);
  looks[0].resolve();
  await until(() => looks.length === 2);
  looks[1].resolve();
  await shown;
  equal(looks.length, 2);
});

test("each look for news follows the one before", async () => {
  const { looks, news } = looking();
  for (const count of [1, 2]) {
    const shown = news();
    looks[count - 1].resolve();
    await shown;
    equal(looks.length, count);
  }
});

test("a look without an answer is taken again by itself", async () => {
  const { looks, news } = looking();
  const shown = news();
  looks[0].reject(new TypeError("Failed to fetch"));
  await until(() => looks.length === 2);
  looks[1].resolve();
  await shown;
  equal(looks.length, 2);
});

test("a look that is refused is not taken again", async () => {
  const { looks, news } = looking();
  const shown = news();
  looks[0].reject(new Refused(404, null));
  await shown;
  equal(looks.length, 1);
});
