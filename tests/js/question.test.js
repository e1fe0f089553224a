import { countMoves } from "../../scorer_app/web/static/js/photo_tools.js";
import { answersTo, questionBar } from "../../scorer_app/web/static/js/question.js";
import { equal, test } from "./harness.js";
import { hand, photo, question, row, tile, upright } from "./samples.js";

const illegal = row({
  tiles: ["t1", "t2", "t3"],
  verdict: { valid: false, text: "Hay un hueco." },
});

/** @param {{ key: string }[]} offers */
const keysOf = (offers) => offers.map(({ key }) => key);

test("a doubtful tile is confirmed or gone, an unread one cannot be confirmed", () => {
  const view = hand({ tiles: { t1: tile({ face: "7R", perhaps_none: true }) } });
  equal(answersTo(view, question())[0].edit, {
    op: "set_tile",
    tile: "t1",
    face: "7R",
    seen: "7R",
  });
  equal(keysOf(answersTo(view, question())), ["sure", "none"]);
  equal(keysOf(answersTo(view, question({ needed: true }))), ["none"]);
  const sure = hand({ tiles: { t1: tile() } });
  equal(keysOf(answersTo(sure, question({ needed: true }))), []);
});

const repairs = [
  { kind: "split", tile: null, text: "Son dos", edit: { op: "split_row", row: "r1", at: 4 } },
  {
    kind: "read",
    tile: "t1",
    text: "¿7R es 9R?",
    edit: { op: "set_tile", tile: "t1", face: "9R" },
  },
];

test("an illegal row is repaired, accepted, or set aside", () => {
  const asked = question({ ask: "row", subject: "r1" });
  equal(keysOf(answersTo(hand({ rows: [illegal] }), asked)), ["accept", "aside"]);
  const answers = answersTo(hand({ rows: [{ ...illegal, repairs }] }), asked);
  equal(keysOf(answers), ["split-0", "read-1", "accept"]);
  equal(answers[0].edit, { op: "split_row", row: "r1", at: 4 });
  const one = [{ ...illegal, repairs: repairs.slice(1) }];
  const few = answersTo(hand({ rows: one }), asked);
  equal(keysOf(few), ["read-0", "accept", "aside"]);
  equal(few[2].edit, { op: "move_row", row: "r1", side: "A", place: "pozo" });
});

test("an illegal row that only a photograph shows may be print on a box", () => {
  const asked = question({ ask: "row", subject: "r1" });
  const printed = tile({ photo: "p1", perhaps_none: true });
  const seen = { t1: printed, t2: tile({ photo: "p1" }), t3: printed };
  const answers = answersTo(hand({ tiles: seen, rows: [illegal] }), asked);
  equal(keysOf(answers), ["accept", "aside", "none"]);
  equal(answers[2].edit, { op: "remove_tiles", tiles: ["t1", "t2", "t3"] });
  const sure = tile({ photo: "p1" });
  for (const others of [
    { t3: tile() },
    { t3: tile({ photo: "p1", settled: true }) },
    { t1: sure, t3: sure },
  ]) {
    const tiles = { ...seen, ...others };
    equal(keysOf(answersTo(hand({ tiles, rows: [illegal] }), asked)), ["accept", "aside"]);
  }
});

test("a doubtful tile may be what its meld allows", () => {
  const view = hand({ tiles: { t1: tile() }, rows: [row({ repairs })] });
  equal(keysOf(answersTo(view, question())), ["sure", "read-0"]);
});

test("too many copies may be the same pieces photographed again", () => {
  const asked = question({ ask: "copies", subject: "7R", tiles: ["t1", "t2"] });
  equal(keysOf(answersTo(hand(), asked)), ["keep"]);
  const repeats = { p1: ["t9"], p2: ["t2"] };
  const [drop, keep] = answersTo(hand({ repeats }), asked);
  equal(drop.edit, { op: "drop_repeats", photo: "p2" });
  equal(keep.edit, { op: "keep_copies", face: "7R" });
});

