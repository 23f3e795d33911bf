// The command in WebAssembly against the native one: every fixture into every target, and each subcommand. Exit codes, messages, files and
// results are equal byte for byte, but for the last digits of numbers that are computed.
//   sweep.mjs KINEMORPH MODULE SOURCE
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../../tools/web/package/node.mjs';
import { distance } from './distance.mjs';

const [native, moduleFile, source] = process.argv.slice(2).map((name) => path.resolve(name));
if (!existsSync(moduleFile)) {
  console.log(`web: skipped: ${moduleFile} is not there; tools/dev/wasm/check builds it`);
  process.exit(77);
}
const compiled = new WebAssembly.Module(readFileSync(moduleFile));
const closeness = 1e-12;
// Where Newton's method stops a step earlier or later, written numbers may differ by more: in these, and in what a fuzzer of round trips found, as
// that fits loops together that nobody drew closed.
const farther = 1e-9;
const computed = /^fixtures\/(accounting\/hung_on_everything\.mbs|mechanisms\/six_bar\/six_bar\.urdf|motion\/km_[br]\/.*|invalid\/found\/roundtrip-.*)$/;
const targets = { urdf: '.urdf', 'urdf+': '.urdf', sdf: '.sdf', mjcf: '.xml', mbs: '.mbs', usda: '.usda' };
const scratch = mkdtempSync(path.join(tmpdir(), 'kinemorph-web-'));
const clean = { PATH: process.env.PATH, NO_COLOR: '1' };

// What the npm package has not, so that its words differ: tools/docs/WEB.md.
const withoutYaml = /this build reads no YAML/;

// Where Newton's method ends nowhere, or a zero moves by about as much as is said of it, rounding decides what is said: no two compilers agree.
const undecided = new Set(['universals-that-never-close', 'zero-moved-by-little'].map((name) => `fixtures/invalid/found/roundtrip-${name}.urdf`));

function filesBelow(folder, relative = '') {
  return readdirSync(path.join(folder, relative), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(folder, path.join(relative, entry.name)) : [path.join(relative, entry.name)]));
}

function outcome(code, folder, out, err) {
  const files = Object.fromEntries(filesBelow(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
  return { code, out, err, ...files };
}
// Both run in a folder of the same name, one after the other.
function emptied() {
  const folder = path.join(scratch, 'at');
  mkdirSync(folder);
  return folder;
}
function byNative(words) {
  const folder = emptied();
  const run = spawnSync(native, words, { cwd: folder, env: clean, encoding: 'utf8', input: '', maxBuffer: 1 << 30 });
  const result = outcome(run.status, folder, run.stdout, run.stderr);
  rmSync(folder, { recursive: true });
  return result;
}
function byModule(words) {
  const folder = emptied(), out = path.join(scratch, 'out'), err = path.join(scratch, 'err'), input = path.join(scratch, 'in');
  writeFileSync(input, '');
  const streams = { stdin: openSync(input, 'r'), stdout: openSync(out, 'w'), stderr: openSync(err, 'w') };
  let code = 'trap';
  try {
    code = runCommand(compiled, words, { folder, env: clean, streams });
  } catch (error) {
    writeFileSync(err, `${error.message}\n`, { flag: 'a' });
  }
  Object.values(streams).forEach((file) => closeSync(file));
  const result = outcome(code, folder, readFileSync(out, 'utf8'), readFileSync(err, 'utf8'));
  rmSync(folder, { recursive: true });
  return result;
}

function apart(a, b) {
  if (a.code !== b.code) return [Infinity, `exit code ${a.code}, not ${b.code}`];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => key !== 'code');
  let most = 0, where = '';
  for (const key of keys) {
    const far = a[key] === undefined || b[key] === undefined ? Infinity : distance(a[key], b[key]);
    if (far > most) [most, where] = [far, key];
  }
  return [most, where];
}

const counts = { runs: 0, equal: 0, digits: 0, farther: 0, failed: 0, yaml: 0, undecided: 0 };
const spent = { native: 0, module: 0 };
const listed = [];
function compare(words) {
  const file = path.relative(source, words[1] ?? '');
  ++counts.runs;
  let at = performance.now();
  const wanted = byNative(words);
  spent.native += performance.now() - at;
  at = performance.now();
  const found = byModule(words);
  spent.module += performance.now() - at;
  if (withoutYaml.test(found.err)) return void ++counts.yaml;
  if (undecided.has(file) && found.code !== 'trap') return void ++counts.undecided;
  // Two subcommands are not there: neither their lines of the help, nor their options in the completion.
  for (const result of [found, wanted]) result.out = result.out.replace(/^ +(batch|view)\)\n(.*\n)*?.*words=.*\n/gm, '').split('\n').filter((line) => !/\b(batch|view)\b/.test(line)).join('\n');
  const [far, where] = apart(found, wanted);
  const shown = words.map((word) => word.replace(`${source}/`, '')).join(' ');
  if (far === 0) return void ++counts.equal;
  if (far <= closeness) return void ++counts.digits;
  if (far <= farther && computed.test(file)) {
    listed.push(`${shown}: ${where}: ${far.toExponential(1)}`);
    return void ++counts.farther;
  }
  ++counts.failed;
  console.log(`DIFFERS ${shown}: ${where}${far < Infinity ? `: ${far.toExponential(1)}` : ''}`);
  if (far === Infinity && counts.failed <= 10) console.log(`--- native\n${String(wanted[where] ?? wanted.err).slice(0, 600)}\n--- wasm\n${String(found[where] ?? found.err).slice(0, 600)}`);
}

