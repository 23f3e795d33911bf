// Runs the command on the files of this system.
import path from 'node:path';

// Node calls its WASI experimental, which is nothing that whoever converts a robot can act on.
const warn = process.emitWarning;
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).includes('WASI')) warn.call(process, warning, ...rest);
};
const { WASI } = await import('node:wasi');

class Exit { constructor(code) { this.code = code; } }

/** The exit code; a trap is thrown. `streams`: file descriptors in place of standard input, output and error. */
export function runCommand(compiled, words, { folder = process.cwd(), env = process.env, streams = {} } = {}) {
  // On a system of drives: the one of the working folder, with slashes.
  const drive = path.parse(folder).root;
  const here = process.platform === 'win32' ? `/${folder.slice(drive.length).replaceAll('\\', '/')}` : folder;
  const wasi = new WASI({ version: 'preview1', args: ['kinemorph', ...words], env: { ...env, PWD: here }, preopens: { '/': drive }, ...streams });
  // Called by way of JavaScript: Node 20 crashes now and then where compiled code calls its functions directly.
  const imports = Object.fromEntries(Object.entries(wasi.wasiImport).map(([name, call]) => [name, (...words) => call(...words)]));
  imports.proc_exit = (code) => { throw new Exit(code); };
  const instance = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: imports });
  wasi.initialize(instance);
  try {
    instance.exports.kinemorph_command();
  } catch (thrown) {
    if (thrown instanceof Exit) return thrown.code;
    throw thrown;
  }
  return 4;  // the command always ends by proc_exit
}
