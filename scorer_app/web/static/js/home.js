// What this device has not handed over yet, told on the first page: it is sent as soon as its hand
// is opened.

import { byId, h } from "./dom.js";
import { Outbox } from "./outbox.js";
import { fill } from "./words.js";

const list = byId("unsent");
const counts = await new Outbox().counts();
for (const [hand, count] of counts) {
  const text = fill(list.dataset.text ?? "", { count });
  list.append(h("li", {}, h("a", { href: `/hands/${encodeURIComponent(hand)}` }, text)));
}
list.hidden = counts.size === 0;