test("melds that another photograph shows too are dropped or kept apart", () => {
  const asked = question({ ask: "again", subject: "p2" });
  equal(
    answersTo(hand(), asked).map(({ edit }) => edit),
    [
      { op: "drop_repeats", photo: "p2" },
      { op: "tell_apart", photo: "p2" },
    ],
  );
});

test("a photograph given twice is counted once or kept apart", () => {
  const asked = question({ ask: "twice", subject: "p2", duplicate_of: "p1" });
  const [once, apart] = answersTo(hand(), asked);
  equal([once.key, once.edit], ["once", null]);
  equal(apart.edit, { op: "tell_apart", photo: "p2" });
});

test("tapped tiles that a photograph shows are dropped or kept", () => {
  const asked = question({ ask: "tapped", subject: "p1" });
  equal(
    answersTo(hand(), asked).map(({ edit }) => edit),
    [
      { op: "drop_tapped", photo: "p1" },
      { op: "keep_tapped", photo: "p1" },
    ],
  );
});

test("questions of the closing are answered in its own form", () => {
  equal(answersTo(hand(), question({ ask: "end" })), []);
});

// --- the picker ---

test("a photograph that adds nothing shows nothing that counts, or is mended or removed", () => {
  const view = hand({ photos: [photo()] });
  /** @type {(cause: Question["cause"]) => Question} */
  const asked = (cause) => question({ ask: "photo", subject: "p1", needed: true, cause });
  const causes = /** @type {Question["cause"][]} */ (["failed", "other_pieces"]);
  for (const cause of causes) equal(answersTo(view, asked(cause)), []);
  for (const cause of /** @type {Question["cause"][]} */ (["nothing", "aside"])) {
    const [{ key, edit }] = answersTo(view, asked(cause));
    equal([key, edit], ["nothing", { op: "nothing_counts", photo: "p1" }]);
  }
  const keep = { op: "keep_blurred", photo: "p1" };
  equal(answersTo(view, asked("blurred"))[0].edit, keep);
  equal(answersTo(view, asked("doubtful"))[0].edit, keep);
  const rack = hand({ photos: [photo({ side: "B", place: "rack" })] });
  equal(answersTo(rack, asked("nothing"))[0].edit, { op: "empty_rack", side: "B" });
});

test("the bar offers what a photograph that adds nothing needs", () => {
  /** @type {(cause: Question["cause"], said?: Partial<PhotoView>) => (string | undefined)[]} */
  const offered = (cause, said) => {
    const view = hand({ photos: [photo(said)] });
    const asked = question({ ask: "photo", subject: "p1", needed: true, cause });
    const screen = /** @type {HandScreen} */ (/** @type {unknown} */ ({ view, choices: () => [] }));
    const [, answers] = questionBar(screen, asked);
    return [...answers.querySelectorAll("button")].map((key) => key.dataset.key);
  };
  equal(offered("other_pieces"), ["photo-another", "photo-tap", "photo-remove"]);
  equal(offered("failed"), ["photo-another", "photo-tap", "photo-remove"]);
  equal(offered("failed", { can_retry: true })[0], "photo-again");
  equal(offered("nothing"), ["photo-another", "photo-tap", "nothing"]);
  equal(offered("aside"), ["photo-tap", "photo-remove", "nothing"]);
  equal(offered("blurred"), ["photo-another", "keep"]);
  equal(offered("doubtful"), ["photo-another", "keep"]);
});

test("a photograph of cards leads to the form that makes the match one of cards", () => {
  /** @type {(said: Partial<HandView>, cause?: Question["cause"]) => (string | null)[]} */
  const led = (said, cause = "other_pieces") => {
    const view = hand({ id: "h1", match: "m1", photos: [photo()], ...said });
    const asked = question({ ask: "photo", subject: "p1", needed: true, cause });
    const screen = /** @type {HandScreen} */ (/** @type {unknown} */ ({ view, choices: () => [] }));
    const links = [...questionBar(screen, asked)[1].querySelectorAll(":scope > a:first-child")];
    return links.map((link) => link.getAttribute("href"));
  };
  equal(led({ pieces: "tiles" }), ["/matches/m1/edit?pieces=cards&hand=h1"]);
  equal(led({ pieces: "cards" }), ["/matches/m1/edit?pieces=tiles&hand=h1"]);
  equal([led({ state: "saved" }), led({}, "nothing")], [[], []]); // these are not read anew
});

