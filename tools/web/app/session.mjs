// What is open and where it stands. The page shows `state`; what the reader does goes through here to the solver and to the view.
import { robotsIn } from './files.mjs';
import { solver } from './solver.mjs';

export const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

// Takes values one after the other: of those that come meanwhile the last one counts. What is returned, also without a value,
// is kept once none is left.
function latest(take) {
  let next = null, running = null;
  const takeAll = async () => {
    try {
      while (next) {
        const now = next;
        next = null;
        await take(now);
      }
    } finally {
      running = null;
    }
  };
  return (value = next) => {
    next = value;
    return running ??= next && takeAll();
  };
}

export class Session {
  constructor(changed) {
    this.changed = changed;
    this.state = { status: 'Starting the solver…', notice: '', robot: null, posture: null, other: null, stopped: '', slow: false, lit: {}, reach: {} };
    this.viewer = null;
    this.order = 0;
    solver.onSlow = (slow) => { if (slow !== this.state.slow) this.set({ slow }); };
    this.move = latest((values) => this.moved('set', { values }));
    this.pull = latest((target) => this.dragged(target));
  }

  set(some) {
    this.state = { ...this.state, ...some };
    this.changed(this.state);
  }

  // A question; where the solver was lost, the robot is opened again before the reason is passed on.
  async ask(what, words) {
    try {
      return await solver.ask(what, words);
    } catch (error) {
      if (error.trapped) await this.recover(error);
      throw error;
    }
  }
  stop() { solver.stop(); }

  recover(error) {
    this.recovering ??= this.again(error).finally(() => { this.recovering = null; });
    return this.recovering;
  }
  async again(error) {
    const { robot, posture, other } = this.state;
    const why = error.stopped ? 'The solver was stopped.' : `The solver failed (${error.message}).`;
    if (!robot?.scene) return this.set({ notice: why });
    try {
      await solver.ready;
      await solver.ask('open', { files: robot.files, name: robot.name, options: robot.options });
      const now = await solver.ask('stand', { values: posture.values });
      if (other) await solver.ask('open', { files: other.files, name: other.name, slot: 'other' });
      this.viewer.place(now.poses);
      this.set({ notice: `${why} The robot was opened again.`, posture: { ...posture, ...now } });
    } catch (second) {
      this.set({ notice: `${why} The robot cannot be opened again: ${second.message}`, robot: null, posture: null, other: null });
    }
    return undefined;
  }

  /** Opens the robot `name` of the files. With `keep` the camera stays, and the posture where it can. */
  async open(files, name = robotsIn(files)[0], { keep = false, values, options = {} } = {}) {
    if (!name) return this.set({ status: 'There is no robot description among these files.' });
    const order = ++this.order, before = this.state;
    this.set({ status: `Opening ${name}…`, notice: '' });
    try {
      await solver.ready;
      let found = await this.ask('open', { files, name, options });
      const errors = found.messages.filter((message) => message.severity === 'error');
      if (!found.scene && errors.every((message) => message.code === 'side-car-unknown')) {  // a side-car that this page cannot read: the robot without it
        options = { ...options, with: 'none' };
        found = await this.ask('open', { files, name, options });
        found.messages.push(...errors.map((message) => ({ ...message, severity: 'warning', message: `${message.message}: the robot is read without it` })));
      }
      if (order !== this.order) return undefined;
      if (!found.scene) this.viewer.clear();
      if (!found.scene) return this.set({ robot: { ...found, files, name, options, missing: [] }, posture: null, other: null, stopped: '', reach: {}, status: `${name} has errors.` });
      values ??= keep && before.posture ? Object.fromEntries(before.posture.coordinates.map((each, i) => [each, before.posture.values[i]])
        .filter(([each]) => each.independent && !each.quaternion).map(([each, value]) => [each.name, value])) : null;
      if (values) found.posture = { ...found.posture, ...await solver.ask('set', { values: this.known(values, found.posture) }).catch(() => ({})) };
      const missing = await this.viewer.open(found, files, { keep: keep && !!before.robot?.scene });
      this.set({ robot: { ...found, files, name, options, missing }, posture: found.posture, other: null, stopped: '', lit: {}, reach: {},
        status: `${found.facts.name || name}: ${counted(found.facts.links, 'link')}, ${counted(found.facts.loops, 'loop')}, mobility ${found.facts.mobility}` });
      this.reachAll();
    } catch (error) {
      this.set({ status: error.message });
    }
    return undefined;
  }

