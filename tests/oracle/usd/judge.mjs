#!/usr/bin/env node
// judge.mjs FILE... : one JSON line per stage: whether tinyusdz takes it, and every attribute and relationship as three.js reads it.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const wasm = fs.readFileSync(createRequire(import.meta.url).resolve('tinyusdz/tinyusdz.wasm'));
globalThis.window = globalThis; // what a browser has, and tinyusdz looks for
process.type = 'renderer';
const { default: load } = await import('tinyusdz/tinyusdz.js');
const { USDAParser } = await import('three/examples/jsm/loaders/usd/USDAParser.js');

const quiet = () => {};
async function start() {
  return load({
    print: quiet, printErr: quiet,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(wasm, imports).then((made) => done(made.instance, made.module));
      return {};
    },
  });
}

let module = await start();
for (const file of process.argv.slice(2)) {
  const bytes = fs.readFileSync(file), line = { file };
  try {
    const loader = new module.TinyUSDZLoaderNative();
    line.accepted = loader.loadFromBinary(new Uint8Array(bytes), file.replace(/.*\//, ''));
    if (!line.accepted) line.why = String(loader.error?.() ?? 'refused');
    loader.delete?.();
  } catch (e) {
    line.accepted = false;
    line.why = String(e?.message ?? e);
    module = await start();
  }
  line.values = {};
  line.types = {};
  const { specsByPath } = new USDAParser().parseData(bytes.toString('utf8'));
  for (const [path, spec] of Object.entries(specsByPath)) {
    if (spec.fields?.typeName && !path.includes('.')) line.types[path] = spec.fields.typeName;
    const value = spec.fields?.default ?? spec.fields?.targetPaths;
    if (value !== undefined && path.includes('.')) line.values[path] = value;
  }
  process.stdout.write(JSON.stringify(line) + '\n');
}
