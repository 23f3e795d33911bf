// import { open } from 'kinemorph': the types and what they mean stand in index.d.ts.
import { folderBytes, instantiate } from './module.mjs';

let compiled = null;
let core = null;

/** Gives the module's bytes, or the compiled module, where they cannot be read beside this file. */
export async function initialise(source) {
  compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(await source);
  core = null;
}

async function readBeside() {
  const { readFile } = await import('node:fs/promises');
  const { brotliDecompressSync } = await import('node:zlib');
  return brotliDecompressSync(await readFile(new URL('./kinemorph.wasm.br', import.meta.url)));
}

async function ready() {
  if (!compiled) await initialise(readBeside());
  core ??= await instantiate(compiled);
  return core;
}

// After a trap the next question gets a new module; robots of the old one are gone.
function guarded(module, action) {
  try {
    return action(module);
  } catch (error) {
    if (error.trapped && core === module) core = null;
    throw error;
  }
}

const options = (given) => JSON.stringify(given ?? {});
const forConversion = (to, given) => JSON.stringify({ to, ...given });

class Robot {
  #core;
  #number;

  constructor(module, number, messages) {
    this.#core = module;
    this.#number = number;
    this.messages = messages;
    this.ok = !messages.some((message) => message.severity === 'error');
  }

  #json(name, ...values) { return guarded(this.#core, (module) => module.json(name, this.#number, ...values)); }

  inspect(given) { return this.#json('km_inspect', options(given)); }
  scene() { return this.#json('km_scene'); }
  graph(kind = 'cg') { return this.#json('km_graph', kind); }
  posture() { return this.#json('km_posture'); }
  set(values) { return this.#json('km_set', JSON.stringify(values)); }
  reset() { return this.#json('km_set', '{}'); }
  hold(name, held = true) { this.#json('km_hold', name, held ? 1 : 0); }
  lint(given) { return this.#json('km_lint', options(given)); }
  simulate(given) { return this.#json('km_simulate', options(given)); }

  convert(to, given = {}) {
    const { text, files, ...rest } = this.#json('km_convert', forConversion(to, given));
    return { text, files, ...rest };
  }
  check(to, given = {}) {
    const { text, files, ...rest } = this.convert(to, given);
    return rest;
  }
  verify(other, given) {
    if (!(other instanceof Robot) || other.#core !== this.#core)
      throw new Error('verify: the other robot was not opened by this module');
    return this.#json('km_verify', other.#number, options(given));
  }

  free() { guarded(this.#core, (module) => module.ask('km_free', this.#number)); }
}

export async function open(files, name = Object.keys(files)[0], given = {}) {
  const module = await ready();
  return guarded(module, () => {
    const { result, text } = module.ask('km_open', folderBytes(files), name, options(given));
    if (!result) throw new Error(text);
    return new Robot(module, result, JSON.parse(text));
  });
}

export async function formats() {
  const module = await ready();
  return guarded(module, () => module.json('km_formats'));
}

export async function explain(code) {
  const module = await ready();
  return guarded(module, () => module.json('km_explain', code));
}