  known(values, posture) { return Object.fromEntries(Object.entries(values).filter(([name]) => posture.coordinates.some((each) => each.name === name))); }

  async moved(what, words) {
    this.reaching = null;  // what is reached from here is asked once the hand is still
    try {
      const now = await this.ask(what, words);
      this.stand(now);
      this.set({ stopped: '' });
      await this.follow();
      return now;
    } catch (error) {
      this.set({ stopped: error.trapped ? '' : error.message, posture: this.state.posture && { ...this.state.posture } });
      return null;
    }
  }
  stand(now) {
    this.viewer.place(now.poses);
    this.set({ posture: { ...this.state.posture, values: now.values, residual: now.residual, poses: now.poses } });
  }
  reset() { return this.moved('set', { values: {} }); }

  /** Free coordinates that a hand moves: not those of the base in the air. */
  handles() {
    const { robot, posture } = this.state;
    const flying = new Set(robot.scene.joints.filter((joint) => joint.type === 'free').map((joint) => joint.name));
    return posture.coordinates.filter((each) => each.independent && !each.quaternion && !flying.has(each.joint)).map((each) => each.name);
  }
  /** Takes a link at a point: true where it can be moved. */
  grab({ index, point }) {
    const free = this.state.robot?.scene ? this.handles() : [];
    if (free.length === 0) return false;
    const pose = this.state.posture.poses[index], from = point.map((value, axis) => value - pose[4 * axis + 3]);
    this.held = { link: index, free, point: [0, 1, 2].map((column) => pose[column] * from[0] + pose[4 + column] * from[1] + pose[8 + column] * from[2]) };
    return true;
  }
  async dragged(target) {
    const { held } = this;
    if (!held) return;
    const now = await this.moved('drag', { ...held, target });
    if (now?.moving?.length) held.free = now.moving;
  }
  letGo() {
    this.held = null;
    this.reachAll();
  }

  // How far each free coordinate of a loop goes from here, one after the other while nothing else is asked.
  async reachAll(names) {
    const { robot, posture } = this.state, order = this.order, turn = this.reaching = {};
    const inLoops = new Set(robot.facts.aggregate_links.filter((links) => links.length > 1).flat());
    const couples = (name) => robot.scene.joints.some((joint) => joint.name === name && inLoops.has(robot.scene.links[joint.successor].name));
    for (const each of posture.coordinates) {
      if (!each.independent || each.quaternion || !couples(each.joint) || (names && !names.includes(each.name))) continue;
      const { lower, upper } = rangeOf(each);
      const ends = await this.ask('reach', { name: each.name, lower, upper }).catch(() => null);
      if (turn !== this.reaching || order !== this.order) return;
      if (ends) this.set({ reach: { ...this.state.reach, [each.name]: ends } });
    }
  }

  light(lit) {
    this.viewer.light(lit);
    this.set({ lit });
  }

  /** A second robot beside the first. */
  async compare(files, name) {
    try {
      const found = await this.ask('open', { files, name, slot: 'other' });
      if (!found.scene) throw new Error(`${name} has errors: ${found.messages.find((each) => each.severity === 'error').message}`);
      const proof = await this.ask('verify', {});
      const missing = await this.viewer.open(found, files, { slot: 'other' });
      this.set({ other: { ...found, files, name, proof, missing, together: '' } });
      await this.follow();
    } catch (error) {
      this.set({ other: { error: error.message } });
    }
  }
  // The other one stands as the first, by the names of its free coordinates.
  async follow() {
    const { other, posture } = this.state;
    if (!other?.scene) return;
    const values = {};
    posture.coordinates.forEach((each, i) => {
      if (!each.quaternion && other.posture.coordinates.some((theirs) => theirs.name === each.name && theirs.independent)) values[each.name] = posture.values[i];
    });
    if (Object.keys(values).length === 0) return;
    try {
      const now = await this.ask('set', { values, slot: 'other' });
      this.viewer.place(now.poses, 'other');
      if (other.together) this.set({ other: { ...other, together: '' } });
    } catch (error) {
      if (this.state.other === other) this.set({ other: { ...other, together: error.message } });
    }
  }
  endCompare() {
    this.viewer.close('other');
    this.viewer.look();
    this.set({ other: null });
  }
}

/** Where a coordinate may go on a slider. */
export function rangeOf(info) {
  return { lower: info.lower ?? (info.length ? -1 : -Math.PI), upper: info.upper ?? (info.length ? 1 : Math.PI) };
}
