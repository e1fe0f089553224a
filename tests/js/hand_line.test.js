import { HandLine } from "../../scorer_app/web/static/js/hand_line.js";
import { Outbox } from "../../scorer_app/web/static/js/outbox.js";
import { equal, serve, test, until } from "./harness.js";
import { hand, score } from "./samples.js";

const tap = { op: "add_tile", face: "7R", side: "A", place: "melds" };
const broken = new TypeError("Failed to fetch");

/** A line to hand h1, and the versions it has shown. */
function line() {
  /** @type {number[]} */
  const shown = [];
  return { line: new HandLine("h1", (view) => shown.push(view.version), new Outbox()), shown };
}

/** What the toast says, empty while it is hidden. */
function toasted() {
  const toast = document.getElementById("toast");
  return toast?.hidden ? "" : toast?.textContent;
}

test("edits made while others are on their way go out after them, in order", async () => {
  const asked = serve([{ body: hand({ version: 2 }) }, { body: hand({ version: 3 }) }]);
  const { line: sending, shown } = line();
  await sending.restored;
  sending.edit(tap);
  sending.edit({ op: "a" }, { op: "b" });
  await sending.flush();
  const sent = asked.map(({ json }) => json.edits.map((/** @type {Operation} */ one) => one.op));
  equal(sent, [["add_tile"], ["a", "b"]]);
  equal(asked[0].url, "/api/hands/h1/edits");
  equal(shown, [2, 3]);
  equal(sending.waiting, []);
});

test("at most fifty edits go out at once", async () => {
  const asked = serve([{ body: hand() }]);
  const { line: sending } = line();
  await sending.edit(...Array(120).fill(tap));
  equal(
    asked.map(({ json }) => json.edits.length),
    [50, 50, 20],
  );
});

test("an edit that is made again while it waits is sent once, a tile is not", async () => {
  const asked = serve([{ body: hand() }]);
  const { line: sending } = line();
  const join = { op: "join_rows", row: "r2", into: "r1" };
  const aside = ["r3", "r4"].map((row) => ({ op: "move_row", row, side: "A", place: "pozo" }));
  for (const made of [[join], [join], aside, aside, [tap], [tap], [join]]) sending.edit(...made);
  await sending.flush();
  const sent = asked.flatMap(({ json }) =>
    json.edits.map((/** @type {Operation} */ one) => one.op),
  );
  equal(sent.join(" "), "join_rows move_row move_row add_tile add_tile join_rows");
});

test("an edit without an answer is sent again under its own key", async () => {
  const asked = serve([broken, { body: hand({ version: 2 }) }]);
  const { line: sending } = line();
  const sent = sending.edit(tap);
  await until(() => document.body.dataset.offline === "yes");
  await sent;
  equal(document.body.dataset.offline, "no");
  equal(asked.length, 2);
  equal(asked[0].json, asked[1].json);
});

test("an edit that the server cannot save waits, and the page says why", async () => {
  document.body.insertAdjacentHTML("beforeend", '<p class="offline"><span>No line.</span></p>');
  const full = { error: "store", message: "The disk is full." };
  serve([{ body: full, status: 503 }, { body: hand({ version: 2 }) }]);
  const { line: sending } = line();
  const sent = sending.edit(tap);
  const words = document.querySelector(".offline span");
  await until(() => document.body.dataset.offline === "yes");
  equal(words?.textContent, "The disk is full.");
  await sent;
  equal([document.body.dataset.offline, words?.textContent], ["no", "No line."]);
});

test("a page is loaded anew once its match is one of cards and nothing waits", async () => {
  serve([{ body: hand({ version: 3, pieces: "cards" }) }]);
  const { line: changed, shown } = line();
  let loads = 0;
  changed.reload = () => (loads += 1);
  changed.show(hand({ version: 1 }));
  await changed.restored;
  changed.waiting.push({ key: "k1", ...tap });
  changed.show(hand({ version: 2, pieces: "cards" }));
  equal(loads, 0);
  await changed.flush();
  equal([loads, shown], [1, [1, 2, 3]]);
});

test("a page is loaded anew once a side of its match has another name", () => {
  const { line: changed } = line();
  let loads = 0;
  changed.reload = () => (loads += 1);
  changed.show(hand());
  changed.show(hand({ version: 2 }));
  equal(loads, 0);
  const renamed = { A: score({ name: "Ellos" }), B: score({ name: "Nosotros" }) };
  changed.show(hand({ version: 2, score: renamed }));
  equal(loads, 1);
});

test("an edit that the server refuses is dropped, told, and the hand shown as it is", async () => {
  const refusal = { body: { error: "gone", message: "Ya no está." }, status: 400 };
  const asked = serve([refusal, { body: hand({ version: 5 }) }]);
  const { line: sending, shown } = line();
  await sending.edit(tap);
  equal(toasted(), "Ya no está.");
  equal(
    asked.map(({ method, url }) => `${method} ${url}`),
    ["POST /api/hands/h1/edits", "GET /api/hands/h1"],
  );
  equal([shown, sending.waiting], [[5], []]);
});