const fixtures = filesBelow(path.join(source, 'fixtures')).filter((name) => /\.(urdf|sdf|world|xml|mjcf|mbs|xacro)$/.test(name))
  .map((name) => path.join(source, 'fixtures', name));
for (const file of fixtures)
  for (const [target, extension] of Object.entries(targets)) compare(['convert', file, '-o', `out${extension}`, '--to', target]);

// Loops, ground, words; and what is refused.
const fourBar = path.join(source, 'fixtures/mechanisms/four_bar/four_bar');
for (const words of [
  ['--help'], ['convert', '--help'], ['nonsense'], [], ['convert'], ['--version'], ['check', `${fourBar}.urdf`, '--to', 'nope'],
  ['explain', 'base-fixed'], ['explain', 'base-fixd'], ['formats'], ['formats', '--markdown'], ['formats', '--json'], ['completion', 'bash'],
  ['inspect', `${fourBar}.urdf`], ['inspect', `${fourBar}.urdf`, '--json'], ['inspect', `${fourBar}.sdf`, '--to', 'mjcf', '--lint'],
  ['graph', `${fourBar}.urdf`, '--what', 'cg'], ['graph', `${fourBar}.urdf`, '--what', 'lacg', '-o', 'a.dot'], ['dump', `${fourBar}.sdf`],
  ['check', `${fourBar}.urdf`, '--to', 'mjcf'], ['check', `${fourBar}.urdf`, '--to', 'mjcf', '--diagnostics', 'sarif'],
  ['convert', `${fourBar}.urdf`, '-o', 'a.xml', '--strict'], ['convert', `${fourBar}.urdf`, '-o', '-', '--to', 'sdf'],
  ['convert', `${fourBar}.urdf`, '-o', 'a.xml', '--loss-report', 'a.json', '--scene'],
  ['convert', `${fourBar}.urdf`, '-o', 'a.xml', '--loss-report', 'a.md', '--verbose', '--diagnostics', 'json'],
  ['convert', 'absent.urdf', '-o', 'a.xml'], ['convert', source, '-o', 'a.xml'], ['convert', `${fourBar}.urdf`, '-o', 'no/such/folder/a.xml'],
  ['verify', `${fourBar}.urdf`, `${fourBar}.sdf`, '--allow', 'independent'], ['diff', `${fourBar}.urdf`, `${fourBar}.sdf`],
  ['verify', `${fourBar}.urdf`, path.join(source, 'fixtures/mechanisms/six_bar/six_bar.urdf')],
  ['lint', `${fourBar}.urdf`], ['lint', path.join(source, 'fixtures/mechanisms')], ['lint', path.join(source, 'fixtures/regressions'), '--diagnostics', 'github'],
  ['simulate', `${fourBar}.urdf`, '-o', 'a.csv', '--time', '0.1', '--step', '0.01'], ['simulate', `${fourBar}.urdf`, '--time', 'x'],
]) compare(words);

// Clang takes the terms of an expression in another order than g++: the same equations, not the same text.
for (const language of ['c', 'matlab']) {
  const words = ['export', `${fourBar}.urdf`, '-o', 'made', '--language', language];
  const found = byModule(words), wanted = byNative(words);
  const shown = (result) => `${result.code} ${result.err} ${Object.keys(result).sort().join(' ')}`;
  if (shown(found) === shown(wanted) && found.code === 0) continue;
  ++counts.failed;
  console.log(`DIFFERS ${words.join(' ')}: ${shown(found)}, not ${shown(wanted)}`);
}
for (const [words, said] of [
  [['batch', source, '-o', 'x', '--to', 'sdf'], /^kinemorph: batch: the npm package cannot do that/],
  [['inspect', `${fourBar}.urdf`, '--timeout', '3'], /^kinemorph: --timeout: the npm package cannot do that/],
  [['inspect', `${fourBar}.urdf`, '--memory', '300'], /^kinemorph: --memory: the npm package cannot do that/],
  [['export', `${fourBar}.urdf`, '-o', 'x', '--language', 'fmu'], /kinemorph: --language fmu: the npm package cannot do that/],
]) {
  const found = byModule(words);
  if (found.code === 2 && said.test(found.err)) continue;
  ++counts.failed;
  console.log(`NOT REFUSED ${words[0]}: ${found.code} ${found.err}`);
}

rmSync(scratch, { recursive: true });
console.log(`farther than ${closeness}, not than ${farther}:\n  ${listed.join('\n  ')}`);
console.log(`${counts.runs} runs: ${counts.equal} equal to the byte, ${counts.digits} in digits within ${closeness}, ${counts.farther} farther, `
  + `${counts.yaml} need YAML, ${counts.undecided} undecided, ${counts.failed} failed; native ${(spent.native / 1000).toFixed(1)} s, wasm ${(spent.module / 1000).toFixed(1)} s`);
process.exit(counts.failed > 0 || counts.equal < counts.runs / 2 ? 1 : 0);
