import {
  between,
  faceName,
  fill,
  isShort,
  mark,
  partsOf,
  say,
  signed,
  splitAtTiles,
  spoken,
  tileCount,
  tileLabel,
} from "../../scorer_app/web/static/js/words.js";
import { splitAtCommands } from "../../scorer_app/web/static/js/table_view.js";
import { equal, test } from "./harness.js";

test("blanks of a text are filled, those without a value left empty", () => {
  equal(fill("{a} de {b}, {a}", { a: 1 }), "1 de , 1");
});

test("zero is a value", () => {
  equal(fill("{count} fichas", { count: 0 }), "0 fichas");
});

test("an unknown text is said by its key", () => {
  equal(say("no.such.text"), "no.such.text");
});

test("points have a true minus sign and their thousands grouped", () => {
  equal([0, 45, -120, 1060, -12345].map(signed), ["0", "45", "−120", "1.060", "−12.345"]);
});

test("points are grouped as the page's language does", () => {
  document.documentElement.lang = "en";
  equal(signed(1060), "1,060");
  document.documentElement.lang = "es-AR";
});

test("an interval of one value is that value", () => {
  equal([between([40, 40]), between([-20, 1000])], ["40", "−20 a 1.000"]);
});

test("one thing is told of in the singular where there is such a text", () => {
  equal([tileCount(1), tileCount(2), tileCount(0)], ["1 ficha", "2 fichas", "0 fichas"]);
  equal(say("js.upload_unsent", { count: 1 }), "Sin mandar: 1");
});

test("a face has a number and a colour, the comodín and an unread one do not", () => {
  equal(partsOf("13K"), { number: "13", colour: "K" });
  equal(partsOf("J"), { number: "", colour: "J" });
  equal(partsOf(null), { number: "?", colour: "none" });
});

test("faces have names in words", () => {
  equal(["7R", "13K", "J", null].map(faceName), ["7 rojo", "13 negro", "comodín", "sin leer"]);
});

test("a label adds that the tile is in doubt", () => {
  equal(tileLabel({ face: "7R", doubtful: true }), "7 rojo, dudosa");
  equal(tileLabel({ face: "7R", doubtful: false }), "7 rojo");
});

test("a mark is the number and the colour's shape", () => {
  equal(["7R", "8B", "9K", "13Y", "J", null].map(mark), ["7●", "8■", "9◆", "13▲", "★", "?"]);
});

test("a sentence is cut at the tiles it names and nowhere else", () => {
  equal(splitAtTiles("Falta 10B y J en 3."), ["Falta ", "10B", " y ", "J", " en 3."]);
  equal(splitAtTiles("14R no es, Juana tampoco"), ["14R no es, Juana tampoco"]);
});

test("an interval of small figures is fitted to one line", () => {
  equal([isShort(between([-60, 0])), isShort(between([-1250, 12340]))], [true, false]);
});

test("a sentence is cut at the commands and options it names", () => {
  equal(splitAtCommands("con «burako serve --https» y abrí"), [
    "con «",
    "burako serve --https",
    "» y abrí",
  ]);
  equal(splitAtCommands("“burako serve” sin --host."), [
    "“",
    "burako serve",
    "” sin ",
    "--host",
    ".",
  ]);
  equal(splitAtCommands("Burako – anotador"), ["Burako – anotador"]);
});

test("a spoken sentence names its tiles in words", () => {
  equal(spoken("7R con J"), "7 rojo con comodín");
});

/** @param {() => void} tests what holds in a match of cards */
function inCards(tests) {
  document.documentElement.dataset.pieces = "cards";
  tests();
  delete document.documentElement.dataset.pieces;
}

test("cards have letters for some numbers, and the sign of their suit", () => {
  inCards(() => {
    equal(["1R", "10B", "11K", "13Y"].map(mark), ["A♥︎", "10♣︎", "J♠︎", "K♦︎"]);
    equal(mark("J"), "★");
  });
  equal(mark("11K"), "11◆");
});

test("a sentence about cards is parted at their names, which are not those of tiles", () => {
  inCards(() => {
    equal(splitAtTiles("A la escalera le falta 7H 10S * KD."), [
      ...["A la escalera le falta ", "7R", " ", "10K", " ", "J", " ", "13Y", "."],
    ]);
    equal(splitAtTiles("Falta 7R y J."), ["Falta 7R y J."]);
  });
});
