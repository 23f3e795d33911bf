#!/usr/bin/env node
// compile.mjs ROOT FILE... : one JSON line per MJCF file (a path below ROOT): the arrays of the compiled model at qpos0, or the error.
// The whole tree ROOT is copied to the module's memory file system first, so that includes and meshes are found.
import fs from 'node:fs';
import path from 'node:path';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const load = (await import(process.env.KINEMORPH_MUJOCO_WASM ?? '@mujoco/mujoco')).default;
const [root, ...files] = process.argv.slice(2);
if (files[0]?.startsWith('@')) files.splice(0, 1, ...fs.readFileSync(files[0].slice(1), 'utf8').split('\n').filter(Boolean));

function mount(mj, from, to) {
  mj.FS.mkdirTree(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name), target = to + '/' + entry.name;
    if (entry.isDirectory()) mount(mj, source, target);
    else if (entry.isFile()) mj.FS.writeFile(target, fs.readFileSync(source));
  }
}

const take = (array, from, n) => Array.from(array.subarray(from, from + n));

function describe(mj, m) {
  const d = new mj.MjData(m);
  mj.mj_resetData(m, d);
  d.qpos.set(m.qpos0);
  mj.mj_kinematics(m, d);
  const out = { nv: m.nv, bodies: [], joints: [], equalities: [], geoms: [], excludes: [], actuators: [] };
  for (let b = 1; b < m.nbody; ++b) {
    out.bodies.push({ name: m.body(b).name || '', parent: m.body_parentid[b], mocap: m.body_mocapid[b] >= 0, mass: m.body_mass[b], pos: take(d.xpos, 3 * b, 3), mat: take(d.xmat, 9 * b, 9),
      ipos: take(d.xipos, 3 * b, 3), imat: take(d.ximat, 9 * b, 9), inertia: take(m.body_inertia, 3 * b, 3) });
  }
  for (let j = 0; j < m.njnt; ++j) {
    const dof = m.jnt_dofadr[j], q = m.jnt_qposadr[j], joint = m.jnt(j);
    out.joints.push({ name: joint.name || '', body: m.jnt_bodyid[j], type: m.jnt_type[j], anchor: take(d.xanchor, 3 * j, 3), axis: take(d.xaxis, 3 * j, 3),
      limited: !!joint.limited, range: take(m.jnt_range, 2 * j, 2), ref: m.qpos0[q], springref: m.qpos_spring[q], stiffness: m.jnt_stiffness[j],
      damping: m.dof_damping[dof], armature: m.dof_armature[dof], frictionloss: m.dof_frictionloss[dof],
      effort_limited: m.jnt_actfrcrange[2 * j] < m.jnt_actfrcrange[2 * j + 1], effort: take(m.jnt_actfrcrange, 2 * j, 2) });
  }
  for (let g = 0; g < m.ngeom; ++g) {
    out.geoms.push({ name: m.geom(g).name || '', body: m.geom_bodyid[g], type: m.geom_type[g], size: take(m.geom_size, 3 * g, 3),
      pos: take(d.geom_xpos, 3 * g, 3), mat: take(d.geom_xmat, 9 * g, 9), collides: m.geom_contype[g] !== 0 || m.geom_conaffinity[g] !== 0 });
  }
  const gains = m.actuator_gainprm.length / Math.max(1, m.nu), biases = m.actuator_biasprm.length / Math.max(1, m.nu);
  for (let u = 0; u < m.nu; ++u) {
    out.actuators.push({ name: m.actuator(u).name || '', gain: m.actuator_gainprm[gains * u],
      bias: take(m.actuator_biasprm, biases * u, 3), gear: m.actuator_gear[6 * u], range: take(m.actuator_ctrlrange, 2 * u, 2) });
  }
  for (let e = 0; e < m.nexclude; ++e) out.excludes.push([m.exclude_signature[e] >> 16, m.exclude_signature[e] & 0xffff]);
  const n = m.eq_data.length / Math.max(1, m.neq);
  for (let e = 0; e < m.neq; ++e) {
    const sites = m.eq_objtype[e] === mj.mjtObj.mjOBJ_SITE.value, type = m.eq_type[e];
    const point = type === mj.mjtEq.mjEQ_CONNECT.value || type === mj.mjtEq.mjEQ_WELD.value;
    const eq = { type, active: !!m.eq(e).active0, data: take(m.eq_data, n * e, n), a: m.eq_obj1id[e], b: m.eq_obj2id[e] };
    if (point && sites) {
      eq.sites = [eq.a, eq.b].map((s) => ({ pos: take(m.site_pos, 3 * s, 3), quat: take(m.site_quat, 4 * s, 4) }));
      eq.a = m.site_bodyid[eq.a];
      eq.b = m.site_bodyid[eq.b];
    }
    out.equalities.push(eq);
  }
  d.delete();
  return out;
}

// In a process of its own, which can be ended: some files break the module's memory, and it then loops or refuses whatever comes next.
async function compileOnRequest() {
  const mj = await load({ print: () => {}, printErr: () => {} });
  mount(mj, root, '/in');
  process.on('message', (file) => {
    try {
      const m = mj.MjModel.from_xml_path('/in/' + file);
      const found = describe(mj, m);
      m.delete();
      process.send(found);
    } catch (e) {
      process.send({ error: String(e?.message ?? e).split('\n    at ')[0].trim() || 'refused' });
    }
  });
}

const longest = 60_000;  // ms
let worker;
function restart() {
  worker?.kill('SIGKILL');
  worker = fork(fileURLToPath(import.meta.url), [root]);
}
const answer = (file) => new Promise((resolve) => {
  const done = (result) => { clearTimeout(timer); worker.removeAllListeners(); resolve(result); };
  const timer = setTimeout(() => done({ error: 'no answer within 60 s' }), longest);
  worker.on('message', done);
  worker.on('exit', () => done({ error: 'the module ended' }));
  worker.send(file);
});

// An error counts where a module that has seen nothing else makes it too.
async function compileAll() {
  restart();
  let fresh = true;
  for (const file of files) {
    let result = await answer(file);
    if (result.error && !fresh) {
      restart();
      result = await answer(file);
    }
    fresh = Boolean(result.error) && !result.error.startsWith('MuJoCo Error');
    if (fresh) restart();
    process.stdout.write(JSON.stringify({ file, ...result }) + '\n');
  }
  worker.kill('SIGKILL');
}

await (process.send ? compileOnRequest() : compileAll());
