// Talks to the server. Edits go out in the order they were made; one that got no answer is sent again under its own name,
// which the server recognises, so nothing counts twice.

import { say, toast } from "./dom.js";

const csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";

// A name for what is sent: the server knows by it what it has already got.
export function freshKey() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-").slice(0, 40);
}

export class Refused extends Error {
  constructor(status, body) {
    super(body?.message ?? say("js.broken"));
    this.status = status;
    this.code = body?.error;
  }
}

export async function ask(url, { method = "GET", json, form } = {}) {
  const headers = { "X-CSRF-Token": csrf, Accept: "application/json" };
  if (json !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(url, {
    method,
    headers,
    body: json !== undefined ? JSON.stringify(json) : form,
  });
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

export class HandLine {
  constructor(handId, onView) {
    this.url = `/api/hands/${handId}`;
    this.onView = onView;
    this.waiting = [];
    this.sending = null; // settles once all edits have arrived
    this.version = 0;
  }

  show(view) {
    if (view.version < this.version) return;
    this.version = view.version;
    this.onView(view);
  }

  // Without an answer it says so, and looks again by itself: a stream that hangs in a dead network tells neither.
  async refresh() {
    clearTimeout(this.later);
    if (this.sending) return;
    try {
      const view = await ask(this.url);
      document.body.dataset.offline = "no";
      this.show(view);
    } catch (error) {
      if (error instanceof Refused && error.status < 500) return toast(error.message, "error");
      document.body.dataset.offline = "yes";
      this.later = setTimeout(() => this.refresh(), 2000);
    }
  }

  edit(...operations) {
    this.waiting.push(...operations.map((operation) => ({ key: freshKey(), ...operation })));
    return this.flush();
  }

  flush() {
    return (this.sending ??= this.sendAll().finally(() => (this.sending = null)));
  }

  async sendAll() {
    while (this.waiting.length) await this.sendBatch(this.waiting.slice(0, 50));
  }

  async sendBatch(batch) {
    try {
      const view = await ask(`${this.url}/edits`, { method: "POST", json: { edits: batch } });
      this.waiting.splice(0, batch.length);
      document.body.dataset.offline = "no";
      this.show(view);
    } catch (error) {
      if (error instanceof Refused && error.status < 500) {
        this.waiting.splice(0, batch.length);
        toast(error.message, "error");
        this.show(await ask(this.url));
      } else {
        document.body.dataset.offline = "yes";
        await new Promise((resolve) => setTimeout(resolve, 1500));
      }
    }
  }

  async post(path, options = {}) {
    try {
      const view = await ask(`${this.url}/${path}`, { method: "POST", ...options });
      this.show(view);
      return view;
    } catch (error) {
      toast(error.message, "error");
      if (error.status === 409) this.refresh();
      return null;
    }
  }
}

// News that something changed, for matches also that their watched table did; a lost connection is told on screen, and caught
// up with when it is back.
export function watch(url, onChange, onTable = null) {
  let poll;
  const source = new EventSource(url);
  const online = () => {
    document.body.dataset.offline = "no";
    onChange();
  };
  source.addEventListener("change", online);
  if (onTable) source.addEventListener("table", onTable);
  source.addEventListener(
    "full",
    () => (poll ??= setInterval(() => (onChange(), onTable?.()), 4000)),
  );
  source.addEventListener("error", () => (document.body.dataset.offline = "yes"));
  window.addEventListener("offline", () => (document.body.dataset.offline = "yes"));
  window.addEventListener("online", online);
  document.addEventListener(
    "visibilitychange",
    () => document.visibilityState === "visible" && onChange(),
  );
  return () => (source.close(), clearInterval(poll));
}
