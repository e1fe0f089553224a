// A tile as it was photographed: where a person is asked about it, and where its face is chosen.

import { svg } from "./dom.js";
import { closeUpPart, polygonPoints, turnOf, turnedUpright, viewBox } from "./photo_geometry.js";

/**
 * Makes the picture of a tile as photographed, turned upright: the photograph itself, cut by a
 * frame. Returns null for a tile of no photograph.
 * @param {Pick<PickerScreen["view"], "photos">} view
 * @param {Pick<TileView, "corners" | "photo">} tile
 */
export function closeUp(view, { corners, photo: photoId }) {
  const photo = view.photos.find((one) => one.id === photoId);
  if (!corners || !photo?.url) return null;
  const upright = turnedUpright(corners);
  const turn = `rotate(${-turnOf(corners)} ${upright.centre.join(" ")})`;
  return svg(
    "svg",
    { viewBox: viewBox(closeUpPart(upright.corners)), class: "close-up", "aria-hidden": "true" },
    svg("image", {
      href: photo.url,
      width: photo.width,
      height: photo.height,
      transform: turn,
    }),
    svg("polygon", { points: polygonPoints(upright.corners) }),
  );
}
