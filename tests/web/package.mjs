// The npm package: what is in it and how large it is; installed in an empty folder, its command and its library.
//   package.mjs SOURCE SCRATCH KINEMORPH
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [source, scratch, native] = process.argv.slice(2).map((name) => path.resolve(name));
const skip = (why) => { console.log(`web: skipped: ${why}`); process.exit(77); };
if (!existsSync(path.join(source, 'build/wasm/bin/kinemorph.wasm'))) skip('tools/dev/wasm/check was not run');
if (spawnSync('npm', ['--version']).status !== 0) skip('npm is needed (Debian: npm)');

rmSync(scratch, { recursive: true, force: true });
const made = path.join(scratch, 'made'), user = path.join(scratch, 'user');
mkdirSync(user, { recursive: true });
execFileSync(path.join(source, 'tools/web/assemble'), [made], { stdio: 'inherit' });
const npm = (words, folder) => execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const packed = JSON.parse(npm(['pack', '--json', '--ignore-scripts', made], scratch))[0];
const wanted = ['LICENSE', 'README.md', 'THIRD_PARTY.md', 'command.mjs', 'index.d.ts', 'index.mjs', 'kinemorph.wasm.br', 'module.mjs', 'node.mjs', 'package.json'];
assert.deepEqual(packed.files.map((file) => file.path).sort(), wanted.sort());
assert.ok(packed.size < 1_500_000, `the package has ${packed.size} bytes`);
const about = JSON.parse(readFileSync(path.join(made, 'package.json'), 'utf8'));
assert.equal(about.scripts, undefined, 'nothing runs at the installation');
assert.equal(about.dependencies, undefined);
const version = /project\(kinemorph VERSION ([0-9.]+)/.exec(readFileSync(path.join(source, 'CMakeLists.txt'), 'utf8'))[1];
assert.equal(about.version, version);
console.log(`package: ${packed.size} bytes`);

writeFileSync(path.join(user, 'package.json'), '{"private": true, "type": "module"}');
npm(['install', '--offline', '--no-audit', '--no-fund', path.join(scratch, packed.filename)], user);
const fourBar = path.join(source, 'fixtures/mechanisms/four_bar/four_bar.sdf');
const npx = (...words) => spawnSync('npx', ['--offline', 'kinemorph', ...words], { cwd: user, encoding: 'utf8' });
writeFileSync(path.join(user, 'a.sdf'), readFileSync(fourBar));
const converted = npx('convert', 'a.sdf', '-o', 'a.urdf', '--verify');
assert.equal(converted.status, 0, converted.stderr);
assert.match(converted.stderr, /a\.urdf: note: equivalent/);
assert.equal(converted.stdout, '');
assert.ok(!/Experimental/.test(converted.stderr));
assert.ok(statSync(path.join(user, 'a.urdf')).size > 500);
assert.equal(npx('verify', 'a.sdf', 'a.urdf').status, 0);
assert.equal(npx('explain', 'zzzz').status, 2);
assert.equal(npx('convert', 'absent.sdf', '-o', 'b.urdf').status, 1);
const piped = spawnSync('npx', ['--offline', 'kinemorph', 'convert', '-', '-o', '-', '--to', 'urdf+'], { cwd: user, encoding: 'utf8', input: readFileSync(fourBar) });
assert.equal(piped.status, 0, piped.stderr);
assert.match(piped.stdout, /^<\?xml/);

execFileSync(path.join(source, 'tests/package/same'), [native, 'node', path.join(user, 'node_modules/kinemorph/command.mjs')], { stdio: 'inherit' });

writeFileSync(path.join(user, 'use.mjs'), readFileSync(path.join(source, 'tests/web/use.mjs')));
execFileSync('node', ['use.mjs', fourBar, path.join(source, 'fixtures')], { cwd: user, stdio: 'inherit' });

// What is exported is declared, and nothing else is.
const declared = readFileSync(path.join(made, 'index.d.ts'), 'utf8');
const code = readFileSync(path.join(made, 'index.mjs'), 'utf8');
const exported = [...code.matchAll(/^export (?:async )?function (\w+)/gm)].map((match) => match[1]);
assert.deepEqual(exported.sort(), [...declared.matchAll(/^export function (\w+)/gm)].map((match) => match[1]).sort());
const methods = [...code.slice(code.indexOf('class Robot'), code.indexOf('export async function open')).matchAll(/^ {2}(\w+)\(.*\{/gm)].map((match) => match[1]);
const promised = [...declared.slice(declared.indexOf('interface Robot'), declared.indexOf('interface ConversionOptions')).matchAll(/^ {2}(\w+)\(/gm)].map((match) => match[1]);
assert.deepEqual(methods.filter((name) => name !== 'constructor').sort(), promised.sort());
// So are the options, each one of the command's.
assert.ok(!/^ *\/\/ options of/m.test(declared), 'an interface is not filled in');
const commands = Object.fromEntries(JSON.parse(npx('completion', 'json').stdout).commands.map(({ name, options }) => [name, options.flatMap(({ names }) => names)]));
for (const [type, command] of Object.entries({ ConversionOptions: 'convert', VerifyOptions: 'verify', SimulationOptions: 'simulate', InspectionOptions: 'inspect' })) {
  const block = declared.slice(declared.indexOf(`interface ${type} {`)).split('\n}')[0];
  const keys = [...block.matchAll(/^ {2}'?([\w-]+)'?\?:/gm)].map((match) => match[1]);
  assert.ok(keys.length >= 3, `${type}: ${keys}`);
  assert.deepEqual(keys.filter((key) => key !== 'out' && !commands[command].includes(`--${key}`)), [], `${type} has options that ${command} has not`);
}
console.log('package: installed, run and used');
