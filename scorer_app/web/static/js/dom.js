// Builds elements; text is always text, never markup, so that a name can contain anything.

export function h(name, props = {}, ...children) {
  const svg = [
    "svg",
    "polygon",
    "g",
    "text",
    "path",
    "line",
    "circle",
    "polyline",
    "title",
    "rect",
  ].includes(name);
  const element = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.setAttribute("class", value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

// Replaces what a container shows; the keyboard stays on the element with the same data-key.
export function show(container, ...children) {
  const key = document.activeElement?.dataset?.key;
  const inside = container.contains(document.activeElement);
  container.replaceChildren(...children.flat().filter(Boolean));
  if (inside && key)
    container.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");

export function say(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export function signed(points) {
  const text = Math.abs(points).toLocaleString(document.documentElement.lang, {
    useGrouping: true,
  }); // 1.060, as the server writes it
  return points < 0 ? `−${text}` : text;
}

export function faceName(face) {
  if (!face) return say("js.unread");
  if (face === "J") return say("tile.J");
  return say("tile.name", { number: face.slice(0, -1), colour: say(`colour.${face.slice(-1)}`) });
}

// A tile as one sees it on the table: ivory, its number in ink, and a shape for those who do not tell the inks apart.
export function tileFace(face, props = {}) {
  const { tag = "span", ...rest } = props;
  const colour = !face ? "none" : face === "J" ? "J" : face.slice(-1);
  const number = !face ? "?" : face === "J" ? "" : face.slice(0, -1);
  return h(
    tag,
    {
      ...rest,
      class: `tile ${rest.class ?? ""}`,
      "data-colour": colour,
      "aria-label": rest["aria-label"] ?? faceName(face),
    },
    h("span", { class: "tile-number", "aria-hidden": "true" }, number),
    h("span", { class: "tile-shape", "aria-hidden": "true" }),
  );
}

const NOTATION = /\b((?:1[0-3]|[1-9])[RBKY]|J)\b/; // `7R`, `13K`, `J`: how sentences name tiles

// A sentence with its tiles as one sees them, not as they are written.
export function withTiles(sentence) {
  return sentence
    .split(NOTATION)
    .map((part, index) => (index % 2 ? tileFace(part, { class: "word", role: "img" }) : part));
}

// The same for ears.
export function spoken(sentence) {
  return sentence
    .split(NOTATION)
    .map((part, index) => (index % 2 ? faceName(part) : part))
    .join("");
}

// Number and shape, as a tile shows them, where there is only room for letters.
export function mark(face) {
  if (!face) return "?";
  return face === "J"
    ? "★"
    : face.slice(0, -1) + { R: "●", B: "■", K: "◆", Y: "▲" }[face.slice(-1)];
}

export function announce(text) {
  const place = document.getElementById("announce");
  if (place) place.textContent = text;
}

let toastTimer;
export function toast(text, kind = "info") {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.dataset.kind = kind;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.hidden = true), kind === "error" ? 8000 : 4000);
}
