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

test("the photographs that wait for one hand go with another one, and its edits stay", async () => {
  const outbox = new Outbox();
  const file = new File(["x"], "p.jpg");
  const photo = /** @type {const} */ ({ side: "A", place: "melds", file });
  await outbox.put([
    { key: "edit", hand: "gone", operation: { op: "x" } },
    { key: "photo", hand: "gone", photo },
  ]);
  await outbox.move("gone", "other");
  const keys = async (/** @type {string} */ hand) =>
    (await new Outbox().of(hand)).map(({ key }) => key);
  equal([await keys("gone"), await keys("other")], [["edit"], ["photo"]]);
});

test("what is put there later comes later, though the clock was set back meanwhile", async () => {
  const { now } = Date;
  const keys = ["first", "second", "third"];
  try {
    for (const [at, key] of keys.entries()) {
      Date.now = () => 3_000_000 - at * 1_000_000;
      const outbox = new Outbox(); // that of a page which was loaded anew
      await outbox.takeUp("h1", () => {});
      await outbox.put([{ key, hand: "h1", operation: { op: key } }]);
    }
  } finally {
    Date.now = now;
  }
  const waiting = await new Outbox().of("h1");
  equal(
    waiting.map(({ key }) => key),
    keys,
  );
});

test("a browser without a database keeps the page going", async () => {
  const { open } = indexedDB;
  indexedDB.open = () => {
    throw new Error("none in a private window");
  };
  try {
    const outbox = new Outbox();
    await outbox.put([{ key: "a", hand: "h1" }]);
    equal(await outbox.of("h1"), []);
    equal(outbox.isKept, false);
  } finally {
    indexedDB.open = open;
  }
});

test("what waits is taken up once more where the database opens late", async () => {
  const entry = { key: "a", hand: "h1", operation: { op: "x" } };
  await new Outbox().put([entry]);
  const { open } = indexedDB;
  indexedDB.open = (name, version) => {
    const request = open.call(indexedDB, name, version);
    const late = /** @type {IDBOpenDBRequest} */ ({});
    const done = () => late.onsuccess?.(new Event("success"));
    request.onsuccess = () => setTimeout(done, 80);
    return Object.defineProperty(late, "result", { get: () => request.result });
  };
  try {
    const outbox = new Outbox(10);
    /** @type {string[][]} */
    const taken = [];
    await outbox.takeUp("h1", (waiting) => taken.push(waiting.map(({ key }) => key)));
    equal([taken, outbox.isKept], [[[]], false]);
    outbox.put([{ ...entry, key: "b" }]);
    while (taken.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    equal([taken, outbox.isKept], [[[], ["a", "b"]], true]);
  } finally {
    indexedDB.open = open;
  }
});

test("a browser without room for what is put there keeps nothing, and says so", async () => {
  const outbox = new Outbox();
  await outbox.opening;
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (value) {
    const request = put.call(this, value);
    this.transaction.abort();
    return request;
  };
  try {
    await outbox.put([{ key: "a", hand: "h1" }]);
    equal([await outbox.of("h1"), outbox.isKept], [[], false]);
  } finally {
    IDBObjectStore.prototype.put = put;
  }
});
