// The tally as a text for a chat and as a picture; both are made here and go only where the person sends them.

import { say, signed, toast } from "./dom.js";

const data = JSON.parse(document.getElementById("share-data").textContent);
const text = document.getElementById("share-text");
const canvas = document.getElementById("share-picture");
const NAME_WIDTH = 420; // between the sheet's edge and its middle line
const DISPLAY = '"Rockwell", "Roboto Slab", "DejaVu Serif", Georgia, serif';
const BODY = '"Roboto", "DejaVu Sans", system-ui, sans-serif';

function draw() {
  const [width, line] = [1080, 74];
  const height = 470 + data.hands.length * line;
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  const write = (words, x, y, font, colour, align = "center") => {
    Object.assign(pen, { font, fillStyle: colour, textAlign: align });
    pen.fillText(words, x, y, width / 2 - 70);
  };
  pen.fillStyle = "#1d4a3a";
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = "#fbf6e8";
  pen.beginPath();
  pen.roundRect(40, 40, width - 80, height - 80, 36);
  pen.fill();
  data.names.forEach((name, side) =>
    nameOf(pen, name).forEach(([words, y, size]) =>
      write(words, 310 + side * 460, y, `700 ${size}px ${DISPLAY}`, "#22281f"),
    ),
  );
  pen.fillStyle = "#22281f";
  pen.fillRect(80, 165, width - 160, 4);
  pen.fillRect(width / 2, 70, 2, height - 240);
  data.hands.forEach((hand, row) =>
    hand.forEach((points, side) =>
      write(
        signed(points),
        440 + side * 460,
        230 + row * line,
        `500 46px ${BODY}`,
        "#4b4d3e",
        "right",
      ),
    ),
  );
  const foot = 230 + data.hands.length * line + 70;
  data.totals.forEach((total, side) =>
    write(
      signed(total),
      310 + side * 460,
      foot,
      `700 110px ${DISPLAY}`,
      total === Math.max(...data.totals) ? "#1f6b3e" : "#22281f",
    ),
  );
  Object.assign(pen, { font: `400 32px ${BODY}`, fillStyle: "#5d5e4c", textAlign: "center" });
  pen.fillText(
    data.winner ? say("match.won", { side: data.winner }) : data.foot,
    width / 2,
    height - 72,
    width - 160,
  );
}

// A long name stands on two lines, and smaller as far as it must: [words, baseline, size] of each.
function nameOf(pen, name) {
  const widthAt = (words, size) => (
    (pen.font = `700 ${size}px ${DISPLAY}`),
    pen.measureText(words).width
  );
  if (widthAt(name, 52) <= NAME_WIDTH) return [[name, 130, 52]];
  const words = name.split(" ");
  const half = Math.ceil(name.length / 2);
  const cuts =
    words.length === 1
      ? [[name.slice(0, half), name.slice(half)]]
      : words.map((_, at) => [words.slice(0, at).join(" "), words.slice(at).join(" ")]);
  const lines = cuts
    .sort(
      (a, b) =>
        Math.max(...a.map((part) => part.length)) - Math.max(...b.map((part) => part.length)),
    )[0]
    .filter(Boolean);
  const size = Math.min(
    44,
    ...lines.map((line) => Math.floor((40 * NAME_WIDTH) / widthAt(line, 40))),
  );
  return lines.map((line, at) => [line, lines.length === 1 ? 130 : 98 + at * 50, size]);
}

async function send(content) {
  if (navigator.share) return navigator.share(content).catch(() => {});
  if (content.text) return copy();
  document.getElementById("picture-save").click();
}

async function copy() {
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    document.execCommand("copy"); // plain HTTP has no clipboard of its own
  }
  toast(say("js.copied"));
}

draw();
canvas.toBlob((picture) => {
  const save = document.getElementById("picture-save");
  save.href = URL.createObjectURL(picture);
  const file = new File([picture], "burako.png", { type: "image/png" });
  document.getElementById("picture-send").addEventListener("click", () => send({ files: [file] }));
});
document.getElementById("share-send").addEventListener("click", () => send({ text: text.value }));
document.getElementById("share-copy").addEventListener("click", copy);
