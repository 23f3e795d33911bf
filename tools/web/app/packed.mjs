// What strangers packed, unpacked no further than a bound: the bytes are counted as they come, whatever was declared.

/** Of what is dropped or chosen at once: bytes once unpacked, and files. */
export const most = { bytes: 512 * 2 ** 20, files: 20_000 };

const megabytes = (bytes) => `${Math.ceil(bytes / 2 ** 20)} MB`;
export class TooLarge extends Error {
  constructor(what, bytes) { super(`${what} is too large: it holds more than ${megabytes(bytes)}, which is the limit.`); }
}

/** The bytes, unpacked ('deflate-raw', 'gzip'). Throws TooLarge as soon as there are more than `limit`. */
export async function unpacked(bytes, kind, limit, what) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(kind)).getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel().catch(() => {});
      throw new TooLarge(what, limit);
    }
    pieces.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Files by their paths, where `__proto__` is a name like any other. */
export const folder = () => Object.create(null);

/** What may still be taken in: throws where it is too much. */
export class Budget {
  constructor({ bytes, files } = most) { Object.assign(this, { bytes, files, limit: { bytes, files } }); }
  take(bytes, what) {
    this.bytes -= bytes;
    if (this.bytes < 0) throw new TooLarge(what, this.limit.bytes);
    if (--this.files < 0) throw new Error(`${what} is too large: it holds more than ${this.limit.files.toLocaleString('en')} files, which is the limit.`);
  }
}