test("an edit refused for a lost session stays and goes out under a new token", async () => {
  const signedOut = { body: { error: "csrf", message: "Entrá de nuevo." }, status: 403 };
  const asked = serve([signedOut, { body: { csrf: "newer" } }, { body: hand({ version: 2 }) }]);
  const { line: sending, shown } = line();
  await sending.edit(tap);
  equal(
    asked.map(({ url }) => url),
    ["/api/hands/h1/edits", "/api/session", "/api/hands/h1/edits"],
  );
  equal(asked[0].json, asked[2].json);
  equal([shown, sending.waiting], [[2], []]);
});

test("of edits that go out together only the refused one is dropped", async () => {
  const refusal = { body: { error: "bad_value", message: "Eso no." }, status: 422 };
  const fine = { body: hand({ version: 2 }) };
  const asked = serve([fine, refusal, fine, refusal, fine, fine]);
  const { line: sending } = line();
  await sending.restored;
  sending.edit(tap);
  await sending.edit({ op: "a" }, { op: "bad" }, { op: "c" });
  const sent = asked.map(({ json }) => json?.edits.map((/** @type {Operation} */ one) => one.op));
  equal(sent.slice(1), [["a", "bad", "c"], ["a"], ["bad"], undefined, ["c"]]);
  equal([toasted(), sending.waiting], ["Eso no.", []]);
});

test("what waits is still there after a reload", async () => {
  serve([new TypeError("Failed to fetch")]);
  const { line: sending } = line();
  sending.edit(tap);
  await until(() => sending.sent.size > 0);
  const { line: after } = line();
  await after.restored;
  equal(after.waiting, sending.waiting);
  serve([{ body: hand() }]);
  await Promise.all([sending.flush(), after.flush()]);
  const { line: last } = line();
  await last.restored;
  equal(last.waiting, []);
});

test("a view older than the one shown is not shown", () => {
  const { line: showing, shown } = line();
  for (const version of [3, 2, 3, 4]) showing.show(hand({ version }));
  equal(shown, [3, 3, 4]);
});

test("what the server lost in a power cut is not shown any more, and edits go on", async () => {
  serve([1, 2].map((version) => ({ body: hand({ version }) })));
  const { line: showing, shown } = line();
  await showing.restored;
  showing.show(hand({ version: 5 }));
  await showing.refresh();
  equal(shown, [5, 1]);
  await showing.edit(tap);
  equal([shown.at(-1), showing.version], [2, 2]);
});

test("an answer that is older than what came meanwhile is not shown", async () => {
  serve([{ body: hand({ version: 2 }) }]);
  const { line: showing, shown } = line();
  await showing.restored;
  showing.show(hand({ version: 2 }));
  const asked = showing.post("photos/p1/read");
  showing.show(hand({ version: 3 }));
  await asked;
  equal(shown, [2, 3]);
});

test("of a range that waits its last tile alone is taken back", async () => {
  const range = { op: "add_tiles", faces: ["3R", "4R", "5R"], side: "A", place: "melds", by: "me" };
  serve([broken]);
  const { line: sending } = line();
  await sending.restored;
  sending.edit(range);
  const first = String(sending.waiting[0].key);
  sending.sent.delete(first); // as if it still lay here alone
  sending.takeBackTile(first);
  const { key, ...kept } = sending.waiting[0];
  const { faces: shorter, ...others } = range;
  equal([sending.waiting.length, kept], [1, { ...others, faces: shorter.slice(0, 2) }]);
  sending.sent.delete(String(key));
  sending.takeBackTile(String(key));
  const { key: last, ...single } = sending.waiting[0];
  equal(single, { ...others, op: "add_tile", face: "3R" });
  sending.sent.delete(String(last));
  sending.takeBackTile(String(last));
  equal(sending.waiting, []);
});

test("a range that may have arrived is undone there and added without its last tile", async () => {
  const range = { op: "add_tiles", faces: ["3R", "4R"], side: "A", place: "rack" };
  serve([broken]);
  const { line: sending } = line();
  await sending.restored;
  sending.edit(range);
  const key = String(sending.waiting[0].key);
  equal(sending.sent.has(key), true);
  sending.takeBackTile(key);
  equal(
    sending.waiting.map(({ op, of, face }) => [op, of ?? face ?? null]),
    [
      ["add_tiles", null],
      ["undo", key],
      ["add_tile", "3R"],
    ],
  );
});

test("news that comes while edits are on their way is asked for after them", async () => {
  const asked = serve([{ body: hand({ version: 2 }) }, { body: hand({ version: 3 }) }]);
  const { line: sending, shown } = line();
  const sent = sending.edit(tap);
  await sending.refresh();
  equal(asked.length, 0);
  await sent;
  await until(() => shown.length === 2);
  equal(
    asked.map(({ method }) => method),
    ["POST", "GET"],
  );
  equal(shown, [2, 3]);
});

test("a view on its way while an edit is made is asked for again after the edit", async () => {
  const asked = serve([2, 2, 3].map((version) => ({ body: hand({ version }) })));
  const { line: sending, shown } = line();
  await sending.restored;
  const looked = sending.refresh();
  const sent = sending.edit(tap);
  await Promise.all([looked, sent]);
  await until(() => shown.at(-1) === 3);
  equal(
    asked.map(({ method }) => method),
    ["GET", "POST", "GET"],
  );
});

