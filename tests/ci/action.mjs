// The GitHub Action on a repository of robots, with a gh that keeps comments in a file: action.mjs KINEMORPH SOURCE SCRATCH.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [kinemorph, source, scratch] = process.argv.slice(2).map((name) => path.resolve(name));
if (spawnSync('git', ['--version']).status !== 0) { console.log('ci: skipped: git is not installed'); process.exit(77); }
rmSync(scratch, { recursive: true, force: true });
const robots = path.join(scratch, 'robots'), bin = path.join(scratch, 'bin'), temporary = path.join(scratch, 'temporary');
for (const folder of [robots, bin, temporary]) mkdirSync(folder, { recursive: true });

// A gh that knows the comments of one pull request.
const store = path.join(scratch, 'comments.json'), calls = path.join(scratch, 'calls.log');
writeFileSync(store, '[]');
writeFileSync(path.join(bin, 'gh'), `#!${process.execPath}
const fs = require('node:fs');
const words = process.argv.slice(2);
fs.appendFileSync(${JSON.stringify(calls)}, JSON.stringify({ words, token: process.env.GH_TOKEN }) + '\\n');
if (fs.existsSync(${JSON.stringify(store)} + '.refuse')) { console.error('HTTP 403: Resource not accessible by integration'); process.exit(1); }
const all = JSON.parse(fs.readFileSync(${JSON.stringify(store)}, 'utf8'));
const url = words.find((word) => word.startsWith('repos/'));
const method = words.includes('--method') ? words[words.indexOf('--method') + 1] : 'GET';
if (method === 'GET') process.stdout.write(JSON.stringify([all]));
else {
  const { body } = JSON.parse(fs.readFileSync(0, 'utf8'));
  if (method === 'POST') all.push({ id: all.length + 1, body, user: { type: 'Bot' }, author_association: 'NONE' });
  else all.find((comment) => String(comment.id) === url.split('/').pop()).body = body;
  fs.writeFileSync(${JSON.stringify(store)}, JSON.stringify(all));
}
`);
chmodSync(path.join(bin, 'gh'), 0o755);
const comments = () => JSON.parse(readFileSync(store, 'utf8'));

const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b', GIT_CONFIG_NOSYSTEM: '1', HOME: scratch };
const git = (...words) => execFileSync('git', words, { cwd: robots, encoding: 'utf8', env: { ...process.env, ...who } }).trim();
const commit = (what) => { git('add', '-A'); git('commit', '-qm', what); return git('rev-parse', 'HEAD'); };
const put = (name, text) => { mkdirSync(path.dirname(path.join(robots, name)), { recursive: true }); writeFileSync(path.join(robots, name), text); };
const arm = (limit, more = '') => `<robot name="arm"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" ${limit}/>${more}</joint></robot>\n`;

git('init', '-q', '.');
put('arm.urdf', arm('velocity="3"'));
put('folder with space/old.urdf', arm('velocity="3"').replaceAll('arm', 'old'));
mkdirSync(path.join(robots, 'broken'));
copyFileSync(path.join(source, 'fixtures/mechanisms/four_bar/four_bar.urdf'), path.join(robots, 'broken/four_bar.urdf'));
const base = commit('base');

