// The solver's thread: opens robots and answers questions about them. A trap ends its module; the next robot gets a new one.
import { folderBytes, instantiate } from '../package/module.mjs';

let compiled = null, core = null, robot = 0;

async function fresh() {
  core ??= await instantiate(compiled);
  return core;
}

const does = {
  async start({ bytes }) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    compiled = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    await fresh();
  },
  async open({ files, name }) {
    const module = await fresh();
    if (robot) module.ask('km_free', robot);
    robot = 0;
    const { result, text } = module.ask('km_open', folderBytes(files), name, '{}');
    if (!result) throw new Error(text);
    robot = result;
    const messages = JSON.parse(text);
    if (messages.some((message) => message.severity === 'error')) return { messages };
    return {
      messages,
      scene: module.json('km_scene', robot),
      posture: module.json('km_posture', robot),
      facts: module.json('km_inspect', robot, '{}'),
    };
  },
  async set({ values }) { return core.json('km_set', robot, JSON.stringify(values)); },
  async convert({ to, verify }) { return core.json('km_convert', robot, JSON.stringify({ to, verify })); },
  async explain({ code }) { return core.json('km_explain', code); },
};

let turn = Promise.resolve();
self.onmessage = ({ data: { id, what, ...words } }) => {
  turn = turn.then(async () => {
    try {
      self.postMessage({ id, answer: await does[what](words) });
    } catch (error) {
      if (error.trapped) core = null, robot = 0;
      self.postMessage({ id, error: error.message, trapped: !!error.trapped });
    }
  });
};
