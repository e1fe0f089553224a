// Asks the server for the page that is shown.

import { NO_ANSWER, isGone } from "./server.js";

/**
 * Returns this page as the server has it now; null where it refuses. A page of something that is
 * gone is loaded anew, so that the server says it. Throws an error where no answer comes.
 * @returns {Promise<Document | null>}
 */
export async function askPage() {
  const signal = AbortSignal.timeout(NO_ANSWER);
  const response = await fetch(location.href, { headers: { Accept: "text/html" }, signal });
  if (isGone(response.status)) location.reload();
  if (!response.ok) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}
