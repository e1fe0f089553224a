// What the unit tests of the page's scripts are written with. They run in a browser, as the scripts
// do; tests/scorer_app/browser/test_js_units.py opens it and reports each of them to pytest.

import { Outbox } from "../../scorer_app/web/static/js/outbox.js";

const outbox = new Outbox();
/** @type {Map<string, () => unknown>} */
const tests = new Map();

/**
 * Declares a test. The name stands on the same line, where pytest looks for it.
 * @param {string} name
 * @param {() => unknown} body
 */
export function test(name, body) {
  if (tests.has(name)) throw new Error(`two tests are named ${name}`);
  tests.set(name, body);
}

/**
 * Runs all declared tests one after another, each on an empty page; what went wrong, by name, null
 * where nothing did.
 * @returns {Promise<Record<string, string | null>>}
 */
export async function runAll() {
  /** @type {Record<string, string | null>} */
  const outcomes = {};
  for (const [name, body] of tests) {
    await resetPage();
    try {
      await body();
      outcomes[name] = null;
    } catch (error) {
      outcomes[name] = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }
  return outcomes;
}

async function resetPage() {
  document.body.innerHTML = '<p id="announce"></p><p id="toast" hidden></p>';
  delete document.body.dataset.offline;
  localStorage.clear();
  sessionStorage.clear();
  await outbox.store("readwrite", (store) => store.clear());
}

/**
 * Fails unless both are equal in all their parts.
 * @param {unknown} actual
 * @param {unknown} expected
 */
export function equal(actual, expected) {
  const [found, wanted] = [actual, expected].map(written);
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`);
}

/**
 * A value as JSON, told apart where JSON has no word for it.
 * @param {unknown} value
 */
function written(value) {
  return JSON.stringify(value, (_, part) => (part === undefined ? "(undefined)" : part), 1);
}

/**
 * Fails unless two numbers, or lists of numbers, are equal to a millionth.
 * @param {number | number[]} actual
 * @param {number | number[]} expected
 */
export function close(actual, expected) {
  const [found, wanted] = [actual, expected].map((value) => [value].flat());
  const near = found.every((value, index) => Math.abs(value - wanted[index]) < 1e-6);
  if (!near || found.length !== wanted.length)
    throw new Error(`expected ${wanted}, found ${found}`);
}

/**
 * Settles once `condition` holds; fails after ten seconds.
 * @param {() => boolean} condition
 */
export async function until(condition) {
  const end = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`never came true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Answers the page's requests for the time of one test. Each answer is a body and perhaps a status,
 * or an Error for a connection that breaks; the last one stands for all that follow.
 * @param {({ body: unknown, status?: number } | Error)[]} answers
 * @returns {{ url: string, method: string, json: any }[]} what was asked, growing
 */
export function serve(answers) {
  /** @type {{ url: string, method: string, json: any }[]} */
  const asked = [];
  window.fetch = async (url, options = {}) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    const json = typeof options.body === "string" ? JSON.parse(options.body) : null;
    asked.push({ url: String(url), method: options.method ?? "GET", json });
    if (answer instanceof Error) throw answer;
    return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200 });
  };
  return asked;
}
