// Files in one piece, as tools/web/core/folder.h has them, and back.
import { folder } from './packed.mjs';
export { folderBytes } from '../package/module.mjs';

export function filesIn(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), decoder = new TextDecoder(), files = folder();
  for (let at = 0; at < bytes.length;) {
    const path = view.getUint32(at, true), content = view.getUint32(at + 4, true);
    if (at + 8 + path + content > bytes.length) throw new Error('the folder is cut off');
    files[decoder.decode(bytes.subarray(at + 8, at + 8 + path))] = bytes.slice(at + 8 + path, at + 8 + path + content);
    at += 8 + path + content;
  }
  return files;
}
