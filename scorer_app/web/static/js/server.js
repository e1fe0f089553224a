// Sends requests to the server with the token that it wants with each write, and knows which of its
// refusals are final.

import { say } from "./words.js";

export const NO_ANSWER = 15_000; // ms after which a request counts as lost, though nobody said so

let csrf = document.querySelector('meta[name="csrf"]')?.getAttribute("content") ?? "";

// Statuses that a person, or the rules, decided: sending the same again would change nothing. All
// others may be another in a while: a session that a wrong clock ended, a proxy, a full disk.
const DECIDED = new Set([400, 404, 405, 409, 410, 413, 415, 422]);
const SIGNED_OUT = new Set([401, 403]);
const GONE = 404;

/** @param {number} status */
export function isDecided(status) {
  return DECIDED.has(status);
}

/** @param {number} status */
export function isSignedOut(status) {
  return SIGNED_OUT.has(status);
}

/**
 * Whether there is no such thing any more, or this device may see it no longer.
 * @param {number} status
 */
export function isGone(status) {
  return status === GONE;
}

/**
 * Whether a refusal, by its code, means that a person must type the join code, and the page has a
 * link that leads there.
 * @param {string | undefined} code
 */
export function needsCode(code) {
  return code === "not_joined" && document.querySelector("[data-to-code]") !== null;
}

/** Returns the token of the session, which every write carries. */
export function token() {
  return csrf;
}

/**
 * Asks for a new token, since the session of the old one may be gone. Where no answer comes, the
 * old one stays.
 */
export async function renewToken() {
  try {
    const response = await fetch("/api/session", { headers: { Accept: "application/json" } });
    if (response.ok) csrf = (await response.json()).csrf;
  } catch {
    return;
  }
}

/** The server's refusal, with the sentence it gave. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{ message?: string, error?: string } | null} body
   */
  constructor(status, body) {
    super(body?.message ?? say("js.broken"));
    this.status = status;
    this.code = body?.error;
  }
}

/**
 * Returns what the server answers, parsed. Throws Refused where the server refuses, and another
 * error where no answer comes.
 * @param {string} url
 * @param {object} [options] `json` or `form` is sent
 * @param {string} [options.method]
 * @param {unknown} [options.json]
 * @param {BodyInit} [options.form]
 * @param {number} [options.patience] ms after which the request counts as lost
 * @returns {Promise<any>}
 */
export async function ask(url, { method = "GET", json, form, patience = NO_ANSWER } = {}) {
  /** @type {Record<string, string>} */
  const headers = { "X-CSRF-Token": token(), Accept: "application/json" };
  if (json !== undefined) headers["Content-Type"] = "application/json";
  const sent = json !== undefined ? JSON.stringify(json) : form;
  const signal = AbortSignal.timeout(patience);
  const response = await fetch(url, { method, headers, body: sent, signal });
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

/**
 * Shows on the page whether the server takes what the page sends, and if it does not, why.
 * @param {boolean} offline whether it takes nothing
 * @param {string | null} [code] of the refusal, "" where no answer came; null where the cause is
 *   unknown, so that the one that is shown stays
 * @param {string} [trouble] what `troubleOf` returns of the refusal
 */
export function showOffline(offline, code = null, trouble = "") {
  const { dataset } = document.body;
  dataset.offline = offline ? "yes" : "no";
  if (offline && code === null) return;
  dataset.needsCode = needsCode(code ?? "") ? "yes" : "no";
  const words = document.querySelector(".offline > :first-child");
  if (!(words instanceof HTMLElement)) return;
  words.dataset.usual ??= words.textContent ?? "";
  const told = trouble || words.dataset.usual;
  if (words.textContent !== told) words.textContent = told; // else it would be read out once more
}

/**
 * Returns the sentence of a server that was reached but cannot save, such as one whose disk is
 * full; "" where it has said nothing of that.
 * @param {unknown} error
 */
export function troubleOf(error) {
  return error instanceof Refused && error.code && error.status >= 500 ? error.message : "";
}

/**
 * Returns the code of the server's refusal; "" where no answer came.
 * @param {unknown} error
 */
export function codeOf(error) {
  return (error instanceof Refused && error.code) || "";
}

/**
 * Whether the server has understood the request and refuses it, so that asking again would not
 * help.
 * @param {unknown} error
 * @returns {error is Refused}
 */
export function isFinal(error) {
  return error instanceof Refused && isDecided(error.status);
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
