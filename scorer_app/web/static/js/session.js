// The token that the server wants with each write, and which refusals of the server are final.

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
