// A second robot beside the first: are they the same mechanism?
import { useRef, useState } from 'preact/hooks';
import { fromList, robotsIn } from '../files.mjs';
import { Messages, stem } from '../parts.jsx';
import { targets } from './convert.jsx';

export function Compare({ session, robot, other }) {
  const picker = useRef();
  const [why, setWhy] = useState('');
  const others = robotsIn(robot.files).filter((name) => name !== robot.name);
  const withFiles = async (coming) => {
    try {
      const files = await coming, [name] = robotsIn(files);
      setWhy(name ? '' : 'There is no robot description among these files.');
      if (name) await session.compare({ ...robot.files, ...files }, name);
    } catch (error) { setWhy(error.message); }
  };
  const withTarget = async (to) => {
    try {
      const result = await session.ask('convert', { to, verify: false });
      if (result.end !== 0) return setWhy('The conversion writes no file: see Convert.');
      setWhy('');
      const name = `converted/${stem(robot.name)}.${targets.find(([id]) => id === to)[2]}`, encoder = new TextEncoder();
      await session.compare({ ...robot.files, [name]: encoder.encode(result.text), ...Object.fromEntries(result.files.map((file) => [`converted/${file.name}`, encoder.encode(file.text)])) }, name);
    } catch (error) { setWhy(error.message); }
    return undefined;
  };
  const proof = other?.proof;
  return (
    <div>
      <p class="quiet small">The other robot is drawn beside this one. Both move together by the names of their coordinates.</p>
      <div class="downloads">
        <button class="primary" onClick={() => picker.current.click()}>Choose a file</button>
        <select aria-label="Compare with" value="" onChange={(event) => {
          const [kind, word] = [event.currentTarget.value.slice(0, 1), event.currentTarget.value.slice(2)];
          event.currentTarget.value = '';
          if (kind === 'f') session.compare(robot.files, word);
          else withTarget(word);
        }}>
          <option value="">Or this robot as…</option>
          {targets.map(([id, title]) => <option value={`t:${id}`}>converted to {title}</option>)}
          {others.map((name) => <option value={`f:${name}`}>{name}</option>)}
        </select>
        {other?.scene && <button onClick={() => session.endCompare()}>Close it</button>}
        <input ref={picker} class="second" type="file" multiple hidden aria-hidden="true" onChange={(event) => withFiles(fromList(event.currentTarget.files))} />
      </div>
      <div role="status" aria-live="polite">
        {why && <p class="verdict bad">{why}</p>}
        {other?.error && <p class="verdict bad">{other.error}</p>}
        {proof && <p class={`verdict ${proof.verdict === 'different' ? 'bad' : proof.verdict === 'equivalent' ? 'good' : 'fair'}`}>{proof.line}</p>}
      </div>
      {other?.together && <p class="stopped">It cannot follow: {other.together}</p>}
      {other?.missing?.length > 0 && <p class="stopped">{other.missing.length} of its mesh files are not among the files.</p>}
      {proof && <>
        <h2>{other.name.split('/').pop()}: {proof.differences.length === 0 ? 'nothing differs' : 'what differs'}</h2>
        {proof.differences.length > 0 && <ul class="lines">{proof.differences.map((line) => <li>{line}</li>)}</ul>}
        <h2>Checks</h2>
        <table class="checks"><thead><tr><th scope="col">What</th><th scope="col">Largest error</th></tr></thead><tbody>{proof.checks.map((check) => (
          <tr><td>{check.what}</td><td class={check.max_error <= check.tolerance ? 'good' : 'bad'}>{check.max_error === 0 ? '0' : check.max_error?.toExponential(1)}</td></tr>))}</tbody></table>
        {proof.messages.length > 0 && <Messages messages={proof.messages} files={robot.files} />}
      </>}
    </div>
  );
}
