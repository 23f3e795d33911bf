#!/usr/bin/env node
// The kinemorph command, compiled to WebAssembly.
import { readFileSync, writeSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { runCommand } from './node.mjs';

try {
  const bytes = brotliDecompressSync(readFileSync(new URL('./kinemorph.wasm.br', import.meta.url)));
  process.exitCode = runCommand(new WebAssembly.Module(bytes), process.argv.slice(2));
} catch (thrown) {
  writeSync(2, `kinemorph: internal error: ${thrown.message}\n`);
  process.exitCode = 4;
}
