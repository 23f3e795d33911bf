// The page: a robot on the left, what can be asked of it on the right.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Viewer } from './viewer.mjs';
import { textOf } from './embedded.mjs';
import { fromDrop, fromList, fromText, robotsIn } from './files.mjs';
import { given, watch } from './given.mjs';
import { Messages, arrows } from './parts.jsx';
import { Session, counted } from './session.mjs';
import { fragmentOf, robotOf } from './share.mjs';
import { solver } from './solver.mjs';
import { Compare } from './tabs/compare.jsx';
import { Convert } from './tabs/convert.jsx';
import { Graph } from './tabs/graph.jsx';
import { Lint } from './tabs/lint.jsx';
import { Move } from './tabs/move.jsx';
import { Simulate } from './tabs/simulate.jsx';

const samples = JSON.parse(textOf('samples'));
const encoder = new TextEncoder();
const layers = { visuals: 'Shapes', skeleton: 'Skeleton', joints: 'Joints', axes: 'Axes', aggregates: 'Aggregates', collisions: 'Collision', frames: 'Frames', masses: 'Mass centres', inertias: 'Inertia' };
const openSample = (session, name) => session.open({ [samples[name].name]: encoder.encode(samples[name].text) });

// What comes first: the robot of the address, the one that was put into the page, an example.
async function begin(session) {
  try {
    await solver.ready;
    const shared = await robotOf(location.hash);
    const robot = shared ?? given();
    if (robot) await session.open(robot.files, robot.name, { values: robot.values, options: robot.options });
    else await openSample(session, Object.keys(samples)[0]);
  } catch (error) {
    session.set({ status: error.message });
  }
}

// What is on its way in; where it cannot be taken, the status says why.
async function opened(session, coming) {
  let files;
  try {
    files = await coming;
  } catch (error) {
    return session.set({ status: error.message });
  }
  return session.open(files);
}

// Ways in besides the buttons.
function useDoors(session, setHover) {
  useEffect(() => {
    const paste = (event) => {
      if (event.target.closest?.('input[type=text], input[type=number], textarea')) return;
      const words = event.clipboardData?.getData('text') ?? '';
      if (words.trim().startsWith('<')) session.open(fromText(words));
    };
    const over = (event) => { event.preventDefault(); setHover(true); };
    const leave = (event) => { if (!event.relatedTarget) setHover(false); };
    const drop = async (event) => {
      event.preventDefault();
      setHover(false);
      opened(session, fromDrop(event.dataTransfer));
    };
    addEventListener('paste', paste);
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    addEventListener('hashchange', () => begin(session));
  }, []);
}

