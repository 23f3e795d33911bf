// What each target would lose, at a glance; then the file, proved.
import { useEffect, useState } from 'preact/hooks';
import { Messages, arrows, save, stem } from '../parts.jsx';

export const targets = [['urdf+', 'URDF+', 'urdf'], ['urdf', 'URDF', 'urdf'], ['sdf', 'SDFormat', 'sdf'], ['mjcf', 'MuJoCo', 'xml'], ['mbs', 'Robotran', 'mbs'], ['usda', 'USD', 'usda']];
const weights = ['motion', 'interface', 'looks'];

// By target the number of losses of each weight; null where no file comes out.
function useLosses(session, robot) {
  const [losses, setLosses] = useState({});
  useEffect(() => {
    let wanted = true;
    setLosses({});
    (async () => {
      for (const [id] of targets) {
        const result = await session.ask('convert', { to: id, verify: false }).catch(() => null);
        if (!wanted) return;
        const found = result && result.end === 0 ? weights.map((weight) => result.report.losses.filter((loss) => loss.weight === weight).length) : null;
        setLosses((all) => ({ ...all, [id]: found }));
      }
    })();
    return () => { wanted = false; };
  }, [robot.scene]);
  return losses;
}

function Target({ id, title, losses, on, onClick }) {
  const said = losses === undefined ? title : losses === null ? `${title}: no file` : losses.some(Boolean) ? `${title}: loses ${losses.map((count, i) => `${count} of ${weights[i]}`).join(', ')}` : `${title}: loses nothing`;
  return (
    <button role="radio" aria-checked={on} aria-label={said} tabIndex={on ? 0 : -1} class={on ? 'on' : ''} onClick={onClick}>
      <span>{title}</span>
      {losses === null ? <span class="bad none">no file</span> : weights.map((weight, i) => (
        <span class={losses?.[i] ? (i === 0 ? 'bad' : i === 1 ? 'fair' : '') : 'quiet'}>{losses ? losses[i] || '–' : '…'}</span>))}
    </button>
  );
}

export function Convert({ session, robot }) {
  const { name, files, scene } = robot;
  const losses = useLosses(session, robot);
  const [to, setTo] = useState('mjcf');
  const [last, setLast] = useState(null);
  const state = last?.to === to && last.scene === scene ? last : null;  // what was said of another is no answer
  const run = async () => {
    setLast({ to, scene, busy: true });
    try {
      setLast({ to, scene, result: await session.ask('convert', { to, verify: true }) });
    } catch (error) {
      setLast({ to, scene, error: error.message });
    }
  };
  const { result } = state ?? {};
  const out = `${stem(name)}.${targets.find(([id]) => id === to)[2]}`;
  const verdict = result?.proof?.verdict;
  const said = { equivalent: 'Equivalent: the same motion and dynamics', except: 'Equivalent, except for what is listed', different: 'Not equivalent', 'not proved': 'Not proved' };
  const lost = result?.messages.filter((message) => message.code.startsWith('loss-')) ?? [];
  const others = result?.messages.filter((message) => !message.code.startsWith('loss-')) ?? [];
  return (
    <div>
      <div class="targethead" aria-hidden="true"><span>Losses of</span>{weights.map((weight) => <span>{weight}</span>)}</div>
      <div class="targets" role="radiogroup" aria-label="Target format" onKeyDown={arrows}>
        {targets.map(([id, title]) => <Target id={id} title={title} losses={losses[id]} on={to === id} onClick={() => setTo(id)} />)}
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
      {result && <h2>{lost.length === 0 ? 'Nothing is lost' : lost.length === 1 ? '1 loss' : `${lost.length} losses`}</h2>}
      {lost.length > 0 && <Messages messages={lost} files={files} />}
      {others.length > 0 && <><h2>Decided and noticed</h2><Messages messages={others} files={files} /></>}
    </div>
  );
}