const summary = path.join(scratch, 'summary.md'), event = path.join(scratch, 'event.json');
function act(inputs = {}, more = {}) {
  rmSync(summary, { force: true });
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GITHUB|INPUT|RUNNER|GIT)_/.test(name)));
  const result = spawnSync(process.execPath, [path.join(source, 'tools/action/run.mjs')], {
    cwd: robots, encoding: 'utf8',
    env: { ...clean, ...who, PATH: `${bin}:${process.env.PATH}`, KINEMORPH: kinemorph, RUNNER_TEMP: temporary, GITHUB_WORKSPACE: robots,
      GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event, GITHUB_STEP_SUMMARY: summary, GITHUB_REPOSITORY: 'team/robots', GITHUB_WORKFLOW: 'CI',
      GITHUB_JOB: 'robots', GH_TOKEN: 'secret', INPUT_TO: 'mjcf', ...inputs, ...more },
  });
  return { code: result.status, out: result.stdout, err: result.stderr, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' };
}
const onPull = (sha) => writeFileSync(event, JSON.stringify({ pull_request: { number: 7, base: { sha } } }));
// As a browser shows it: the numbers of characters are characters again.
const seen = (text) => text.replace(/<\/?code>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

// A push: annotations with file and line, a summary, no comment.
writeFileSync(event, '{}');
let done = act();
assert.equal(done.code, 0, done.out + done.err);
assert.match(done.out, /^::warning file=arm\.urdf,line=2,title=loss-velocity-limit::joint 'j': velocity limit 3 is not written/m);
assert.match(seen(done.summary), /\| arm\.urdf \| 1 loss \| {2}\| 1 \| {2}\| velocity-limit \|/);
assert.match(seen(done.summary), /\| folder with space\/old\.urdf \| 1 loss \|/);
assert.ok(!existsSync(calls), 'gh is not called');

// Nothing changed: nothing is said.
onPull(base);
done = act();
assert.equal(done.code, 0);
assert.equal(comments().length, 0);
assert.match(done.summary, /every robot loses what it lost before/);

// A loss more, one less, a robot that breaks, one that is gone, and a new one whose names want to be commands.
put('arm.urdf', arm('', '<safety_controller k_velocity="1"/>'));
rmSync(path.join(robots, 'folder with space'), { recursive: true });
copyFileSync(path.join(source, 'fixtures/invalid/joint_cycle.urdf'), path.join(robots, 'broken/four_bar.urdf'));
put('template.urdf', '<robot name="{{ name }}"/>');
const evil = 'x&#10;::error::pwned&#10;`**@everyone** &lt;img src=a onerror=b&gt; | #1 https://evil.example --> %0A $(x)';
put('evil`@all|.urdf', arm('velocity="3"').replace('name="j"', `name="${evil}"`));
commit('changes');
done = act();
assert.equal(done.code, 1, 'a robot has errors');
for (const line of done.out.split('\n')) assert.ok(!line || /^::(error|warning|notice) |^kinemorph: /.test(line), line);
assert.ok(!/^::error::/m.test(done.out));
assert.match(done.out, /^::error file=broken\/four_bar\.urdf,line=\d+,title=joint-cycle::/m);
assert.equal(comments().length, 1);
const [first] = comments();
assert.match(first.body, /^<!-- kinemorph [0-9a-f]{16} -->\n### What this change loses/);
const text = seen(first.body.split('\n').slice(1).join('\n'));
assert.match(text, /#### arm\.urdf to mjcf\n/);
assert.match(text, /Lost now:\n\n- [a-z]+: joint 'j': [^\n]*safety[^\n]*\(arm\.urdf, line 2\)/);
assert.match(text, /Lost no more:\n\n- interface: joint 'j': velocity limit 3/);
assert.match(text, /#### broken\/four_bar\.urdf to mjcf: can no longer be converted/);
assert.match(text, /#### folder with space\/old\.urdf to mjcf: removed/);
assert.match(text, /#### evil`@all\|\.urdf to mjcf: new\n\nIt loses:\n/);
assert.match(text, /#### template\.urdf to mjcf: new, and has errors\n/);
for (const place of [first.body.split('\n').slice(1).join('\n'), done.summary]) {
  // What others wrote stands in code, letters and digits apart as numbers of characters.
  const between = place.replace(/<code>(?:[\p{L}\p{N} ]|&#\d+;)*<\/code>/gu, 'CODE');
  assert.ok(/CODE/.test(between) && !/[<>&`@*[\]{}\\]|:\/\/|#\d|pwned|everyone|evil/.test(between), between);
  for (const line of between.split('\n').filter((each) => each.startsWith('|'))) assert.equal(line.split('|').length, 8, line);
}
assert.match(text, /\\u\{a\}::error::pwned/, 'an end of a line is shown as what it is');
assert.ok(readFileSync(calls, 'utf8').includes('"token":"secret"'));

// The same again changes nothing; a further change is written into the same comment; another's comment is left alone.
const before = readFileSync(calls, 'utf8').split('\n').length;
assert.equal(act().code, 1);
assert.equal(readFileSync(calls, 'utf8').split('\n').length, before + 1, 'one question, no writing');
writeFileSync(store, JSON.stringify([{ id: 90, body: first.body, user: { type: 'User' }, author_association: 'NONE' }, ...comments()]));
put('arm.urdf', arm('velocity="3"'));
for (const name of ['evil`@all|.urdf', 'template.urdf']) rmSync(path.join(robots, name));
git('checkout', '-q', base, '--', 'broken', 'folder with space');
commit('as it was');
assert.equal(act().code, 0);
assert.equal(comments().length, 2);
assert.equal(comments()[0].body, first.body);
assert.match(comments()[1].body, /Nothing: every robot loses what it lost before/);

// Inputs.
assert.equal(act({ INPUT_STRICT: 'any' }).code, 1);
assert.equal(act({ INPUT_STRICT: 'any', INPUT_TO: 'urdf+, urdf', INPUT_PATHS: 'arm.urdf' }).code, 0);
assert.equal(act({ INPUT_PATHS: 'arm.urdf\nfolder with space', INPUT_LINT: 'false', INPUT_COMMENT: 'false' }).code, 0);
done = act({ INPUT_PATHS: 'arm.urdf' });
assert.match(seen(done.summary), /\| arm\.urdf \| 1 loss/);
assert.equal(act({ INPUT_STRICT: 'interface', INPUT_PATHS: 'arm.urdf' }).code, 1);
assert.equal(act({ INPUT_STRICT: 'interface', INPUT_PATHS: 'arm.urdf', INPUT_DROP: 'velocity-limit, effort-limit' }).code, 0);
done = act({ INPUT_EXCLUDE: 'folder with space\nbroken' });
assert.ok(!/old\.urdf|four_bar/.test(seen(done.summary)) && /arm\.urdf/.test(seen(done.summary)), done.summary);
for (const wrong of [{ INPUT_DROP: 'velocity-limit;rm' }, { INPUT_TO: 'mjcf; rm' }, { INPUT_STRICT: 'yes' }, { INPUT_LINT: 'maybe' }, { INPUT_PATHS: 'absent.urdf' }, { INPUT_TO: 'obj' }])
  assert.notEqual(act(wrong).code, 0, JSON.stringify(wrong));
assert.match(act({}, { KINEMORPH: '', INPUT_VERSION: 'x; rm -rf' }).out, /^::error title=kinemorph::version is no version/m);
// Nothing is installed by a name alone: whoever takes it in the registry would be run.
for (const version of ['latest', '^0.1.0', '~0.1', '0.1', '1.x', '*', 'next', 'kinemorph@0.1.0', '--registry=x']) {
  done = act({ INPUT_VERSION: version }, { KINEMORPH: '' });
  assert.ok(done.code === 2 && /^::error title=kinemorph::version is no version/m.test(done.out), version + done.out);
}
done = act({}, { KINEMORPH: '' });
assert.ok(done.code === 2 && /^::error title=kinemorph::version is missing/m.test(done.out), done.out);

// What a job keeps in its environment reaches no robot, but for the variables that the workflow names.
put('secret.urdf.xacro', `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/><xacro:unless value="0"><link name="b"/>
  <joint name="$(optenv AWS_SECRET_ACCESS_KEY none)_$(optenv HOME none)_$(optenv SIDE none)" type="hinge"><parent link="a"/><child link="b"/></joint></xacro:unless></robot>\n`);
const job = { AWS_SECRET_ACCESS_KEY: 'do-not-tell', MY_PASSWORD: 'do-not-tell', SIDE: 'left' };
done = act({ INPUT_PATHS: 'secret.urdf.xacro', INPUT_COMMENT: 'false' }, job);
assert.match(done.out, /none_none_none/);
assert.ok(!(done.out + done.err + done.summary).includes('do-not-tell'));
done = act({ INPUT_PATHS: 'secret.urdf.xacro', INPUT_COMMENT: 'false', INPUT_ENV: 'SIDE\n' }, job);
assert.match(done.out, /none_none_left/);
assert.ok(!(done.out + done.err + done.summary).includes('do-not-tell'));
assert.notEqual(act({ INPUT_ENV: 'A=b' }, job).code, 0);
put('secret.urdf.xacro', '<robot name="$(env SIDE)" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/></robot>\n');
assert.match(act({ INPUT_PATHS: 'secret.urdf.xacro' }, job).out, /^::error file=secret\.urdf\.xacro,line=1,title=xacro-env::.*--no-env/m);
rmSync(path.join(robots, 'secret.urdf.xacro'));

// A file whose name looks like an option is a file.
put('--help=.urdf', '');
put('-h.urdf', '');
assert.equal(act({ INPUT_PATHS: '--help=.urdf\narm.urdf' }).code, 1);
assert.equal(act({ INPUT_PATHS: '-h.urdf' }).code, 1);
for (const name of ['--help=.urdf', '-h.urdf']) rmSync(path.join(robots, name));

// A file may be called what a property of every object is called.
for (const name of ['__proto__', 'constructor']) put(name, arm('velocity="3"'));
done = act({ INPUT_PATHS: '__proto__\nconstructor', INPUT_COMMENT: 'false' });
for (const name of ['__proto__', 'constructor']) assert.match(seen(done.summary), new RegExp(`^\\| ${name} \\| 1 loss`, 'm'));
const loses = { exit_code: 0, report: { losses: [{ feature: 'damping', weight: 'motion', subject: { kind: 'joint', name: 'j' } }] } };
const { byName } = await import(path.join(source, 'tools/action/tool.mjs')), { compared } = await import(path.join(source, 'tools/action/text.mjs'));
const now = byName([['mjcf', byName([['__proto__', loses], ['constructor', loses]])]]), none = byName([['mjcf', byName([])]]);
assert.deepEqual(compared(none, now).map(({ file, kind, fresh }) => [file, kind, fresh.length]), [['__proto__', 'new', 1], ['constructor', 'new', 1]]);
assert.deepEqual(compared(now, none).map(({ file, kind }) => [file, kind]), [['__proto__', 'removed'], ['constructor', 'removed']]);
for (const name of ['__proto__', 'constructor']) rmSync(path.join(robots, name));

// From the archive of an npm package, which is run without the token and without the workspace's .npmrc.
const made = path.join(scratch, 'package');
mkdirSync(made);
writeFileSync(path.join(made, 'package.json'), '{"name": "kinemorph", "version": "0.0.1", "bin": {"kinemorph": "command.mjs"}}');
writeFileSync(path.join(made, 'command.mjs'), `import { spawnSync } from 'node:child_process';
if (process.env.GH_TOKEN) process.exit(9);
process.exitCode = spawnSync(${JSON.stringify(kinemorph)}, process.argv.slice(2), { stdio: 'inherit' }).status;\n`);
const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', scratch, made], { encoding: 'utf8' });
if (packed.status === 0) {
  put('.npmrc', 'registry=https://evil.invalid/\nprefix=/nowhere\n');
  done = act({ INPUT_VERSION: path.join(scratch, 'kinemorph-0.0.1.tgz') }, { KINEMORPH: '', npm_config_offline: 'true' });
  assert.equal(done.code, 0, done.out + done.err);
  assert.match(done.out, /^::warning file=arm\.urdf,line=2,title=loss-velocity-limit::/m);
  rmSync(path.join(robots, '.npmrc'));
} else {
  console.log('ci: npm is not installed, and the installation of a package is not tested');
}

// What cannot be: a base that is not there, a comment that is not allowed.
onPull('0123456789'.repeat(4));
done = act();
assert.equal(done.code, 0);
assert.match(done.out, /^::notice title=kinemorph::The base of the pull request could not be fetched/m);
onPull(base);
put('arm.urdf', arm('', '<safety_controller k_velocity="1"/>'));
commit('a loss');
writeFileSync(store + '.refuse', '');
done = act();
assert.equal(done.code, 0);
assert.match(done.out, /^::notice title=kinemorph::The comment could not be written .*403/m);
assert.equal(git('worktree', 'list').split('\n').length, 1, 'no worktree is left');
assert.equal(git('status', '--porcelain'), '');

// However many robots there are, the summary has its size.
const { changesText, summaryText } = await import(path.join(source, 'tools/action/text.mjs'));
const loss = { feature: 'damping', weight: 'motion', subject: { kind: 'joint', name: 'j' }, element: "joint 'j'", file: 'a', line: 1, what: 'w'.repeat(400) };
const many = Object.fromEntries([...Array(20000)].map((_, i) => [`${'-'.repeat(150)}${i}`, { exit_code: 0, report: { losses: [loss] } }]));
const large = summaryText({ mjcf: many, sdf: many }, '');
assert.ok(large.length < 6e5 && /\.\.\. and 1\d+ files more/.test(large), String(large.length));
const all = changesText(Object.keys(many).map((file) => ({ file, to: 'mjcf', kind: 'changed', fresh: Array(100).fill(loss), past: [] })), 6e4);
assert.ok(all.length < 6e4 && /- \.\.\. and 70 more/.test(all) && /\.\.\. and 19\d+ files more/.test(all), String(all.length));

// What action.yml hands over is what the script reads.
const yml = readFileSync(path.join(source, 'action.yml'), 'utf8');
const declared = [...yml.slice(0, yml.indexOf('\nruns:')).matchAll(/^ {2}(\w+):$/gm)].map((match) => match[1]);
const used = [...yml.matchAll(/\$\{\{ inputs\.(\w+) \}\}/g)].map((match) => match[1]);
assert.deepEqual([...declared].sort(), [...used].sort());
const script = readFileSync(path.join(source, 'tools/action/run.mjs'), 'utf8');
for (const [, name] of yml.matchAll(/^ {8}(INPUT_\w+):/gm)) assert.ok(script.includes(name), name);
assert.ok(!/run:.*\$\{\{/.test(yml), 'no input in the text of a command');
console.log('ci: the action annotates, sums up and comments');
