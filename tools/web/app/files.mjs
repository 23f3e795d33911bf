// What was dropped, chosen or pasted, as files by their paths.
import { unzipSync } from 'fflate';

const readable = /\.(urdf|urdfplus|sdf|world|mjcf|xml|mbs|usda|xacro)$/i;

export const robotsIn = (files) => Object.keys(files)
  .filter((name) => readable.test(name) && !/(^|\/)(package|model)\.xml$/.test(name))
  .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));

async function take(files, path, file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!/\.zip$/i.test(path)) return void (files[path] = bytes);
  for (const [name, content] of Object.entries(unzipSync(bytes))) if (!name.endsWith('/')) files[name] = content;
}

async function walk(files, entry) {
  if (entry.isFile) return take(files, entry.fullPath.slice(1), await new Promise((done, fail) => entry.file(done, fail)));
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return undefined;
    for (const each of some) await walk(files, each);
  }
}

export async function fromDrop(transfer) {
  const files = {};
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length > 0) for (const entry of entries) await walk(files, entry);
  else for (const file of transfer.files) await take(files, file.name, file);
  return files;
}

export async function fromList(list) {
  const files = {};
  for (const file of list) await take(files, file.webkitRelativePath || file.name, file);
  return files;
}

export function fromText(text) {
  const kind = /^#usda /.test(text) ? 'usda' : /<mujoco/.test(text) ? 'xml' : /<sdf/.test(text) ? 'sdf' : /<mbsFile|<mbs_file|<MBS/i.test(text) ? 'mbs' : 'urdf';
  return { [`pasted.${kind}`]: new TextEncoder().encode(text) };
}
