// The WebAssembly module behind both the library and the page: texts in, texts out. It is told of a
// mistake by an Error, and of a defect (a trap) by an Error with `trapped`: then the module is dead.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const bytesOf = (content) => (typeof content === 'string' ? encoder.encode(content)
  : content instanceof Uint8Array ? content : new Uint8Array(content));

/** The bytes of a folder, as tools/web/core/folder.h has them. */
export function folderBytes(files) {
  const parts = Object.entries(files).map(([path, content]) => [encoder.encode(path), bytesOf(content)]);
  const bytes = new Uint8Array(parts.reduce((sum, [path, content]) => sum + 8 + path.length + content.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [path, content] of parts) {
    view.setUint32(at, path.length, true);
    view.setUint32(at + 4, content.length, true);
    bytes.set(path, at + 8);
    bytes.set(content, at + 8 + path.length);
    at += 8 + path.length + content.length;
  }
  return bytes;
}

/** A host without files, words or environment: what the core asks of WASI. */
function emptyHost() {
  const memory = () => new DataView(host.memory.buffer);
  const host = {
    memory: null,
    said: '',
    imports: {
      args_sizes_get: (count, size) => (memory().setUint32(count, 0, true), memory().setUint32(size, 0, true), 0),
      environ_sizes_get: (count, size) => (memory().setUint32(count, 0, true), memory().setUint32(size, 0, true), 0),
      args_get: () => 0,
      environ_get: () => 0,
      clock_time_get: (id, precision, at) => (memory().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true), 0),
      random_get: (at, size) => (globalThis.crypto.getRandomValues(new Uint8Array(host.memory.buffer, at, size)), 0),
      fd_write: (file, vectors, count, written) => {
        let sum = 0;
        for (let i = 0; i < count; ++i) {
          const at = memory().getUint32(vectors + 8 * i, true), size = memory().getUint32(vectors + 8 * i + 4, true);
          host.said = (host.said + decoder.decode(new Uint8Array(host.memory.buffer, at, size))).slice(-2000);
          sum += size;
        }
        memory().setUint32(written, sum, true);
        return 0;
      },
      proc_exit: (code) => { throw new Error(`the module ended with ${code}`); },
    },
  };
  return host;
}

const badFile = 8;  // WASI's EBADF: nothing is open here

/** Instantiates the compiled module for the library: { call, ... }. */
export async function instantiate(compiled) {
  const host = emptyHost();
  for (const { name } of WebAssembly.Module.imports(compiled)) host.imports[name] ??= () => badFile;
  const instance = await WebAssembly.instantiate(compiled, { wasi_snapshot_preview1: host.imports });
  const wasm = instance.exports;
  host.memory = wasm.memory;
  wasm._initialize();

  const answer = () => decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.km_answer(), wasm.km_answer_size()));

  /** Calls a function of the core: numbers are passed on, everything else as a text or bytes. */
  function ask(name, ...values) {
    const rooms = [], passed = [];
    try {
      for (const value of values) {
        if (typeof value === 'number') { passed.push(value); continue; }
        const bytes = bytesOf(value);
        const room = wasm.km_room(bytes.length);
        if (room === 0) throw new Error('kinemorph: there is no memory left');
        rooms.push(room);
        new Uint8Array(wasm.memory.buffer).set(bytes, room);
        passed.push(room, bytes.length);
      }
      const result = wasm[name](...passed);
      return { result, text: name === 'km_free' ? '' : answer() };
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
      const trap = new Error(`kinemorph: internal error: ${error.message}${host.said ? `: ${host.said}` : ''}`, { cause: error });
      trap.trapped = true;
      throw trap;
    } finally {
      for (const room of rooms) wasm.km_give_back(room);
    }
  }

  return {
    ask,
    /** The answer; throws where it is a reason. */
    text(name, ...values) {
      const { result, text } = ask(name, ...values);
      if (!result) throw new Error(reasonIn(text));
      return text;
    },
    json(name, ...values) { return JSON.parse(this.text(name, ...values) || 'null'); },
  };
}

// A reason is a sentence, or messages of which the errors say it.
function reasonIn(text) {
  if (!text.startsWith('[')) return text;
  const errors = JSON.parse(text).filter((message) => message.severity === 'error');
  return errors.map((each) => `${each.file}:${each.line}: ${each.message} [${each.code}]`).join('\n') || text;
}
