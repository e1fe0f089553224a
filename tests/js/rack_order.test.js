import { inOrder, rackOrders } from "../../scorer_app/web/static/js/rack_order.js";
import { equal, test } from "./harness.js";
import { tile, upright } from "./samples.js";

const tiles = {
  t1: tile({ face: "9K", photo: "p1", corners: upright(60, 52) }),
  t2: tile({ face: "3R", photo: "p1", corners: upright(0, 0) }),
  t3: tile({ face: "J", photo: "p1", corners: upright(30, 4) }),
  t4: tile({ face: "1R", photo: "p1", corners: upright(0, 50) }),
  t5: tile({ face: null }),
};
const ids = Object.keys(tiles);

test("a photographed rack stands line by line, what was tapped in comes last", () => {
  equal(inOrder(ids, tiles, "photo"), ["t2", "t3", "t4", "t1", "t5"]);
});

test("a sorted rack goes by colour and number, comodines and unread tiles come last", () => {
  equal(inOrder(ids, tiles, "sorted"), ["t4", "t2", "t1", "t3", "t5"]);
});

test("a rack that was tapped in has no photograph's order", () => {
  equal(rackOrders(Object.values(tiles)), ["photo", "sorted"]);
  equal(rackOrders([tile()]), ["tapped", "sorted"]);
  equal(inOrder(["t5", "t1"], tiles, "tapped"), ["t5", "t1"]);
});