test("a photograph whose tiles were set aside counts as melds, or is removed with two taps", () => {
  const rows = [
    row({ id: "r1", place: "pozo", tiles: ["t1"] }),
    row({ id: "r2", place: "pozo", tiles: ["t2", "t4"] }),
    row({ id: "r3", tiles: ["t3"] }),
  ];
  const of = (/** @type {string} */ id) => tile({ photo: id });
  const tiles = { t1: of("p1"), t2: of("p2"), t3: of("p1"), t4: of("p1") };
  const view = hand({ photos: [photo({ side: "B" })], rows, tiles });
  const rack = photo({ side: "B", place: "rack" });
  equal(countMoves(view, rack), []); // what is left in the hand is no meld
  /** @type {Operation[]} */
  const sent = [];
  /** @type {string[]} */
  const removed = [];
  const screen = /** @type {HandScreen} */ (
    /** @type {unknown} */ ({
      view,
      choices: () => [],
      draw: () => undefined,
      edit: (/** @type {Operation[]} */ ...edits) => sent.push(...edits),
      removePhoto: (/** @type {string} */ id) => removed.push(id),
    })
  );
  const asked = question({ ask: "photo", subject: "p1", needed: true, cause: "aside" });
  /** @type {(name: string) => HTMLButtonElement} */
  const key = (name) => {
    const answers = questionBar(screen, asked)[1];
    return /** @type {HTMLButtonElement} */ (answers.querySelector(`[data-key="${name}"]`));
  };
  key("photo-count").click();
  const moves = [{ op: "move_row", row: "r1", side: "B", place: "melds" }];
  equal(sent, [{ op: "move_rows", moves }]);
  key("photo-remove").click();
  equal([removed, key("photo-remove").textContent], [[], "js.remove_photo_sure"]);
  key("photo-remove").click();
  equal(removed, ["p1"]);
});

test("a question about a tile shows it and leads to its other faces", () => {
  const photos = [photo({ url: "/photos/p1.jpg" })];
  const tiles = {
    t1: tile({ photo: "p1", corners: upright(100, 100) }),
    t2: tile({ photo: "p1", corners: upright(200, 100) }),
    t3: tile(),
  };
  const view = hand({ photos, tiles });
  /** @type {Question[]} */
  const answered = [];
  const screen = /** @type {HandScreen} */ (
    /** @type {unknown} */ ({
      view,
      choices: () => [],
      answer: (/** @type {Question} */ one) => answered.push(one),
    })
  );
  /** @type {(asked: Question) => number} */
  const shown = (asked) => {
    const [text, answers] = questionBar(screen, asked);
    const other = answers.querySelector('[data-key="look"]');
    /** @type {HTMLButtonElement} */ (other).click();
    equal(answered.pop(), asked);
    return text.querySelectorAll(".asked-tiles > .close-up").length;
  };
  equal(shown(question({ ask: "tile", subject: "t1" })), 1);
  const words = [false, true].map((needed) => {
    const answers = questionBar(screen, question({ ask: "tile", subject: "t1", needed }))[1];
    return answers.querySelector('[data-key="look"]')?.textContent;
  });
  equal(words, ["js.another_face", "js.choose_face"]);
  equal(shown(question({ ask: "tile", subject: "t3" })), 0);
  const copies = question({ ask: "copies", subject: "9R", tiles: ["t1", "t2", "t3"] });
  equal(shown(copies), 2);
  const tapped = questionBar(screen, copies)[0].querySelectorAll(".asked-tiles > .tile");
  equal(
    [...tapped].map((one) => one.getAttribute("aria-hidden")),
    ["true"],
  );
  const bare = question({ ask: "copies", subject: "9R", tiles: ["t3"] });
  equal(questionBar(screen, bare)[0].querySelector(".asked-tiles"), null);
});
