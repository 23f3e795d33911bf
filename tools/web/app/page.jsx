// The page: a robot on the left, what can be asked of it on the right.
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Viewer } from './viewer.mjs';
import { fromDrop, fromList, fromText, robotsIn } from './files.mjs';

const decoder = new TextDecoder();
const text = (id) => document.getElementById(id).textContent;

class Solver {
  constructor() {
    this.waiting = new Map();
    this.last = 0;
    this.worker = new Worker(URL.createObjectURL(new Blob([text('worker')], { type: 'text/javascript' })));
    this.worker.onmessage = ({ data }) => {
      const { done, fail } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error === undefined) done(data.answer);
      else fail(Object.assign(new Error(data.error), { trapped: data.trapped }));
    };
    const bytes = Uint8Array.from(atob(text('wasm').trim()), (letter) => letter.charCodeAt(0));
    this.ready = this.ask('start', { bytes });
  }

  ask(what, words = {}) {
    return new Promise((done, fail) => {
      this.waiting.set(++this.last, { done, fail });
      this.worker.postMessage({ id: this.last, what, ...words });
    });
  }
}

const solver = new Solver();
const samples = JSON.parse(text('samples'));
const targets = [['urdf+', 'URDF+', 'urdf'], ['urdf', 'URDF', 'urdf'], ['sdf', 'SDFormat', 'sdf'], ['mjcf', 'MuJoCo', 'xml'], ['mbs', 'Robotran', 'mbs'], ['usda', 'USD', 'usda']];
const layers = { visuals: 'Shapes', skeleton: 'Skeleton', joints: 'Joints', collisions: 'Collision', frames: 'Frames', masses: 'Mass centres' };

const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

// Arrow keys go from one button of a group to the next.
function arrows(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
  next.focus();
  next.click();
}

const shown = (value, length) => (length ? `${(value * 1000).toFixed(1)} mm` : `${(value * 180 / Math.PI).toFixed(1)}°`);

function Slider({ info, value, onMove }) {
  const lower = info.lower ?? (info.length ? -1 : -Math.PI), upper = info.upper ?? (info.length ? 1 : Math.PI);
  const outside = value < lower - 1e-9 || value > upper + 1e-9;
  const id = `c-${info.name}`;
  return (
    <div class={`slider ${info.independent ? '' : 'dependent'}`}>
      <label for={id}>{info.name}</label>
      <output for={id} class={outside ? 'bad' : ''}>{shown(value, info.length)}</output>
      <input id={id} type="range" min={lower} max={upper} step="any" value={value}
        onInput={(event) => onMove(info.name, Number(event.currentTarget.value))} />
    </div>
  );
}

