// The robot that `kinemorph view` put into the page; with --watch, what it writes beside the page is asked for again and again.
const every = 1000;  // ms

const filesOf = ({ name, files, from }) => ({
  name, options: from ? { from } : {}, files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))])),
});
const words = () => {
  const script = document.getElementById('given');
  return script ? JSON.parse(script.textContent) : null;
};

export function given() {
  const found = words();
  return found && filesOf(found);
}

/** Calls back with each new state of the files. A page from a disk may not fetch; a script it may have. */
export function watch(changed) {
  const first = words();
  if (!first?.watch) return;
  let stamp = first.stamp;
  globalThis.kinemorphGiven = (next) => {
    if (next.stamp === stamp) return;
    stamp = next.stamp;
    changed(filesOf(next));
  };
  setInterval(() => {
    const script = document.createElement('script');
    script.src = `${first.watch}?${Date.now()}`;
    script.onload = script.onerror = () => script.remove();
    document.head.append(script);
  }, every);
}
