// Programs that the action runs: kinemorph, once installed from npm or named by KINEMORPH, and others.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { spawnSync } from 'node:child_process';

const { env } = process;

// A temporary folder that is there no longer: for git, which makes it, and for npm.
const temporary = [];
export function gone() {
  const folder = mkdtempSync(path.join(env.RUNNER_TEMP || os.tmpdir(), 'kinemorph-'));
  temporary.push(folder);
  rmSync(folder, { recursive: true });
  return folder;
}
process.on('exit', () => { for (const folder of temporary) rmSync(folder, { recursive: true, force: true }); });

export function run(program, words, options = {}) {
  const result = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 29, ...options });
  return { code: result.error ? 127 : result.status ?? 128, out: result.stdout ?? '', err: result.error ? result.error.message : result.stderr ?? '' };
}

// What is run may read what strangers wrote: it gets no token.
const plainEnvironment = () => {
  const rest = { ...env, NO_COLOR: '1' };
  for (const name of Object.keys(rest)) if (/TOKEN/i.test(name)) delete rest[name];
  return rest;
};

// What `npx kinemorph` runs, installed once and away from the workspace, whose .npmrc may be a stranger's.
function installed(version) {
  const archive = version.endsWith('.tgz');
  if (!archive && !/^[0-9A-Za-z.^~+-]+$/.test(version)) throw new Error('version is no version of an npm package and no .tgz');
  const folder = gone();
  const result = run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', archive ? path.resolve(version) : `kinemorph@${version}`],
    { cwd: path.dirname(folder), env: plainEnvironment() });
  if (result.code !== 0) throw new Error(`kinemorph could not be installed: ${result.err.slice(-500)}`);
  return [process.execPath, path.join(folder, 'node_modules/kinemorph/command.mjs')];
}

/** An object of [name, value] in which a file may be called `__proto__` or `constructor`. */
export function byName(entries) {
  const all = Object.create(null);
  for (const [name, value] of entries) all[name] = value;
  return all;
}

export class Tool {
  constructor(version) {
    this.command = env.KINEMORPH ? [path.resolve(env.KINEMORPH)] : installed(version);
    this.told = new Set();
  }

  kinemorph(words, cwd) {
    const [program, ...first] = this.command;
    const result = run(program, [...first, ...words], { cwd, env: plainEnvironment() });
    return { ...result, lines: result.err.split('\n').filter(Boolean) };
  }

  // A path may begin with a dash.
  static named(paths) { return paths.map((name) => (name.startsWith('-') ? `./${name}` : name)); }

  /** Reports by file, annotations as lines, the exit code. */
  check(paths, to, strict, folder) {
    const words = ['check', ...Tool.named(paths), '--to', to, '--format', 'json', '--diagnostics', 'github'];
    if (strict) words.push(`--strict=${strict}`);
    const result = this.kinemorph(words, folder);
    if (![0, 1, 3, 4].includes(result.code)) throw new Error(`kinemorph check ended with ${result.code}: ${result.err.slice(-500)}`);
    let list = result.out.trim() ? JSON.parse(result.out) : null;
    if (!Array.isArray(list)) list = [{ source: Tool.named(paths)[0], exit_code: result.code, report: list }];
    const reports = byName([]);
    for (const { source, exit_code, report } of list) reports[path.normalize(source)] = { exit_code, report };
    return { reports, lines: result.lines, code: result.code };
  }

  lint(paths) {
    const result = this.kinemorph(['lint', ...Tool.named(paths), '--diagnostics', 'github'], '.');
    if (![0, 1].includes(result.code)) throw new Error(`kinemorph lint ended with ${result.code}: ${result.err.slice(-500)}`);
    return result;
  }

  /** Annotations go to the log as they are, each once; nothing else of a program can be a command there. */
  forward(lines) {
    for (const line of lines) {
      if (this.told.has(line)) continue;
      this.told.add(line);
      const command = /^::(error|warning|notice) [^\r]*::[^\r]*$/.test(line);
      console.log(command ? line : `kinemorph: ${line.replace(/\r/g, ' ')}`);
    }
  }

  notice(text) { console.log(`::notice title=kinemorph::${text.replace(/[\r\n%]/g, ' ')}`); }
}
