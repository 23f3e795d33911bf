// The GitHub Action: annotates lines, writes the summary of the step, and comments on a pull request what the change loses.
// No dependencies. Whatever comes from a robot or from a file's name passes `shown` (Markdown) or `forward` (commands of the log).
import path from 'node:path';
import process from 'node:process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { changesText, compared, summaryText } from './text.mjs';
import { Tool, byName, gone, run } from './tool.mjs';
import { commentOn } from './comment.mjs';

const env = process.env;
const fail = (why) => { throw new Error(why); };

function inputs() {
  const truth = (name) => {
    const word = (env[name] || 'true').trim();
    return word === 'true' || word === 'false' ? word === 'true' : fail(`${name.slice(6).toLowerCase()} is neither true nor false`);
  };
  const strict = (env.INPUT_STRICT || '').trim();
  if (!['', 'any', 'interface', 'motion'].includes(strict)) fail('strict is none of any, interface, motion');
  const to = (env.INPUT_TO || 'urdf+').split(/[\s,]+/).filter(Boolean);
  for (const name of to) if (!/^[a-z0-9+@.]+$/.test(name)) fail('to holds something that is no name of a format');
  const lines = (text) => text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  const paths = lines(env.INPUT_PATHS || '.'), exclude = lines(env.INPUT_EXCLUDE || '');
  const drop = (env.INPUT_DROP || '').split(/[\s,]+/).filter(Boolean);
  for (const name of drop) if (!/^[a-z0-9-]+$/.test(name)) fail('drop holds something that is no name of a feature');
  const variables = (env.INPUT_ENV || '').split(/[\s,]+/).filter(Boolean);
  for (const name of variables) if (!/^[A-Za-z_]\w*$/.test(name)) fail('env holds something that is no name of a variable');
  return { paths, to, strict, drop, exclude, lint: truth('INPUT_LINT'), comment: truth('INPUT_COMMENT'), version: (env.INPUT_VERSION || '').trim(), variables };
}

// Of a pull request: its number and the commit that it is compared with.
function pullRequest() {
  if (!env.GITHUB_EVENT_PATH || !existsSync(env.GITHUB_EVENT_PATH)) return null;
  const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
  const base = event.pull_request?.base?.sha, number = event.pull_request?.number;
  return /^[0-9a-f]{40,64}$/.test(base ?? '') && Number.isInteger(number) ? { base, number } : null;
}

// Reports of all targets: {target: {file: {exit_code, report}}}.
function check(tool, options, folder, told) {
  const all = byName([]);
  const paths = told ? options.paths : options.paths.filter((name) => existsSync(path.join(folder, name)));
  for (const to of options.to) {
    const result = paths.length ? tool.check(paths, to, options, folder) : { reports: byName([]), lines: [], code: 0 };
    all[to] = result.reports;
    if (told) told(result);
  }
  return all;
}

// The base of the pull request in a folder of its own; null where git has it not.
function withBase(base, work) {
  const git = (...words) => run('git', ['-c', 'core.hooksPath=/dev/null', ...words], { env: { ...env, GIT_LFS_SKIP_SMUDGE: '1', GIT_TERMINAL_PROMPT: '0' } });
  if (git('cat-file', '-e', `${base}^{commit}`).code !== 0 && git('fetch', '--no-tags', '--depth=1', 'origin', base).code !== 0) return null;
  const folder = gone();
  if (git('worktree', 'add', '--detach', '--force', folder, base).code !== 0) return null;
  try {
    // The workspace may be a folder of the repository.
    const below = git('rev-parse', '--show-prefix').out.trim();
    return work(path.join(folder, below));
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}

function main() {
  const options = inputs();
  const tool = new Tool(options.version, options.variables);
  let code = 0;
  const told = (result) => {
    tool.forward(result.lines);
    if (result.code !== 0) code = 1;
  };
  const head = check(tool, options, '.', told);
  if (options.lint) told(tool.lint(options.paths, options));
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, summaryText(head, options.strict));
  const pull = pullRequest();
  if (pull && options.comment) {
    const inside = (name) => !path.isAbsolute(name) && !path.normalize(name).startsWith('..');
    const before = withBase(pull.base, (folder) => check(tool, { ...options, paths: options.paths.filter(inside) }, folder));
    if (!before) {
      tool.notice('The base of the pull request could not be fetched: no comparison (actions/checkout with fetch-depth: 0 has it)');
    } else {
      const after = byName(options.to.map((to) => [to, byName(Object.entries(head[to]).filter(([name]) => inside(name)))]));
      const changes = compared(before, after);
      if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, '\n' + changesText(changes, 1e5));
      const why = commentOn(pull.number, changesText(changes, 6e4), changes.length > 0);
      if (why) tool.notice(`The comment could not be written (permission pull-requests: write?): ${why}`);
    }
  }
  process.exitCode = code;
}

try {
  main();
} catch (thrown) {
  const line = String(thrown.message).replace(/[\r\n%]/g, ' ');
  console.log(`::error title=kinemorph::${line}`);
  process.exitCode = 2;
}
