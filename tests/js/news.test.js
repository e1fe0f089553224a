import { News } from "../../scorer_app/web/static/js/news.js";
import { equal, serve, test, until } from "./harness.js";

/** @type {FakeStream[]} */
const streams = [];

class FakeStream extends EventTarget {
  static CLOSED = 2;
  readyState = 1;
  constructor() {
    super();
    streams.push(this);
  }

  close() {
    this.readyState = FakeStream.CLOSED;
  }

  /** @param {string} name of an event from the server */
  tell(name) {
    this.dispatchEvent(new Event(name));
  }
}

/** @returns {{ news: News, heard: string[] }} */
function page() {
  window.EventSource = /** @type {any} */ (FakeStream);
  /** @type {string[]} */
  const heard = [];
  const note = (/** @type {string} */ name) => () => void heard.push(name);
  return { news: new News("/events", note("change"), note("table"), 20), heard };
}

/** Which of some pages have a stream. */
const open = (/** @type {News[]} */ ...pages) => pages.map(({ source }) => source !== null);

test("of the pages of one browser the three that came last have a stream", async () => {
  const pages = [1, 2, 3, 4, 5].map(() => page().news);
  for (const one of pages) {
    one.begin();
    await new Promise((resolve) => setTimeout(resolve, 5)); // each is later than the one before
  }
  await until(() => open(...pages).join() === "false,false,true,true,true");
  pages[3].end();
  await until(() => open(...pages).join() === "false,true,true,false,true");
  pages[0].comeFirst(); // a person uses it
  await until(() => open(...pages).join() === "true,false,true,false,true");
  pages.forEach((one) => one.end());
});

test("a page without a stream looks at times, and says where no answer comes", async () => {
  const { news, heard } = page();
  serve([new TypeError("Failed to fetch"), { body: {}, status: 401 }, { body: {} }]);
  news.channel = new BroadcastChannel("nobody");
  [1, 2, 3].forEach((since) => news.hear([since, true]));
  equal([news.isDisplaced, news.source], [true, null]);
  const shown = () => document.body.dataset.offline;
  await until(() => shown() === "yes");
  equal(heard, []);
  await until(() => shown() === "no");
  equal(heard, ["change", "table"]);
  news.end();
});

test("a page that ended opens no stream later", async () => {
  const { news } = page();
  news.begin();
  const [stream] = streams.slice(-1);
  serve([{ body: {} }]);
  stream.close();
  stream.tell("error"); // it was refused, and is to be asked for again
  news.end();
  equal([news.timer, news.source], [undefined, null]);
  news.begin();
  const count = streams.length;
  streams[count - 1].tell("again");
  equal([streams.length, streams[count - 1].readyState], [count + 1, FakeStream.CLOSED]);
  news.end();
});

test("a server without streams left is no lost connection, and the page looks each time", () => {
  const { news, heard } = page();
  news.begin();
  const [stream] = streams.slice(-1);
  stream.tell("full");
  stream.tell("error"); // the stream has ended
  equal([document.body.dataset.offline, heard], ["no", ["change", "table"]]);
  stream.tell("error");
  equal(document.body.dataset.offline, "yes");
  news.end();
});
