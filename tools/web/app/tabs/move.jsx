// Sliders: the free coordinates, and those that follow.
import { rangeOf } from '../session.mjs';

const rounded = (value) => value.toFixed(1).replace(/^-0\.0$/, '0.0');
const shown = (value, length) => (length ? `${rounded(value * 1000)} mm` : `${rounded(value * 180 / Math.PI)}°`);

// How far it goes from here, beneath the slider: the rest of the way a loop cannot follow.
function Reach({ info, ends, lower, upper }) {
  if (!ends || upper <= lower) return null;
  const at = (value) => 100 * (value - lower) / (upper - lower), little = 1e-3 * (upper - lower);
  const dead = [ends[0] > lower + little, ends[1] < upper - little];
  if (!dead[0] && !dead[1]) return null;
  return (
    <div class="reach">
      <div class="bar" aria-hidden="true"><span class={dead.map((each, i) => (each ? ['dead-lower', 'dead-upper'][i] : '')).join(' ')}
        style={{ left: `${at(ends[0])}%`, width: `${at(ends[1]) - at(ends[0])}%` }} /></div>
      <small>The loop follows from {shown(ends[0], info.length)} to {shown(ends[1], info.length)}</small>
    </div>
  );
}

function Slider({ info, value, ends, lit, session }) {
  const { lower, upper } = rangeOf(info);
  const outside = value < lower - 1e-9 || value > upper + 1e-9;
  const id = `c-${info.name}`, point = (on) => session.light(on ? { joints: [info.joint] } : {});
  const limits = info.lower === null && info.upper === null ? 'no limits' : `limits ${info.lower === null ? '−∞' : shown(lower, info.length)} to ${info.upper === null ? '∞' : shown(upper, info.length)}`;
  return (
    <div class={`slider ${info.independent ? '' : 'dependent'} ${lit ? 'lit' : ''}`} onMouseEnter={() => point(true)} onMouseLeave={() => point(false)}>
      <label for={id}>{info.name}</label>
      <output for={id} class={outside ? 'bad' : ''}>{shown(value, info.length)}</output>
      <input id={id} type="range" min={lower} max={upper} step="any" value={value} title={limits} aria-description={limits}
        onInput={(event) => session.move({ [info.name]: Number(event.currentTarget.value) })}
        onChange={() => session.reachAll()} />
      <Reach info={info} ends={ends} lower={lower} upper={upper} />
    </div>
  );
}

export function Move({ session, state }) {
  const { robot, posture, stopped, reach, lit } = state;
  if (!posture) return null;
  const coordinates = posture.coordinates.map((info, i) => ({ info, value: posture.values[i] })).filter(({ info }) => !info.quaternion);
  const free = coordinates.filter(({ info }) => info.independent), bound = coordinates.filter(({ info }) => !info.independent);
  const closed = posture.residual < 1e-8, slider = ({ info, value }) => (
    <Slider key={info.name} info={info} value={value} ends={reach[info.name]} lit={lit.joints?.includes(info.joint)} session={session} />);
  return (
    <>
      <div class="closed">
        <span class={closed ? 'good' : 'bad'}>{robot.facts.loops + robot.facts.couplings === 0 ? 'No loops' : closed ? 'The loops are closed' : 'The loops are open'}
          {posture.residual > 0 && <small> within {posture.residual.toExponential(0)}</small>}</span>
        <button onClick={async () => { await session.reset(); session.reachAll(); }}>Reset</button>
      </div>
      <p class="stopped" role="alert">{stopped}</p>
      {free.length > 0 && <h2>Free</h2>}
      {free.map(slider)}
      {bound.length > 0 && <h2>Follow the loops</h2>}
      {bound.map(slider)}
      {coordinates.length === 0 && <p class="quiet">Nothing moves.</p>}
    </>
  );
}
