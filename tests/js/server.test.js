import { Refused, ask, showOffline, troubleOf } from "../../scorer_app/web/static/js/server.js";
import { equal, serve, test } from "./harness.js";

test("what is sent carries the page's token", async () => {
  let token = null;
  window.fetch = async (_, options) => {
    token = new Headers(options?.headers).get("X-CSRF-Token");
    return new Response("{}");
  };
  await ask("/api/x", { method: "POST", json: {} });
  equal(token, "token");
});

test("a refusal has the server's status, code and sentence", async () => {
  serve([{ body: { error: "busy", message: "Ocupado." }, status: 409 }]);
  const error = await ask("/api/x").catch((reason) => reason);
  equal(error instanceof Refused, true);
  equal([error.status, error.code, error.message], [409, "busy", "Ocupado."]);
});

test("a refusal that is no JSON still has a sentence", async () => {
  window.fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
  const error = await ask("/api/x").catch((reason) => reason);
  equal([error.status, error.message], [502, "js.broken"]);
});

test("the page says whether the server can be reached", () => {
  showOffline(true);
  equal(document.body.dataset.offline, "yes");
  showOffline(false);
  equal(document.body.dataset.offline, "no");
});

test("the page says that the code is needed where it has a link to it", () => {
  showOffline(true, "not_joined");
  equal(document.body.dataset.needsCode, "no");
  const link = document.createElement("a");
  link.dataset.toCode = "";
  document.body.append(link);
  showOffline(true, "not_joined");
  showOffline(true); // a stream that breaks does not tell why
  equal(document.body.dataset.needsCode, "yes");
  showOffline(true, "");
  equal(document.body.dataset.needsCode, "no");
  link.remove();
});

test("a server that was reached but cannot save says why, and no word of the connection", () => {
  document.body.insertAdjacentHTML("beforeend", '<p class="offline"><span>No line.</span></p>');
  const words = document.querySelector(".offline span");
  const full = new Refused(507, { error: "disk", message: "The disk is full." });
  showOffline(true, full.code, troubleOf(full));
  equal(words?.textContent, "The disk is full.");
  showOffline(true); // a stream that breaks does not tell why
  equal(words?.textContent, "The disk is full.");
  showOffline(true, "");
  equal(words?.textContent, "No line.");
  const gateway = new Refused(502, null);
  const signedOut = new Refused(401, { error: "not_joined", message: "Join." });
  equal([gateway, signedOut, new TypeError("fetch")].map(troubleOf), ["", "", ""]);
});
