// The library as its users have it: use.mjs FOUR_BAR.sdf FIXTURES, in a folder where the package is installed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { explain, formats, open } from 'kinemorph';

const [, , file, fixtures] = process.argv;
const text = readFileSync(file, 'utf8');
const robot = await open({ 'four_bar.sdf': text }, 'four_bar.sdf');
assert.ok(robot.ok);
const seen = robot.inspect();
assert.deepEqual([seen.links, seen.loops, seen.mobility], [4, 1, 1]);

const scene = robot.scene();
const before = robot.posture();
assert.equal(before.poses.length, scene.links.length);
assert.equal(before.coordinates.length, before.values.length);
const free = before.coordinates.findIndex((each) => each.independent);
const { name } = before.coordinates[free];
const moved = robot.set({ [name]: '10deg' });
assert.ok(Math.abs(moved.values[free] - Math.PI / 18) < 1e-9);
assert.ok(moved.residual < 1e-9);
assert.notDeepEqual(moved.poses, before.poses);
assert.throws(() => robot.set({ nobody: 1 }), /there is no .*nobody|nobody/);
assert.deepEqual(robot.posture().values, moved.values);
assert.deepEqual(robot.reset().values, before.values);

const result = robot.convert('mjcf', { verify: true });
assert.equal(result.end, 0);
assert.match(result.text, /<mujoco/);
assert.ok(['equivalent', 'except'].includes(result.proof.verdict));
const back = await open({ 'four_bar.xml': result.text }, 'four_bar.xml');
assert.equal(back.inspect().mobility, 1);
assert.ok(['equivalent', 'except'].includes(robot.verify(back).verdict));
assert.equal('text' in robot.check('mjcf'), false);
assert.deepEqual(robot.check('mjcf').report, robot.convert('mjcf').report);
assert.throws(() => robot.convert('mjcf', { verfy: true }), /did you mean 'verify'/);

for (const kind of ['cg', 'cdd', 'lacg']) assert.ok(robot.graph(kind).nodes.length > 0);
assert.ok(Array.isArray(robot.lint().messages));
const motion = robot.simulate({ time: 0.05, step: 0.01 });
assert.ok(motion.done);
assert.equal(motion.table.trim().split('\n').length, 7);
const free_base = robot.simulate({ time: 0.05, base: 'floating', solver: 'implicit', set: { [name]: '5deg' }, gravity: [0, 0, -3] });
assert.ok(free_base.done);
assert.match(free_base.table, /q\.fix_to_world\.0/);
assert.throws(() => robot.simulate({ solvr: 'auto' }), /did you mean 'solver'/);
assert.throws(() => robot.simulate({ 'max-rows': 1e9 }), /'max-rows' is at most 1000000/);
assert.throws(() => robot.verify(robot, { states: 0 }), /'states' '0' is not from 1 to 100000/);

// Other files: xacro includes, packages and models, by their names in the folder.
const macro = await open({
  'robots/a.urdf.xacro': '<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="$(find parts)/link.xacro"/><xacro:a_link name="$(arg n)"/></robot>',
  'parts/package.xml': '<package><name>parts</name></package>',
  'parts/link.xacro': '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="a_link" params="name"><link name="${name}"/></xacro:macro></robot>',
}, 'robots/a.urdf.xacro', { 'xacro-arg': { n: 'hand' } });
assert.ok(macro.ok, JSON.stringify(macro.messages));
assert.equal(macro.scene().links[1].name, 'hand');
// Words of the rules stand where the link was written.
const heavy = await open({
  'r.urdf.xacro': `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="body" params="kg"><link name="b">
<inertial><mass value="\${kg}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></xacro:macro>
<link name="a"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/></joint>
<xacro:body kg="20000"/></robot>`,
}, 'r.urdf.xacro');
const word = heavy.lint().messages.find((message) => message.code === 'lint-mass-unit');
assert.deepEqual([word.file, word.line], ['r.urdf.xacro', 3]);
const world = await open({
  'world.sdf': '<sdf version="1.9"><model name="m"><include><uri>model://box</uri></include></model></sdf>',
  'models/box/model.config': '<model><name>box</name><sdf version="1.9">model.sdf</sdf></model>',
  'models/box/model.sdf': '<sdf version="1.9"><model name="box"><link name="side"/></model></sdf>',
}, 'world.sdf');
assert.ok(world.ok, JSON.stringify(world.messages));
assert.ok(world.scene().links.some((link) => link.name.includes('side')));

const broken = await open({ 'a.urdf': readFileSync(`${fixtures}/invalid/joint_cycle.urdf`) });
assert.equal(broken.ok, false);
assert.ok(broken.messages.some((message) => message.severity === 'error' && message.line > 0));
assert.throws(() => broken.scene());
await assert.rejects(open({ 'a.urdf': '' }, 'b.urdf'), /there is no file 'b.urdf'/);

assert.ok((await formats()).formats.some((format) => format.name === 'mjcf'));
assert.match((await explain('base-fixed')).meaning, /base/);
await assert.rejects(explain('base-fixd'), /did you mean 'base-fixed'/);
robot.free();
assert.throws(() => robot.scene());
console.log('library: used');
