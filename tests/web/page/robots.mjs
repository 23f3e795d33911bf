// Robots of the fixtures and of ../shared/data: each opens, and its first free sliders go through what they can reach, the loops closed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { distance } from '../distance.mjs';

const shared = [
  'corpus/mjcf/johnnynunez__mujoco_menagerie/agility_cassie/cassie.xml',
  'corpus/urdf/UMich-BipedLab__Cassie_Model/urdf/cassie.urdf',
  'corpus/urdf/dfki-ric-underactuated-lab__hybrid_numerical_analytical_approach_case_study/model/full_urdf/RH5v2.urdf',
  'corpus/sdf/Gepetto__example-robot-data/robots/cassie_description/robots/cassie_v2.sdf',
  'legs/km_b.urdf', 'legs/km_r.urdf',
];
// Of a folder the first descriptions.
const folders = [['urdf_plus/Gepetto_example-parallel-robots/robots/digit_like', 1], ['urdf_plus/ROAM-Lab-ND_generalized_rbda', 2], ['corpus/sdf/ArchiRob__delta_2', 1], ['corpus/mjcf/unitreerobotics__unitree_mujoco', 1], ['corpus/urdf/ros__urdf_tutorial', 1]];
const described = /\.(urdf|urdfplus|sdf|xml|mbs)$/;

const below = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort();

function* robots(source) {
  const mechanisms = path.join(source, 'fixtures/mechanisms');
  for (const name of readdirSync(mechanisms).sort()) {
    const file = below(path.join(mechanisms, name)).find((each) => described.test(each));
    if (file) yield { file, root: path.dirname(file), ours: true };
  }
  const data = path.resolve(source, '../shared/data');
  for (const name of shared) yield { file: path.join(data, name), root: path.dirname(path.join(data, name)) };
  for (const [folder, count] of folders) {
    const found = existsSync(path.join(data, folder)) ? below(path.join(data, folder)).filter((each) => described.test(each) && !/package\.xml|scene|manifest/.test(each)) : [];
    for (const file of found.slice(0, count)) yield { file, root: path.dirname(file) };
  }
}

// In the page: free coordinates there and back, with what was worst.
async function throughRanges() {
  const { session, solver } = window.kinemorph;
  const { coordinates } = session.state.posture, steps = 2, most = 6;  // pictures without a graphics card are slow
  let worst = 0, moves = 0, spent = 0, refused = 0;
  for (const info of coordinates.filter((each) => each.independent && !each.quaternion).slice(0, most)) {
    const lower = info.lower ?? (info.length ? -1 : -Math.PI), upper = info.upper ?? (info.length ? 1 : Math.PI);
    const ends = await solver.ask('reach', { name: info.name, lower, upper });
    await session.reset();
    const start = session.state.posture.values[coordinates.indexOf(info)];
    for (let i = 0; i <= 2 * steps; ++i) {
      const share = i / steps, value = i <= steps ? start + (ends[1] - start) * share : start + (ends[0] - start) * (share - 1);
      if (i === steps + 1) await session.reset();
      const from = performance.now();
      await session.move({ [info.name]: value });
      spent += performance.now() - from;
      ++moves;
      const { posture, stopped } = session.state;
      if (stopped) ++refused;
      if (![...posture.values, ...posture.poses.flat()].every(Number.isFinite)) return { bad: `${info.name} at ${value} gives a number that is none` };
      worst = Math.max(worst, posture.residual);
    }
    await session.reset();
  }
  return { worst, moves, refused, frames: moves / Math.max(1e-3, spent / 1000), links: session.state.robot.scene.links.length - 1, loops: session.state.robot.facts.loops };
}

const targets = { urdf: '.urdf', 'urdf+': '.urdf', sdf: '.sdf', mjcf: '.xml', mbs: '.mbs', usda: '.usda' };

// Where Newton's method closes the loops for a target, rounding moves what they leave free: by more than others here, in degrees too.
const closeness = 1e-9, farther = { 'cassie_v2.sdf': 2e-6 };

// Into every format by the page and by the native command, in a folder with the same files: the same text but for last digits.
async function convertsAlike(page, command, files, name) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinemorph-page-'));
  for (const [each, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, each)), { recursive: true });
    writeFileSync(path.join(folder, each), text);
  }
  let alike = 0, farthest = 0;
  const { with: sideCar } = await page.evaluate(() => window.kinemorph.session.state.robot.options);  // which the page cannot read
  for (const [to, extension] of Object.entries(targets)) {
    const out = `converted${extension}`;
    const { end, text } = await page.evaluate((target) => window.kinemorph.solver.ask('convert', { to: target, verify: false }), to);
    const native = spawnSync(command, ['convert', name, '-o', out, '--to', to, '-q', ...(sideCar ? ['--with', sideCar] : [])], { cwd: folder, env: { PATH: process.env.PATH }, encoding: 'utf8' });
    assert.equal(end, native.status, `${name} to ${to}: ${native.stderr}`);
    if (end !== 0) continue;
    const far = distance(text, readFileSync(path.join(folder, out), 'utf8'));
    assert.ok(far <= (farther[name] ?? closeness), `${name} to ${to}: ${far === Infinity ? 'another text' : far} than the native command's`);
    farthest = Math.max(farthest, far);
    ++alike;
  }
  rmSync(folder, { recursive: true });
  return { alike, farthest };
}

export async function sweep(hands) {
  const { page, source } = hands;
  const command = process.env.KINEMORPH ?? path.join(source, 'build/release/bin/kinemorph'), native = existsSync(command);
  if (!native) console.log('web: skipped: comparing conversions: the native command was not built');
  let opened = 0, others = 0, converted = 0;
  for (const { file, root, ours } of robots(source)) {
    if (!existsSync(file)) { console.log(`web: skipped: ${path.basename(file)} is not in ../shared/data`); continue; }
    const files = { [path.basename(file)]: readFileSync(file, 'utf8') };
    for (const each of below(root).slice(0, 400)) if (/\.(xml|config|urdf|yml|yaml)$/.test(each)) files[path.relative(root, each)] = readFileSync(each, 'utf8');
    await hands.open(files, path.basename(file));
    const state = await page.evaluate(() => ({ status: document.querySelector('header .status').textContent, scene: !!window.kinemorph.session.state.robot?.scene, of: window.kinemorph.session.state.robot?.name }));
    if (!state.scene) {
      assert.ok(!ours, `${file}: ${state.status}`);
      console.log(`web: ${path.basename(file)}: ${state.status}`);
      continue;
    }
    const seen = await page.evaluate(throughRanges);
    assert.equal(seen.bad, undefined, `${file}: ${seen.bad}`);
    assert.ok(seen.worst <= 1e-9, `${file}: a loop is open by ${seen.worst}`);
    ++opened, ours || ++others;
    let digits = '';
    if (native && !ours) {
      const { alike, farthest } = await convertsAlike(page, command, files, path.basename(file));
      converted += alike, digits = `, ${alike} conversions within ${farthest.toExponential(0)}`;
    }
    console.log(`web: ${path.basename(file)}: ${seen.links} links, ${seen.loops} loops, ${seen.moves} moves${seen.refused ? ` (${seen.refused} beyond what a loop follows)` : ''}, residual ${seen.worst.toExponential(0)}, ${seen.frames.toFixed(0)} moves/s answered${digits}`);
  }
  console.log(`web: ${opened} robots moved through their ranges, ${others} of them not ours; ${converted} conversions of these are those of the native command`);
}
