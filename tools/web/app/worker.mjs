// The solver's thread: opens robots and answers questions about them. A trap ends its module; the
// next robot gets a new one.
import { dragged } from './drag.mjs';
import { folderBytes, instantiate } from '../package/module.mjs';
import { Budget, unpacked } from './packed.mjs';
import { rowsIn } from './table.mjs';
import { unzipped } from './zip.mjs';

let compiled = null, core = null;
const robots = new Map();  // number in the module by slot: 'main', 'other'

async function fresh() {
  core ??= await instantiate(compiled);
  return core;
}
function robotIn(slot = 'main') {
  if (!core || !robots.has(slot)) throw Object.assign(new Error('no robot is open'), { trapped: true });
  return robots.get(slot);
}
function close(slot) {
  if (core && robots.has(slot)) core.ask('km_free', robots.get(slot));
  robots.delete(slot);
}
const json = (what, slot, ...values) => core.json(what, robotIn(slot), ...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
const put = (slot, values) => json('km_set', slot, values);

const does = {
  async start({ bytes }) {
    compiled = await WebAssembly.compile(await unpacked(bytes, 'gzip', Infinity, 'The module'));
    await fresh();
  },
  async unzip({ bytes, budget }) { return unzipped(bytes, new Budget(budget)); },
  async open({ files, name, options = {}, slot = 'main' }) {
    const module = await fresh();
    close(slot);
    const { result, text } = module.ask('km_open', folderBytes(files), name, JSON.stringify(options));
    if (!result) throw new Error(text);
    robots.set(slot, result);
    const messages = JSON.parse(text);
    if (messages.some((message) => message.severity === 'error')) return { messages };
    return {
      messages,
      scene: module.json('km_scene', result),
      posture: module.json('km_posture', result),
      facts: module.json('km_inspect', result, '{}'),
    };
  },
  async close({ slot }) { close(slot); },
  async posture({ slot }) { return json('km_posture', slot); },
  async set({ values, slot }) { return put(slot, values); },
  /** Stands there, closed or not. */
  async stand({ values, slot }) { return json('km_stand', slot, values); },
  async drag({ slot, link, point, target, free }) { return dragged(json('km_posture', slot), (values) => put(slot, values), (values) => json('km_stand', slot, values), { link, point, target, free }); },
  /** How far a coordinate goes from here until a loop cannot follow: [lower, upper]. */
  async reach({ name, lower, upper, slot }) {
    const { coordinates, values } = json('km_posture', slot);
    const start = values[coordinates.findIndex((each) => each.name === name)], steps = 36;
    const follows = (value) => { try { put(slot, { [name]: value }); return true; } catch (error) { if (error.trapped) throw error; return false; } };
    const ends = [lower, upper].map((bound) => {
      let last = start, beyond = null;
      for (let i = 1; i <= steps && beyond === null; ++i) {
        const next = start + (bound - start) * i / steps;
        if (follows(next)) last = next;
        else beyond = next;
      }
      for (let i = 0; beyond !== null && i < 6; ++i) {
        const middle = (last + beyond) / 2;
        if (follows(middle)) last = middle;
        else beyond = middle;
      }
      json('km_stand', slot, values);
      return last;
    });
    return ends;
  },
  async convert({ to, verify }) { return json('km_convert', 'main', { to, verify }); },
  async lint({ fix = [] }) { return json('km_lint', 'main', { fix }); },
  async graph({ kind }) { return json('km_graph', 'main', kind); },
  async verify({ allow = [] }) { return core.json('km_verify', robotIn('main'), robotIn('other'), JSON.stringify({ allow })); },
  /** A motion, and the poses of the links in each of its rows. */
  async simulate({ options }) {
    const { coordinates, values } = json('km_posture', 'main');
    const run = json('km_simulate', 'main', options);
    const [head, ...rows] = rowsIn(run.table);
    const columns = head.map((name, i) => [name, i]).filter(([name]) => name.startsWith('q.')).map(([, i]) => i);
    if (columns.length !== coordinates.length) throw new Error('The motion has other coordinates than the posture.');
    const frames = rows.map((row) => json('km_stand', 'main', columns.map((i) => Number(row[i]))));
    json('km_stand', 'main', values);
    return { ...run, times: rows.map((row) => Number(row[0])), frames };
  },
  async explain({ code }) { return (await fresh()).json('km_explain', code); },
};

let turn = Promise.resolve();
self.onmessage = ({ data: { id, what, ...words } }) => {
  turn = turn.then(async () => {
    try {
      const answer = await does[what](words);
      self.postMessage({ id, answer }, what === 'unzip' ? Object.values(answer).map((content) => content.buffer) : []);
    } catch (error) {
      if (error.trapped) core = null, robots.clear();
      self.postMessage({ id, error: error.message, trapped: !!error.trapped });
    }
  });
};
