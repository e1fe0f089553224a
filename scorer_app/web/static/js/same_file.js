// Tells photographs that were chosen twice, perhaps under another name.

/**
 * Whether a file has the very bytes of one of the others. One that cannot be read any more, because
 * it was deleted meanwhile, is another one.
 * @param {Blob[]} others
 * @param {Blob} file
 */
export async function isAmong(others, file) {
  const alike = others.filter(({ size }) => size === file.size);
  const [bytes, ...known] = await Promise.all([file, ...alike].map(bytesOf));
  return known.some((one) => one?.every((byte, at) => byte === bytes?.[at]));
}

/** @param {Blob} file */
async function bytesOf(file) {
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes && new Uint8Array(bytes);
}
