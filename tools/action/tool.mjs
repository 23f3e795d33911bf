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

// npm runs nothing that strangers wrote (--ignore-scripts). It needs proxies and certificates, and no token.
const plainEnvironment = () => {
  const rest = { ...env, NO_COLOR: '1' };
  for (const name of Object.keys(rest)) if (/TOKEN/i.test(name)) delete rest[name];
  return rest;
};

// kinemorph reads what strangers wrote, and what it says is public: it gets what programs need to start, where packages of ROS lie, and the
// variables that the workflow names. Whatever else a job has, secrets among it, stays here.
const NEEDED = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'SYSTEMROOT', 'ROS_PACKAGE_PATH', 'AMENT_PREFIX_PATH', 'GZ_SIM_RESOURCE_PATH', 'GAZEBO_MODEL_PATH', 'SDF_PATH'];
const environmentOf = (variables) => {
  const given = Object.fromEntries([...NEEDED, ...variables].filter((name) => env[name] !== undefined).map((name) => [name, env[name]]));
  return { ...given, NO_COLOR: '1' };
};

// What `npx kinemorph` runs, installed once and away from the workspace, whose .npmrc may be a stranger's. Whoever takes a name in the
// registry decides what its newest version is: only an exact one is installed.
function installed(version) {
  const archive = version.endsWith('.tgz');
  if (!version) throw new Error('version is missing: give the path of the .tgz of the npm package, or its exact version');
  if (!archive && !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) throw new Error('version is no version of an npm package such as 0.1.0 (latest and ranges are refused) and no .tgz');
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
  constructor(version, variables = []) {
    this.environment = environmentOf(variables);
    this.xacro = variables.length > 0 ? [] : ['--no-env'];
    this.command = env.KINEMORPH ? [path.resolve(env.KINEMORPH)] : installed(version);
    this.told = new Set();
  }

  kinemorph(words, cwd) {
    const [program, ...first] = this.command;
    const result = run(program, [...first, ...words], { cwd, env: this.environment });
    return { ...result, lines: result.err.split('\n').filter(Boolean) };
  }

  // Paths stand behind --, because one may begin with a dash; a dash alone would be the standard input.
  static named(paths) { return ['--', ...paths.map((name) => (name === '-' ? './-' : name))]; }

  // A word of its own for each, so that none is taken for another option.
  static chosen({ drop = [], exclude = [] }) {
    return [...drop.map((name) => `--drop=${name}`), ...exclude.map((name) => `--exclude=${name}`)];
  }

  /** Reports by file, annotations as lines, the exit code. */
  check(paths, to, { strict, drop, exclude }, folder) {
    const words = ['check', '--to', to, '--format', 'json', '--diagnostics', 'github', ...this.xacro, ...Tool.chosen({ drop, exclude })];
    if (strict) words.push(`--strict=${strict}`);
    words.push(...Tool.named(paths));
    const result = this.kinemorph(words, folder);
    if (![0, 1, 3, 4].includes(result.code)) throw new Error(`kinemorph check ended with ${result.code}: ${result.err.slice(-500)}`);
    let list = result.out.trim() ? JSON.parse(result.out) : null;
    if (!Array.isArray(list)) list = [{ source: paths[0], exit_code: result.code, report: list }];
    const reports = byName([]);
    for (const { source, exit_code, report } of list) reports[path.normalize(source)] = { exit_code, report };
    return { reports, lines: result.lines, code: result.code };
  }

  lint(paths, { exclude }) {
    const result = this.kinemorph(['lint', '--diagnostics', 'github', ...this.xacro, ...Tool.chosen({ exclude }), ...Tool.named(paths)], '.');
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
