// The files of a zip: its directory is read first, and what it declares is held against the budget before anything is unpacked.
import { folder, unpacked } from './packed.mjs';

const directoryMark = 0x02014b50, endMark = 0x06054b50, fileMark = 0x04034b50;
const utf8 = new TextDecoder(), latin = new TextDecoder('latin1');
const broken = () => new Error('The zip cannot be read: it is damaged, or in parts.');

// Where the directory begins, and of how many entries it is.
function directoryOf(view) {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); --at)
    if (view.getUint32(at, true) === endMark) return { count: view.getUint16(at + 10, true), at: view.getUint32(at + 16, true) };
  throw broken();
}

function* entriesOf(bytes, view) {
  let { count, at } = directoryOf(view);
  for (; count > 0; --count) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== directoryMark) throw broken();
    const flags = view.getUint16(at + 8, true), method = view.getUint16(at + 10, true), packed = view.getUint32(at + 20, true), size = view.getUint32(at + 24, true);
    const length = view.getUint16(at + 28, true), rest = view.getUint16(at + 30, true) + view.getUint16(at + 32, true), begin = view.getUint32(at + 42, true);
    const name = (flags & 0x800 ? utf8 : latin).decode(bytes.subarray(at + 46, at + 46 + length));
    at += 46 + length + rest;
    if (flags & 1) throw new Error('The zip cannot be read: it asks for a password.');
    yield { name, method, packed, size, begin };
  }
}

function packedOf({ begin, packed }, bytes, view) {
  if (begin + 30 > bytes.length || view.getUint32(begin, true) !== fileMark) throw broken();
  const from = begin + 30 + view.getUint16(begin + 26, true) + view.getUint16(begin + 28, true);
  if (from + packed > bytes.length) throw broken();
  return bytes.subarray(from, from + packed);
}

/** Files by their paths. Throws where they are too many or too large, declared or in truth. */
export async function unzipped(bytes, budget) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), files = folder();
  const entries = [...entriesOf(bytes, view)].filter(({ name }) => !name.endsWith('/'));
  for (const { size } of entries) budget.take(size, 'The zip');
  for (const entry of entries) {
    const packed = packedOf(entry, bytes, view);
    if (entry.method !== 0 && entry.method !== 8) throw new Error(`The zip cannot be read: '${entry.name}' is packed in a way that is not known.`);
    const content = entry.method === 0 ? packed.slice() : await unpacked(packed, 'deflate-raw', entry.size, `'${entry.name}' of the zip`);
    if (content.length !== entry.size) throw broken();
    files[entry.name] = content;
  }
  return files;
}
