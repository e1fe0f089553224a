import { maybeNone } from "../../scorer_app/web/static/js/finds.js";
import { Sifting } from "../../scorer_app/web/static/js/sifting.js";
import { equal, test } from "./harness.js";
import { hand, photo, question, tile } from "./samples.js";

const NAMES = ["t1", "t2", "t3", "t4", "t5"];

/**
 * A hand that asks about five finds of one photograph that may be no tiles.
 * @param {Record<TileId, Partial<TileView>>} [but] what is otherwise
 */
function figures(but = {}) {
  const tiles = NAMES.map((id) => [id, tile({ photo: "p1", perhaps_none: true, ...but[id] })]);
  const questions = NAMES.map((subject) => question({ subject }));
  return hand({ photos: [photo()], tiles: Object.fromEntries(tiles), questions });
}

/** @param {HandView} view */
function opened(view) {
  /** @type {Operation[]} */
  const edits = [];
  const dialog = document.createElement("dialog");
  document.body.append(dialog);
  const screen = { view, edit: (/** @type {Operation[]} */ ...some) => edits.push(...some) };
  const sifting = new Sifting(screen, dialog);
  sifting.open(maybeNone(view, question({ subject: "t3" })));
  const keys = () =>
    [...dialog.querySelectorAll(".finds button")].map((one) => one.getAttribute("data-key"));
  /** @param {string} key */
  const button = (key) => /** @type {HTMLElement} */ (dialog.querySelector(`[data-key="${key}"]`));
  return { dialog, edits, keys, button, isOpen: () => sifting.modal.isOpen };
}

test("five finds of a photograph that may be none are shown together, the asked one first", () => {
  equal(maybeNone(figures(), question({ subject: "t3" })), ["t3", "t1", "t2", "t4", "t5"]);
  equal(maybeNone(figures(), question({ ask: "row", subject: "r1" })), []);
});

test("four such finds are asked about one by one", () => {
  const others = [
    { photo: "p2" }, // of another photograph
    { photo: null }, // tapped in
    { perhaps_none: false }, // surely a tile
  ];
  for (const but of others) {
    equal(maybeNone(figures({ t5: but }), question({ subject: "t1" })), []);
    equal(maybeNone(figures({ t5: but }), question({ subject: "t5" })), []);
  }
});

test("what a person calls a tile stays, the others go at once", () => {
  const { dialog, edits, button, keys, isOpen } = opened(figures());
  equal(keys(), ["find-t3", "find-t1", "find-t2", "find-t4", "find-t5"]);
  equal(button("sifted").textContent, "js.sift_none");
  for (const id of ["t1", "t4", "t1", "t1"]) button(`find-${id}`).click();
  equal(
    [...dialog.querySelectorAll("[aria-pressed=true]")].map((one) => one.getAttribute("data-key")),
    ["find-t1", "find-t4"],
  );
  equal(button("sifted").textContent, "Quitar las otras 3");
  button("find-t2").click();
  button("find-t5").click();
  equal(button("sifted").textContent, "Quitar la otra");
  button("sifted").click();
  equal(edits, [{ op: "remove_tiles", tiles: ["t3"] }]);
  equal(isOpen(), false);
  dialog.remove();
});

test("of a find that is called a tile nothing more is asked where its face is sure", () => {
  const { dialog, edits, button } = opened(
    figures({ t1: { face_sure: true }, t2: { face: "8B", face_sure: true } }),
  );
  for (const id of ["t2", "t4"]) button(`find-${id}`).click();
  button("sifted").click();
  equal(edits, [
    { op: "set_tile", tile: "t2", face: "8B", seen: "8B" },
    { op: "remove_tiles", tiles: ["t3", "t1", "t5"] },
  ]);
  dialog.remove();
});

test("a screen reader tells the finds apart", () => {
  const { dialog, button } = opened(figures());
  const names = ["t3", "t1"].map((id) => button(`find-${id}`).getAttribute("aria-label"));
  equal(names, ["1 de 5: 7 rojo", "2 de 5: 7 rojo"]);
  dialog.remove();
});

test("finds that nobody can see any more, since the photograph was erased, stay apart", () => {
  const erased = { ...figures(), photos: [photo({ url: null })] };
  equal(maybeNone(erased, question({ subject: "t1" })), []);
});

test("where all are tiles, none goes; closing the dialog changes nothing", () => {
  const { dialog, edits, button, isOpen } = opened(figures());
  for (const id of NAMES) button(`find-${id}`).click();
  equal(button("sifted").textContent, "js.sift_all");
  button("sifted").click();
  equal([edits, isOpen()], [[], false]);
  dialog.remove();
  const other = opened(figures());
  other.button("close").click();
  equal([other.edits, other.isOpen()], [[], false]);
  other.dialog.remove();
});

test("a find that another device removed or confirmed meanwhile is not sent", () => {
  const view = figures();
  const { dialog, edits, button } = opened(view);
  delete view.tiles.t2;
  view.tiles.t1 = tile({ photo: "p1", perhaps_none: false });
  button("sifted").click();
  equal(edits, [{ op: "remove_tiles", tiles: ["t3", "t4", "t5"] }]);
  dialog.remove();
});