function Facts({ facts }) {
  const rows = [['links', facts.links], ['joints', facts.joints], ['loops', facts.loops], ['mobility', facts.mobility], ['mass', `${Number(facts.total_mass.toPrecision(4))} kg`]];
  return <dl class="facts">{rows.map(([name, value]) => <div><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

function Share({ session, state }) {
  const [said, setSaid] = useState('');
  const share = async () => {
    const { robot, posture } = state;
    const values = posture && Object.fromEntries(posture.coordinates.map((each, i) => [each, posture.values[i]])
      .filter(([each]) => each.independent && !each.quaternion).map(([each, value]) => [each.name, Number(value.toPrecision(8))]));
    try {
      const { fragment, left } = await fragmentOf({ ...robot, values });
      history.replaceState(null, '', fragment);
      const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
      setSaid(`${copied ? 'The address with the robot in it is copied' : 'The address of this page holds the robot now: copy it'}${left ? `; ${counted(left, 'file')} left out` : ''}.`);
    } catch (error) { setSaid(error.message); }
  };
  useEffect(() => { setSaid(''); }, [state.robot?.scene]);
  return (
    <>
      <button onClick={share} disabled={!state.robot}>Share</button>
      {said && <p class="said" role="status">{said}<button aria-label="Close" onClick={() => setSaid('')}>×</button></p>}
    </>
  );
}

function Header({ session, state }) {
  const picker = useRef(), folder = useRef();
  return (
    <header>
      <h1>kinemorph</h1>
      <p class="status" role="status" aria-live="polite">{state.status}</p>
      {state.slow && <button class="stop" onClick={() => session.stop()}>Stop</button>}
      <div class="open">
        <label class="sample"><span class="hidden">Example</span>
          <select onChange={(event) => {
            const name = event.currentTarget.value;
            event.currentTarget.value = '';
            openSample(session, name);
          }}>
            <option value="">Examples</option>
            {Object.keys(samples).map((name) => <option value={name}>{name}</option>)}
          </select></label>
        <Share session={session} state={state} />
        <button class="wide" onClick={() => folder.current.click()}>Folder</button>
        <button class="primary" onClick={() => picker.current.click()}>Open files</button>
        <input ref={picker} type="file" multiple hidden aria-hidden="true" onChange={(event) => opened(session, fromList(event.currentTarget.files))} />
        <input ref={folder} type="file" webkitdirectory hidden aria-hidden="true" onChange={(event) => opened(session, fromList(event.currentTarget.files))} />
      </div>
    </header>
  );
}

function Stage({ session, state, canvas }) {
  const { robot, notice, lit } = state;
  const [on, setOn] = useState(null);
  const toggle = (id) => { session.viewer.show(id, !session.viewer.shown[id]); setOn({ ...session.viewer.shown }); };
  useEffect(() => { if (robot?.scene) setOn({ ...session.viewer.shown }); }, [robot?.scene]);
  const missing = robot?.missing.length ?? 0;
  return (
    <section class="stage" aria-label="The robot">
      <canvas ref={canvas} tabIndex="0" role="img" aria-label={`${robot?.facts ? `${robot.facts.name}, drawn` : 'No robot'}; arrow keys turn it, plus and minus zoom, Home shows all`} />
      {on && <div class="layers" role="group" aria-label="Layers">{Object.entries(layers).map(([id, title]) => (
        <button aria-pressed={on[id]} onClick={() => toggle(id)}>{title}</button>))}</div>}
      <div class="notes">
        <p class="drop">Drop a robot: a file, a folder, a zip. Or paste its text. Pull a link to move it.</p>
        {session.viewer && !session.viewer.renderer && <p class="note">This browser draws no 3D: WebGL is off or absent. Pictures and videos are missing; everything else works.</p>}
        {notice && <p class="notice" role="alert">{notice}</p>}
        {missing > 0 && <p class="note">{missing} mesh {missing === 1 ? 'file is' : 'files are'} not among the files: drop the robot’s whole folder to see {missing === 1 ? 'it' : 'them'}.</p>}
      </div>
      <p class="pointed" aria-hidden="true">{[...(lit.links ?? []), ...(lit.joints ?? [])].slice(0, 3).join(', ')}</p>
    </section>
  );
}

function Page() {
  const canvas = useRef(), kept = useRef();
  const [state, setState] = useState(null);
  const [tab, setTab] = useState('move');
  const [hover, setHover] = useState(false);
  const session = kept.current ??= new Session(setState);
  const now = state ?? session.state;
  const { robot, posture, other, lit } = now;
  useDoors(session, setHover);
  useEffect(() => {
    session.viewer = new Viewer(canvas.current, {
      onPoint: (what) => session.light(what ? (what.link ? { links: [what.link] } : { joints: [what.joint] }) : {}),
      onGrab: (what) => session.grab(what),
      onPull: (point) => session.pull(point),
      onLetGo: () => session.letGo(),
    });
    window.kinemorph = { open: (files, name) => session.open(files, name), viewer: session.viewer, session, solver };  // for tests, and for the curious
    begin(session);
    watch((next) => session.open(next.files, next.name, { keep: true, options: next.options }));
  }, []);
  useEffect(() => { if (robot) setTab(robot.scene ? 'move' : 'messages'); }, [robot?.name, !robot?.scene]);

  const choices = robot ? robotsIn(robot.files) : [];
  const tabs = [['move', 'Move'], ['convert', 'Convert'], ['graph', 'Graph'], ['compare', 'Compare'], ['simulate', 'Simulate'], ['lint', 'Lint'], ['messages', `Messages${robot?.messages.length ? ` (${robot.messages.length})` : ''}`]];
  const needs = tab !== 'messages' && !robot?.scene;
  return (
    <div class={`page ${hover ? 'hover' : ''}`}>
      <Header session={session} state={now} />
      <main class={tab === 'graph' ? 'broad' : ''}>
        <Stage session={session} state={now} canvas={canvas} />
        <section class="panel" aria-label="Questions">
          {robot?.facts && <Facts facts={robot.facts} />}
          {choices.length > 1 && <label class="file">File <select value={robot.name} onChange={(event) => session.open(robot.files, event.currentTarget.value)}>{choices.map((name) => <option>{name}</option>)}</select></label>}
          <div class="tabs" role="tablist" aria-label="Questions" onKeyDown={arrows}>{tabs.map(([id, title]) => (
            <button role="tab" id={`tab-${id}`} aria-controls={`panel-${id}`} aria-selected={tab === id} tabIndex={tab === id ? 0 : -1} onClick={() => setTab(id)}>{title}</button>))}</div>
          <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} class="tabpanel">
            {needs && robot && <p class="quiet">A robot with errors can only be read about: see its messages.</p>}
            {tab === 'move' && !needs && <Move session={session} state={now} />}
            {tab === 'convert' && !needs && <Convert session={session} robot={robot} />}
            {tab === 'graph' && !needs && <Graph session={session} robot={robot} lit={lit} />}
            {tab === 'compare' && !needs && <Compare session={session} robot={robot} other={other} />}
            {tab === 'simulate' && !needs && <Simulate session={session} robot={robot} posture={posture} />}
            {tab === 'lint' && !needs && <Lint session={session} robot={robot} />}
            {tab === 'messages' && robot && <Messages messages={robot.messages} files={robot.files} />}
          </div>
        </section>
      </main>
    </div>
  );
}

render(<Page />, document.getElementById('app'));
