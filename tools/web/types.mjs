// Writes the options of the command, which the module knows, into the types of the package: types.mjs MODULE.wasm INDEX.d.ts. There each
// line `// options of COMMAND` becomes a property for each of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { instantiate } from './package/module.mjs';

const [wasm, file] = process.argv.slice(2);
const core = await instantiate(new WebAssembly.Module(readFileSync(wasm)));
const tables = core.json('km_options');

const types = {
  flag: () => 'boolean',
  text: () => 'string',
  texts: () => 'string | string[]',
  assignments: () => 'string | string[] | Record<string, number | string>',
  number: () => 'number',
  word: (words) => words,
  words: (words) => `${words} | (${words})[]`,
  'flag or word': (words) => `boolean | ${words}`,
  vector: () => 'string | [number, number, number]',
};
function property({ name, kind, words, about, default: standard }) {
  const key = /^\w+$/.test(name) ? name : `'${name}'`;
  const type = types[kind](words.map((word) => `'${word}'`).join(' | '));
  return `  /** ${about}${standard ? ` (default: ${standard})` : ''}. */\n  ${key}?: ${type};`;
}

const text = readFileSync(file, 'utf8');
writeFileSync(file, text.replace(/^ *\/\/ options of (\w+)$/gm, (line, command) =>
  tables[command].filter(({ name }) => command !== 'convert' || name !== 'to').map(property).join('\n')));
