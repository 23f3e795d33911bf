// What the tabs share.
import { useMemo, useState } from 'preact/hooks';
import { solver } from './solver.mjs';

const decoder = new TextDecoder();

// Arrow keys go from one button of a group to the next.
export function arrows(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
  next.focus();
  next.click();
}

export function save(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The name of a file without its folder and what stands behind the dot. */
export const stem = (name) => name.split('/').pop().replace(/(\.urdf|\.sdf)?\.[^.]*$/, '');

// Messages that say the same of different things are one row: the first, and how many more.
function alike(messages) {
  const order = { error: 0, warning: 1, note: 2 }, rows = new Map();
  for (const message of [...messages].sort((a, b) => order[a.severity] - order[b.severity])) {
    const key = `${message.severity} ${message.code} ${message.message.replace(/'[^']*'|-?\d[\d.e+-]*/g, '·')}`;
    if (rows.has(key)) rows.get(key).push(message);
    else rows.set(key, [message]);
  }
  return [...rows.values()];
}

export function Messages({ messages, files, empty = 'Nothing to say.' }) {
  const [open, setOpen] = useState(null);
  const [meaning, setMeaning] = useState({});
  const rows = useMemo(() => alike(messages), [messages]);
  if (messages.length === 0) return <p class="quiet">{empty}</p>;
  const look = (i, { code }) => {
    setOpen(open === i ? null : i);
    if (!meaning[code]) solver.ask('explain', { code }).then((found) => setMeaning((all) => ({ ...all, [code]: found })), () => {});
  };
  const excerpt = ({ file, line }) => {
    if (!Object.hasOwn(files, file) || !line) return null;
    const lines = decoder.decode(files[file]).split('\n');
    return lines.slice(Math.max(0, line - 2), line + 1).map((each, i) => ({ number: Math.max(1, line - 1) + i, each }));
  };
  return (
    <ul class="messages">
      {rows.slice(0, 300).map(([message, ...others], i) => (
        <li key={i} class={message.severity}>
          <button aria-expanded={open === i} onClick={() => look(i, message)}>
            <span class="tag">{message.severity}</span>
            <span>{message.message}</span>
            {message.line > 0 && <span class="place">line {message.line}</span>}
            {others.length > 0 && <span class="place">and {others.length} more</span>}
            {message.notes?.map((note) => <span class="note">{note}</span>)}
          </button>
          {open === i && (
            <div class="more">
              {excerpt(message) && <pre tabIndex="0">{excerpt(message).map(({ number, each }) => (
                <span class={number === message.line ? 'here' : ''}>{`${String(number).padStart(4)}  ${each}\n`}</span>))}</pre>}
              {others.length > 0 && <ul>{others.slice(0, 100).map((each) => <li>{each.message}{each.line > 0 && <span class="place">line {each.line}</span>}</li>)}</ul>}
              {meaning[message.code] && <p>{meaning[message.code].meaning}. {meaning[message.code].remedy}</p>}
              <code>{message.code}</code>
            </div>
          )}
        </li>
      ))}
      {rows.length > 300 && <li class="quiet">and {rows.length - 300} more</li>}
    </ul>
  );
}
