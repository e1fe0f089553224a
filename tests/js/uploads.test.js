import { Outbox } from "../../scorer_app/web/static/js/outbox.js";
import { Uploads, nextStep } from "../../scorer_app/web/static/js/uploads.js";
import { equal, test, until } from "./harness.js";

/**
 * Answers uploads in turn; status 0 is a connection that breaks.
 * @param {{ status: number, answer?: unknown }[]} answers
 * @returns {FormData[]} what was sent, growing
 */
function serveUploads(answers) {
  /** @type {FormData[]} */
  const sent = [];
  class FakeRequest {
    upload = {};
    status = 0;
    response = /** @type {unknown} */ (null);
    onloadend = () => {};
    open() {}
    setRequestHeader() {}
    abort() {}
    /** @param {FormData} form */
    send(form) {
      const { status, answer = null } = answers[Math.min(sent.length, answers.length - 1)];
      sent.push(form);
      this.status = status;
      this.response = answer;
      setTimeout(() => this.onloadend(), 1);
    }
  }
  window.XMLHttpRequest = /** @type {any} */ (FakeRequest);
  return sent;
}

/** Uploads of hand h1, with what they tell. */
function uploads() {
  document.body.innerHTML += '<div id="hand" data-upload-limit="1000"></div>';
  /** @type {unknown[]} */
  const arrived = [];
  const tell = { arrived: (/** @type {unknown} */ view) => arrived.push(view), changed: () => {} };
  const sending = new Uploads("h1", tell, new Outbox());
  return { sending, arrived };
}

/** @param {number} size in bytes */
function picture(size = 10) {
  return new File([new Uint8Array(size)], "p.jpg", { type: "image/jpeg" });
}

/** @param {Uploads} sending */
const isIdle = (sending) => [...sending.areas.values()].every((area) => area.running === null);

test("no answer or a busy server is tried again while there is patience", () => {
  for (const status of [0, 401, 403, 408, 421, 429, 502, 503, 504]) {
    equal([nextStep(status, true), nextStep(status, false)], ["again", "stuck"]);
  }
});

test("an answer that says yes or no settles a photograph, a fault of the server stops it", () => {
  for (const status of [202, 400, 409, 413]) equal(nextStep(status, true), "settled");
  equal(nextStep(500, true), "stuck");
});

test("a photograph is lost where its hand is gone or was thrown away", () => {
  equal([nextStep(404, true), nextStep(409, true, "discarded")], ["lost", "lost"]);
});

test("photographs of an area go up one after another, each under a key of its own", async () => {
  const sent = serveUploads([
    { status: 202, answer: "one" },
    { status: 202, answer: "two" },
  ]);
  const { sending, arrived } = uploads();
  sending.add("A", "melds", [picture(), picture()]);
  equal(sending.pending, true);
  await until(() => isIdle(sending));
  equal(arrived, ["one", "two"]);
  equal(sending.pending, false);
  equal([sent[0].get("side"), sent[0].get("place")], ["A", "melds"]);
  equal(sent[0].get("key") === sent[1].get("key"), false);
});

test("of which photograph one takes the place is sent with it", async () => {
  const sent = serveUploads([{ status: 202, answer: "view" }]);
  const { sending, arrived } = uploads();
  sending.add("A", "melds", [picture()], "p1");
  await until(() => isIdle(sending));
  equal([sent[0].get("instead_of"), arrived], ["p1", ["view"]]);
});

test("one without an answer is sent again under its own key once it can be", async () => {
  const sent = serveUploads([{ status: 0 }, { status: 202, answer: "view" }]);
  const { sending, arrived } = uploads();
  sending.add("B", "rack", [picture()]);
  await until(() => sending.of("B", "rack")?.words === "js.upload_waiting");
  equal(document.body.dataset.offline, "yes");
  window.dispatchEvent(new Event("online"));
  await until(() => isIdle(sending));
  equal(arrived, ["view"]);
  equal(sent[0].get("key"), sent[1].get("key"));
  equal(document.body.dataset.offline, "no");
});

test("a fault of the server is told, and a person decides", async () => {
  serveUploads([{ status: 500, answer: { message: "Algo falló." } }]);
  const { sending } = uploads();
  sending.add("A", "melds", [picture()]);
  await until(() => isIdle(sending));
  const area = sending.of("A", "melds");
  equal([area?.stuck, area?.words, sending.pending], [true, "Algo falló.", true]);
  if (area) sending.forget(area);
  equal([area?.stuck, sending.pending], [false, false]);
});

test("an answer of a proxy that says nothing is told as a fault of the server", async () => {
  const { sending } = uploads();
  serveUploads([{ status: 500 }]);
  sending.add("A", "melds", [picture()]);
  await until(() => isIdle(sending));
  equal(sending.of("A", "melds")?.words, "js.upload_broken");
  equal([sending.of("A", "melds")?.stuck, sending.pending], [true, true]);
  const sent = serveUploads([{ status: 502 }, { status: 202, answer: "view" }]);
  sending.add("B", "rack", [picture()]);
  await until(() => sending.of("B", "rack")?.words === "js.upload_faulty");
  equal(document.body.dataset.offline, "no");
  window.dispatchEvent(new Event("online"));
  await until(() => isIdle(sending));
  equal([sent.length, sending.of("B", "rack")?.photos.length], [2, 0]);
});

test("one that is too large is refused before it is sent", async () => {
  const sent = serveUploads([{ status: 202 }]);
  const { sending } = uploads();
  sending.add("A", "melds", [picture(1001)]);
  await until(() => isIdle(sending));
  equal([sent.length, document.getElementById("toast")?.textContent], [0, "js.too_big"]);
});

test("where a hand has too many photographs the rest is not tried", async () => {
  const answer = { error: "too_many_photos", message: "Son muchas." };
  const sent = serveUploads([{ status: 400, answer }]);
  const { sending } = uploads();
  sending.add("A", "melds", [picture(), picture(), picture()]);
  await until(() => isIdle(sending));
  equal([sent.length, sending.pending], [1, false]);
});

test("photographs that wait outlive a reload until a person lets them go", async () => {
  serveUploads([{ status: 500 }]);
  const { sending: first } = uploads();
  first.add("A", "melds", [picture()], "p1");
  await until(() => isIdle(first) && first.of("A", "melds")?.stuck === true);
  const { sending: second } = uploads();
  await second.restored;
  const area = second.of("A", "melds");
  equal(area?.photos.length, 1);
  equal(area?.photos[0].key, first.of("A", "melds")?.photos[0].key);
  equal(area?.photos[0].insteadOf, "p1");
  await until(() => isIdle(second));
  if (area) second.forget(area);
  const { sending: third } = uploads();
  await third.restored;
  equal(third.pending, false);
});

test("photographs of a hand that is no more are kept, and told of, until let go", async () => {
  for (const answer of [
    { status: 409, answer: { error: "discarded", message: "No." } },
    { status: 404, answer: { message: "No está." } },
  ]) {
    const sent = serveUploads([answer]);
    const { sending } = uploads();
    sending.add("A", "melds", [picture(), picture()]);
    await until(() => isIdle(sending));
    const area = sending.of("A", "melds");
    equal([area?.stuck, area?.lost, area?.words], [true, true, "js.unsent_gone"]);
    equal([sent.length, sending.count], [1, 2]);
    if (area) sending.forget(area);
    equal(sending.pending, false);
  }
});