function Messages({ messages, files }) {
  const [open, setOpen] = useState(null);
  const [meaning, setMeaning] = useState({});
  const order = { error: 0, warning: 1, note: 2 };
  const sorted = useMemo(() => [...messages].sort((a, b) => order[a.severity] - order[b.severity]), [messages]);
  if (messages.length === 0) return <p class="quiet">Nothing to say.</p>;
  const look = (i, message) => {
    setOpen(open === i ? null : i);
    if (!meaning[message.code]) solver.ask('explain', { code: message.code }).then((found) => setMeaning((all) => ({ ...all, [message.code]: found })), () => {});
  };
  const excerpt = ({ file, line }) => {
    if (!files[file] || !line) return null;
    const lines = decoder.decode(files[file]).split('\n');
    return lines.slice(Math.max(0, line - 2), line + 1).map((each, i) => ({ number: Math.max(1, line - 1) + i, each }));
  };
  return (
    <ul class="messages">
      {sorted.slice(0, 300).map((message, i) => (
        <li key={i} class={message.severity}>
          <button aria-expanded={open === i} onClick={() => look(i, message)}>
            <span class="tag">{message.severity}</span>
            <span>{message.message}</span>
            {message.line > 0 && <span class="place">line {message.line}</span>}
          </button>
          {open === i && (
            <div class="more">
              {excerpt(message) && <pre tabIndex="0">{excerpt(message).map(({ number, each }) => (
                <span class={number === message.line ? 'here' : ''}>{`${String(number).padStart(4)}  ${each}\n`}</span>))}</pre>}
              {meaning[message.code] && <p>{meaning[message.code].meaning}. {meaning[message.code].remedy}</p>}
              <code>{message.code}</code>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function save(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function Convert({ robot }) {
  const { name, files, scene } = robot;
  const [to, setTo] = useState('mjcf');
  const [last, setLast] = useState(null);
  const state = last?.to === to && last.scene === scene ? last : null;  // what was said of another is no answer
  const run = async () => {
    setLast({ to, scene, busy: true });
    try {
      setLast({ to, scene, result: await solver.ask('convert', { to, verify: true }) });
    } catch (error) {
      setLast({ to, scene, error: error.message });
    }
  };
  const { result } = state ?? {};
  const out = `${name.split('/').pop().replace(/(\.urdf|\.sdf)?\.[^.]*$/, '')}.${targets.find(([id]) => id === to)[2]}`;
  const verdict = result?.proof?.verdict;
  const said = { equivalent: 'Equivalent: the same motion and dynamics', except: 'Equivalent, except for what is listed', different: 'Not equivalent', 'not proved': 'Not proved' };
  const losses = result?.messages.filter((message) => message.code.startsWith('loss-')) ?? [];
  const others = result?.messages.filter((message) => !message.code.startsWith('loss-')) ?? [];
  return (
    <div>
      <div class="targets" role="radiogroup" aria-label="Target format" onKeyDown={arrows}>
        {targets.map(([id, title]) => (
          <button role="radio" aria-checked={to === id} tabIndex={to === id ? 0 : -1} class={to === id ? 'on' : ''} onClick={() => setTo(id)}>{title}</button>))}
      </div>
      <button class="primary" onClick={run} disabled={state?.busy}>{state?.busy ? 'Converting…' : 'Convert and prove'}</button>
      <div role="status" aria-live="polite">
        {state?.error && <p class="verdict bad">{state.error}</p>}
        {result && result.end !== 0 && <p class="verdict bad">No file: see the messages</p>}
        {result && result.end === 0 && <p class={`verdict ${verdict === 'equivalent' ? 'good' : verdict === 'different' ? 'bad' : 'fair'}`}>{said[verdict] ?? 'Written; nothing reads it back, so that nothing is proved'}
          {verdict && <small>{result.proof.checks.length} checks</small>}</p>}
      </div>
      {result?.end === 0 && (
        <div class="downloads">
          <button onClick={() => save(out, result.text)}>Download {out}</button>
          {result.files.map((file) => <button onClick={() => save(file.name, file.text)}>Download {file.name}</button>)}
        </div>)}
      {result && <h3>{losses.length === 0 ? 'Nothing is lost' : losses.length === 1 ? '1 loss' : `${losses.length} losses`}</h3>}
      {losses.length > 0 && <Messages messages={losses} files={files} />}
      {others.length > 0 && <><h3>Decided and noticed</h3><Messages messages={others} files={files} /></>}
    </div>
  );
}

function Facts({ facts }) {
  const rows = [['links', facts.links], ['joints', facts.joints], ['loops', facts.loops], ['mobility', facts.mobility], ['mass', `${Number(facts.total_mass.toPrecision(4))} kg`]];
  return <dl class="facts">{rows.map(([name, value]) => <div><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

function Page() {
  const canvas = useRef(), viewer = useRef(), picker = useRef(), folder = useRef();
  const [robot, setRobot] = useState(null);
  const [posture, setPosture] = useState(null);
  const [stopped, setStopped] = useState('');
  const [status, setStatus] = useState('Starting the solver…');
  const [tab, setTab] = useState('move');
  const [hover, setHover] = useState(false);
  const [on, setOn] = useState(null);
  const wanted = useRef(null), moving = useRef(false);

  const open = async (files, name = robotsIn(files)[0]) => {
    if (!name) return setStatus('There is no robot description among these files.');
    setStatus(`Opening ${name}…`);
    try {
      await solver.ready;
      const found = await solver.ask('open', { files, name });
      wanted.current = null;
      setStopped('');
      setPosture(found.posture ?? null);
      setRobot({ ...found, files, name, missing: [] });
      if (!found.scene) {
        setTab('messages');
        return setStatus(`${name} has errors.`);
      }
      const missing = await viewer.current.open(found.scene, found.posture.poses, files);
      setRobot((now) => ({ ...now, missing }));
      setOn({ ...viewer.current.shown });
      setTab('move');
      setStatus(`${found.facts.name || name}: ${counted(found.facts.links, 'link')}, ${counted(found.facts.loops, 'loop')}, mobility ${found.facts.mobility}`);
    } catch (error) {
      setStatus(error.message);
    }
    return undefined;
  };

  useEffect(() => {
    viewer.current = new Viewer(canvas.current);
    const sample = Object.keys(samples)[0];
    solver.ready.then(() => open({ [samples[sample].name]: new TextEncoder().encode(samples[sample].text) }), (error) => setStatus(error.message));
    const paste = (event) => {
      if (event.target.closest?.('input[type=text], textarea')) return;
      const words = event.clipboardData?.getData('text') ?? '';
      if (words.trim().startsWith('<')) open(fromText(words));
    };
    const over = (event) => { event.preventDefault(); setHover(true); };
    const leave = (event) => { if (!event.relatedTarget) setHover(false); };
    const drop = async (event) => {
      event.preventDefault();
      setHover(false);
      open(await fromDrop(event.dataTransfer));
    };
    addEventListener('paste', paste);
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    window.kinemorph = { open, viewer: viewer.current };  // for tests, and for the curious
  }, []);

  // One question at a time: of several moves meanwhile the last one counts.
  const move = async (name, value) => {
    wanted.current = { [name]: value };
    if (moving.current) return;
    moving.current = true;
    while (wanted.current) {
      const values = wanted.current;
      wanted.current = null;
      try {
        const now = await solver.ask('set', { values });
        viewer.current.place(now.poses);
        setPosture((before) => ({ ...before, ...now }));
        setStopped('');
      } catch (error) {
        setStopped(error.message);
        setPosture((before) => ({ ...before }));
      }
    }
    moving.current = false;
  };
  const reset = async () => {
    const now = await solver.ask('set', { values: {} });
    viewer.current.place(now.poses);
    setPosture((before) => ({ ...before, ...now }));
    setStopped('');
  };

  const coordinates = posture?.coordinates.map((info, i) => ({ info, value: posture.values[i] })).filter(({ info }) => !info.quaternion) ?? [];
  const free = coordinates.filter(({ info }) => info.independent), bound = coordinates.filter(({ info }) => !info.independent);
  const choices = robot ? robotsIn(robot.files) : [];
  const tabs = [['move', 'Move'], ['convert', 'Convert'], ['messages', `Messages${robot?.messages.length ? ` (${robot.messages.length})` : ''}`]];
  return (
    <div class={`page ${hover ? 'hover' : ''}`}>
      <header>
        <h1>kinemorph</h1>
        <p role="status" aria-live="polite">{status}</p>
        <div class="open">
          <label class="sample"><span class="hidden">Example</span>
            <select onChange={(event) => {
              const { name, text: words } = samples[event.currentTarget.value];
              event.currentTarget.value = '';
              open({ [name]: new TextEncoder().encode(words) });
            }}>
              <option value="">Examples</option>
              {Object.keys(samples).map((name) => <option value={name}>{name}</option>)}
            </select></label>
          <button onClick={() => folder.current.click()}>Folder</button>
          <button class="primary" onClick={() => picker.current.click()}>Open files</button>
          <input ref={picker} type="file" multiple hidden aria-hidden="true" onChange={async (event) => open(await fromList(event.currentTarget.files))} />
          <input ref={folder} type="file" webkitdirectory hidden aria-hidden="true" onChange={async (event) => open(await fromList(event.currentTarget.files))} />
        </div>
      </header>
      <main>
        <section class="stage" aria-label="The robot">
          <canvas ref={canvas} tabIndex="0" role="img" aria-label={robot?.facts ? `${robot.facts.name}, drawn` : 'No robot'} />
          {on && <div class="layers" role="group" aria-label="Layers">{Object.entries(layers).map(([id, title]) => (
            <button aria-pressed={on[id]} onClick={() => { viewer.current.show(id, !on[id]); setOn({ ...viewer.current.shown }); }}>{title}</button>))}</div>}
          {robot?.missing.length > 0 && <p class="note">{robot.missing.length} mesh {robot.missing.length === 1 ? 'file is' : 'files are'} not among the files: drop the robot’s whole folder to see {robot.missing.length === 1 ? 'it' : 'them'}.</p>}
          <p class="drop">Drop a robot: a file, a folder, a zip. Or paste its text.</p>
        </section>
        <section class="panel" aria-label="Questions">
          {robot?.facts && <Facts facts={robot.facts} />}
          {choices.length > 1 && <label class="file">File <select value={robot.name} onChange={(event) => open(robot.files, event.currentTarget.value)}>{choices.map((name) => <option>{name}</option>)}</select></label>}
          <div class="tabs" role="tablist" aria-label="Questions" onKeyDown={arrows}>{tabs.map(([id, title]) => (
            <button role="tab" id={`tab-${id}`} aria-controls={`panel-${id}`} aria-selected={tab === id} tabIndex={tab === id ? 0 : -1} onClick={() => setTab(id)}>{title}</button>))}</div>
          <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} class="tabpanel">
            {tab === 'move' && posture && <>
              <div class="closed"><span class={posture.residual < 1e-8 ? 'good' : 'bad'}>{robot.facts.loops + robot.facts.couplings === 0 ? 'No loops' : posture.residual < 1e-8 ? 'The loops are closed' : 'The loops are open'}
                {posture.residual > 0 && <small> within {posture.residual.toExponential(0)}</small>}</span><button onClick={reset}>Reset</button></div>
              <p class="stopped" role="alert">{stopped}</p>
              {free.length > 0 && <h3>Free</h3>}
              {free.map(({ info, value }) => <Slider key={info.name} info={info} value={value} onMove={move} />)}
              {bound.length > 0 && <h3>Follow the loops</h3>}
              {bound.map(({ info, value }) => <Slider key={info.name} info={info} value={value} onMove={move} />)}
              {coordinates.length === 0 && <p class="quiet">Nothing moves.</p>}
            </>}
            {tab === 'convert' && robot?.scene && <Convert robot={robot} />}
            {tab === 'convert' && robot && !robot.scene && <p class="quiet">A robot with errors cannot be converted.</p>}
            {tab === 'messages' && robot && <Messages messages={robot.messages} files={robot.files} />}
          </div>
        </section>
      </main>
    </div>
  );
}

render(<Page />, document.getElementById('app'));
