// A motion from the present posture, played; pictures and videos of it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { save, stem } from '../parts.jsx';

const perSecond = 50;
const recorder = () => ['video/webm;codecs=vp8', 'video/webm'].find((type) => globalThis.MediaRecorder?.isTypeSupported(type));

export function Simulate({ session, robot, posture }) {
  const [time, setTime] = useState(2);
  const [gravity, setGravity] = useState('');
  const [run, setRun] = useState(null);
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [recording, setRecording] = useState(false);
  const state = useRef({});
  const known = run?.scene === robot.scene ? run : null;

  const stand = (index) => {
    state.current.at = index;
    setAt(index);
    session.viewer.place(known.frames[index].poses);
  };
  const leave = () => { cancelAnimationFrame(state.current.frame); const now = session.state.posture; if (now) session.viewer.place(now.poses); };
  useEffect(() => leave, []);
  useEffect(() => { setPlaying(false); setRun(null); setAt(0); }, [robot.scene]);

  useEffect(() => {
    if (!playing || !known) return undefined;
    const from = known.times[state.current.at ?? 0], began = performance.now();
    const step = () => {
      const now = from + (performance.now() - began) / 1000;
      let index = known.times.findIndex((each) => each > now);
      if (index < 0) index = known.times.length - 1;
      stand(index);
      if (index === known.times.length - 1) setPlaying(false);
      else state.current.frame = requestAnimationFrame(step);
    };
    state.current.frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(state.current.frame);
  }, [playing]);

  const simulate = async () => {
    setPlaying(false);
    setRun({ scene: robot.scene, busy: true });
    const set = posture.coordinates.map((each, i) => [each, posture.values[i]]).filter(([each]) => each.independent && !each.quaternion).map(([each, value]) => `${each.name}=${value}`);
    try {
      const result = await session.ask('simulate', { options: { time, rows: 1 / perSecond, set, ...(gravity ? { gravity } : {}) } });
      state.current.at = 0;
      setAt(0);
      setRun({ scene: robot.scene, ...result });
      setPlaying(true);
    } catch (error) {
      setRun({ scene: robot.scene, error: error.message });
    }
  };
  const picture = () => session.viewer.canvas.toBlob((blob) => save(`${stem(robot.name)}.png`, blob));
  const video = () => {
    const pieces = [], type = recorder(), film = new MediaRecorder(session.viewer.canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 4e6 });
    film.ondataavailable = ({ data }) => pieces.push(data);
    film.onstop = () => { save(`${stem(robot.name)}.webm`, new Blob(pieces, { type: 'video/webm' })); setRecording(false); };
    stand(0);
    setRecording(true);
    state.current.film = film;
    film.onstart = () => setPlaying(true);
    film.start();
    session.viewer.draw();
  };
  useEffect(() => {
    const { film } = state.current;
    if (playing || film?.state !== 'recording') return;
    state.current.film = null;
    session.viewer.draw();
    setTimeout(() => film.stop(), 500);  // the last picture, too
  }, [playing]);

  const failed = known && !known.busy && (known.error ?? (known.done ? '' : known.messages.at(-1)?.message ?? 'The motion ended early.'));
  return (
    <div>
      <div class="fields">
        <label>Time <span><input type="number" min="0.1" max="60" step="0.1" value={time} onInput={(event) => setTime(Math.min(60, Math.max(0.1, Number(event.currentTarget.value) || 2)))} /> s</span></label>
        <label>Gravity <select value={gravity} onChange={(event) => setGravity(event.currentTarget.value)}>
          <option value="">of the file</option><option value="0,0,0">none</option><option value="0,0,-9.81">Earth, along −z</option><option value="0,0,-1.62">Moon, along −z</option></select></label>
      </div>
      <p class="quiet small">From the present posture, at rest, without motors or contact.</p>
      <button class="primary full" onClick={simulate} disabled={known?.busy}>{known?.busy ? 'Computing…' : 'Simulate'}</button>
      <p class="stopped" role="alert">{failed}</p>
      {known?.frames?.length > 1 && <>
        <div class="player">
          <button onClick={() => { if (!playing && at === known.frames.length - 1) stand(0); setPlaying(!playing); }} aria-label={playing ? 'Pause' : 'Play'}>{playing ? '❚❚' : '▶'}</button>
          <input type="range" aria-label="Time of the motion" min="0" max={known.frames.length - 1} step="1" value={at} onInput={(event) => { setPlaying(false); stand(Number(event.currentTarget.value)); }} />
          <output>{known.times[at].toFixed(2)} s</output>
        </div>
        <p class="quiet small">The loops stay closed within {Math.max(...known.frames.map((frame) => frame.residual)).toExponential(0)}.</p>
      </>}
      <div class="downloads">
        <button onClick={picture}>Picture (PNG)</button>
        {known?.frames && recorder() && <button onClick={video} disabled={recording}>{recording ? 'Recording…' : 'Video (WebM)'}</button>}
        {known?.table && <button onClick={() => save(`${stem(robot.name)}.csv`, known.table)}>Table (CSV)</button>}
      </div>
    </div>
  );
}
