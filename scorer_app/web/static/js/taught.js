// What a photograph has taught, as a value: every change makes a new value.

const MOST_COLOURS = 4; // with more rows in a photograph, two of them have one colour

/**
 * Returns `taught` with the face at the index named anew by a person.
 * @param {Taught} taught
 * @param {number} index
 * @param {Face} face
 * @returns {Taught}
 */
export function changedFace(taught, index, face) {
  const faces = taught.faces.map((one, at) => (at === index ? { ...one, face, row: null } : one));
  return { ...taught, faces };
}

/**
 * Returns `taught` without the face at the index, because there is no tile.
 * @param {Taught} taught
 * @param {number} index
 * @returns {Taught}
 */
export function withoutFace(taught, index) {
  return { ...taught, faces: taught.faces.filter((_, at) => at !== index) };
}

/**
 * Returns what two photographs have taught together: the rows and faces of the later one follow
 * those of the earlier one.
 * @param {Taught | null} before
 * @param {Taught} next
 * @returns {Taught}
 */
export function joined(before, next) {
  if (!before) return next;
  const photo = (before.rows.at(-1)?.photo ?? 0) + 1;
  const rows = next.rows.map((row) => ({ ...row, photo }));
  const faces = next.faces.map((one) => ({
    ...one,
    photo,
    row: one.row === null ? null : before.rows.length + one.row,
  }));
  return { rows: [...before.rows, ...rows], faces: [...before.faces, ...faces] };
}

/**
 * Returns `taught` with the colour of a row as a person named it. A row of the same photograph in
 * which this colour was seen gets one that becomes free, unless a person named that row, too, as
 * both copies of one colour may lie there, or the photograph has more rows than there are colours.
 * Which colours a person named on the way to this one makes no difference. A face that a person
 * named stays as it was named.
 * @param {Taught} taught
 * @param {number} row
 * @param {string} colour
 * @returns {Taught}
 */
export function withRowColour(taught, row, colour) {
  const { photo } = taught.rows[row];
  const named = taught.rows.map((one, at) => {
    const seen = one.seen ?? one.colour;
    return at === row ? { ...one, seen, colour, named: true } : { ...one, seen };
  });
  const together = named.filter((one) => one.photo === photo);
  const rows = together.length > MOST_COLOURS ? named : sharedOut(named, together);
  const faces = taught.faces.map((one) =>
    one.row === null ? one : { ...one, face: `${parseInt(one.face, 10)}${rows[one.row].colour}` },
  );
  return { ...taught, rows, faces };
}

/**
 * Returns rows in which those `together` that nobody named have the colours that were seen in them
 * or, where a person gave that colour to another row, those that nobody has.
 * @param {TaughtRow[]} rows
 * @param {TaughtRow[]} together the rows of one photograph
 */
function sharedOut(rows, together) {
  const taken = together.filter(({ named }) => named).map(({ colour }) => colour);
  const seen = together.flatMap((one) => (one.seen ? [one.seen] : []));
  const kept = together.filter((one) => !one.named && !taken.includes(one.seen ?? ""));
  const used = [...taken, ...kept.map((one) => one.seen)];
  const free = seen.filter((one) => !used.includes(one));
  return rows.map((one) => {
    if (one.named || !together.includes(one)) return one;
    return { ...one, colour: (kept.includes(one) ? one.seen : free.shift()) ?? one.colour };
  });
}

/**
 * Returns the indices of the pictures of each face, by face.
 * @param {Taught} taught
 * @returns {Record<Face, number[]>}
 */
export function byFace(taught) {
  /** @type {Record<Face, number[]>} */
  const found = {};
  taught.faces.forEach(({ face }, index) => (found[face] ??= []).push(index));
  return found;
}
