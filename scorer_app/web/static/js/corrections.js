// What people corrected of what was read in photographs: { photo, read, now }, `now` null where there is no tile.

export function corrections(view) {
  const changed = Object.values(view.tiles).filter(
    (tile) => tile.photo && tile.settled && tile.read !== tile.face,
  );
  return [
    ...changed.map(({ photo, read, face }) => ({ photo, read, now: face })),
    ...view.removed.map(({ photo, read }) => ({ photo, read, now: null })),
  ];
}
