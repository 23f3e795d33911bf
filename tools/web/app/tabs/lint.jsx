// What a colleague would point at, and what can be mended.
import { useEffect, useState } from 'preact/hooks';
import { Messages, save, stem } from '../parts.jsx';

const probable = { 'lint-limits-absent': 'joints without limits turn freely', 'lint-rpy-degrees': 'angles in degrees become radians' };

export function Lint({ session, robot }) {
  const [codes, setCodes] = useState([]);
  const [found, setFound] = useState(null);
  useEffect(() => { setCodes([]); setFound(null); }, [robot.scene]);
  useEffect(() => {
    let wanted = true;
    session.ask('lint', { fix: ['certain', ...codes] }).then((answer) => wanted && setFound(answer), (error) => wanted && setFound({ error: error.message }));
    return () => { wanted = false; };
  }, [robot.scene, codes.join()]);
  if (!found) return <p class="quiet">Reading…</p>;
  if (found.error) return <p class="verdict bad">{found.error}</p>;
  const offered = Object.keys(probable).filter((code) => found.messages.some((message) => message.code === code));
  const fixed = found.fixed ?? [], name = `${stem(robot.name)}_fixed.${robot.name.split('.').pop()}`;
  return (
    <div>
      <Messages messages={found.messages} files={robot.files} empty="Nothing to point at." />
      {offered.length > 0 && <fieldset class="fixes"><legend>Probable mistakes: mend them too</legend>{offered.map((code) => (
        <label><input type="checkbox" checked={codes.includes(code)} onChange={(event) => setCodes(event.currentTarget.checked ? [...codes, code] : codes.filter((each) => each !== code))} />
          <span>{probable[code]} <code>{code}</code></span></label>))}</fieldset>}
      {fixed.length > 0 && <>
        <h2>{fixed.length === 1 ? '1 place is mended' : `${fixed.length} places are mended`}</h2>
        <ul class="lines">{fixed.slice(0, 200).map((line) => <li>{line}</li>)}</ul>
        <div class="downloads">
          <button onClick={() => save(name, found.text)}>Download {name}</button>
          <button onClick={() => session.open({ ...robot.files, [robot.name]: new TextEncoder().encode(found.text) }, robot.name, { keep: true })}>Open the mended text</button>
        </div>
      </>}
    </div>
  );
}