test("of two looks the answer to the later one is shown, whichever comes last", async () => {
  const { line: looking, shown } = line();
  await looking.restored;
  /** @type {((view: unknown) => void)[]} */
  const open = [];
  const { fetch } = globalThis;
  globalThis.fetch = () => new Promise((resolve) => open.push(/** @type {any} */ (resolve)));
  try {
    const looks = [looking.refresh(), looking.refresh()];
    await until(() => open.length === 2);
    for (const at of [1, 0]) open[at](new Response(JSON.stringify(hand({ version: 7 }))));
    await Promise.all(looks);
  } finally {
    globalThis.fetch = fetch;
  }
  equal(shown, [7]);
});

test("a refresh without an answer says so and tries again by itself", async () => {
  serve([broken, { body: hand({ version: 7 }) }]);
  const { line: asking, shown } = line();
  await asking.refresh();
  equal(document.body.dataset.offline, "yes");
  await until(() => shown.length > 0);
  equal([document.body.dataset.offline, shown], ["no", [7]]);
});

test("a refresh that is refused is told and not tried again", async () => {
  const asked = serve([{ body: { message: "La mano está dañada." }, status: 409 }]);
  const { line: asking } = line();
  await asking.refresh();
  equal([toasted(), asked.length, asking.later], ["La mano está dañada.", 1, undefined]);
});

test("a page whose hand is gone is loaded anew and keeps what waits", async () => {
  const asked = serve([{ body: { message: "No hay tal mano." }, status: 404 }]);
  const { line: asking } = line();
  let loads = 0;
  asking.reload = () => (loads += 1);
  await asking.refresh();
  equal([loads, asked.length, asking.later], [1, 1, undefined]);
  await asking.edit(tap, tap);
  equal([loads, asking.waiting.length], [1, 2]);
  const { line: sending } = line();
  await sending.restored;
  sending.reload = () => (loads += 1);
  sending.alone = 2; // each edit is refused by itself
  await sending.flush();
  equal([loads, asked.length, sending.waiting.length], [2, 2, 2]);
});

test("what is posted answers with the view, a conflict with the view as it is now", async () => {
  const asked = serve([
    { body: hand({ version: 2 }) },
    { body: { message: "Otro la cambió." }, status: 409 },
    { body: hand({ version: 9 }) },
  ]);
  const { line: posting, shown } = line();
  equal((await posting.post("save", { json: { version: 1 } }))?.version, 2);
  equal(await posting.post("save", { json: { version: 2 } }), null);
  await until(() => shown.length === 2);
  equal(shown, [2, 9]);
  equal(asked[0].json, { version: 1 });
});

test("what is posted without an answer is told in the page's own words", async () => {
  serve([broken]);
  const { line: posting } = line();
  equal([await posting.post("save"), toasted()], [null, "js.no_answer"]);
});

test("what waits is shown at once, and what the server says takes its place", async () => {
  serve([{ body: hand({ version: 2 }) }]);
  /** @type {HandView[]} */
  const views = [];
  const sending = new HandLine("h1", (view) => views.push(view), new Outbox());
  sending.view = hand();
  const sent = sending.edit(tap);
  equal(
    Object.values(views[0].tiles).map(({ face, waiting }) => [face, waiting]),
    [["7R", true]],
  );
  await sent;
  equal(views.at(-1)?.tiles, {});
});

test("an unsent edit is let go, one that may have arrived is undone there", async () => {
  const asked = serve([{ body: hand({ version: 2 }) }, { body: hand({ version: 3 }) }]);
  const { line: sending } = line();
  await sending.restored;
  sending.edit(tap);
  sending.edit({ op: "b" });
  await sending.undo();
  equal(
    sending.waiting.map(({ op }) => op),
    ["add_tile"],
  );
  await sending.undo();
  equal(
    asked.map(({ url, json }) => [url.split("/").at(-1), json.key === asked[0].json.edits[0].key]),
    [
      ["edits", false],
      ["undo", true],
    ],
  );
});

test("undoing names the step that the hand says, and says where there is none", async () => {
  const asked = serve([{ body: hand({ version: 2 }) }]);
  const { line: sending } = line();
  sending.view = hand({ undo: { key: "k1", text: "7 rojo" } });
  equal(await sending.undo(), true);
  equal(asked[0].json, { key: "k1" });
  equal(await sending.undo(), false);
});

test("what waits for a hand that was thrown away is kept, and not sent any more", async () => {
  const asked = serve([
    { body: { error: "discarded", message: "Se descartó." }, status: 409 },
    { body: hand({ version: 2 }) },
  ]);
  const { line: sending } = line();
  await sending.edit(tap, tap, tap);
  equal([asked.length, sending.waiting.length, toasted()], [2, 3, "Se descartó."]);
  await sending.flush();
  equal([asked.length, (await sending.outbox.of("h1")).length], [2, 3]);
});
