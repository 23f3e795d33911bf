// What was dropped, chosen or pasted, as files by their paths.
import { Budget, folder } from './packed.mjs';
import { unzip } from './solver.mjs';

const readable = /\.(urdf|urdfplus|sdf|world|mjcf|xml|mbs|usd[acz]?|xacro)$/i;

export const robotsIn = (files) => Object.keys(files)
  .filter((name) => readable.test(name) && !/(^|\/)(package|model)\.xml$/.test(name))
  .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));

// Files that come at once share a budget.
class Taken {
  constructor() {
    this.files = folder();
    this.budget = new Budget();
  }
  async add(path, file) {
    this.budget.take(file.size, 'What was opened');
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (!/\.zip$/i.test(path)) return void (this.files[path] = bytes);
    const { bytes: left, files: places } = this.budget, unpacked = await unzip(bytes, { bytes: left, files: places });
    for (const [name, content] of Object.entries(unpacked)) {
      this.budget.take(content.length, 'What was opened');
      this.files[name] = content;
    }
    return undefined;
  }
}

async function walk(taken, entries) {
  for (const waiting = [...entries]; waiting.length > 0;) {
    const entry = waiting.shift();
    if (entry.isFile) {
      await taken.add(entry.fullPath.slice(1), await new Promise((done, fail) => entry.file(done, fail)));
      continue;
    }
    const reader = entry.createReader();
    for (let some; (some = await new Promise((done, fail) => reader.readEntries(done, fail))).length > 0;) waiting.unshift(...some);
  }
}

export async function fromDrop(transfer) {
  const taken = new Taken(), given = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length > 0) await walk(taken, entries);
  else for (const file of given) await taken.add(file.name, file);
  return taken.files;
}

export async function fromList(list) {
  const taken = new Taken();
  for (const file of list) await taken.add(file.webkitRelativePath || file.name, file);
  return taken.files;
}

export function fromText(text) {
  const kind = /^#usda /.test(text) ? 'usda' : /<mujoco/.test(text) ? 'xml' : /<sdf/.test(text) ? 'sdf' : /<mbsFile|<mbs_file|<MBS/i.test(text) ? 'mbs' : 'urdf';
  return { [`pasted.${kind}`]: new TextEncoder().encode(text) };
}
