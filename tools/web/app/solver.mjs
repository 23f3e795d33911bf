// The solver's thread as the page sees it: questions and answers. One that traps gets a new module;
// one that does not answer can be stopped, and a new thread takes over.
import { bytesOf, textOf } from './embedded.mjs';

const slowAfter = 2000;  // ms

const thread = () => new Worker(URL.createObjectURL(new Blob([textOf('worker')], { type: 'text/javascript' })));

/** The files of a zip, unpacked in a thread of its own: neither the page nor the solver waits. */
export function unzip(bytes, budget) {
  const worker = thread();
  return new Promise((done, fail) => {
    worker.onmessage = ({ data }) => (data.error === undefined ? done(data.answer) : fail(new Error(data.error)));
    worker.onerror = () => fail(new Error('The zip cannot be read.'));
    worker.postMessage({ id: 0, what: 'unzip', bytes, budget }, [bytes.buffer]);
  }).finally(() => worker.terminate());
}

class Solver {
  constructor() {
    this.onSlow = () => {};
    this.begin();
  }

  begin() {
    this.waiting = new Map();
    this.last = 0;
    this.worker = thread();
    this.worker.onmessage = ({ data }) => {
      const { done, fail } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      this.watch();
      if (data.error === undefined) done(data.answer);
      else fail(Object.assign(new Error(data.error), { trapped: data.trapped }));
    };
    this.ready = this.ask('start', { bytes: bytesOf('wasm') });
    this.ready.catch(() => {});  // whoever waits for it is told
  }

  // Tells when an answer takes long, and when that is over.
  watch() {
    clearTimeout(this.timer);
    this.onSlow(false);
    if ([...this.waiting.values()].some(({ what }) => what !== 'start')) this.timer = setTimeout(() => this.onSlow(true), slowAfter);
  }

  ask(what, words = {}) {
    return new Promise((done, fail) => {
      const idle = this.waiting.size === 0;
      this.waiting.set(++this.last, { done, fail, what });
      if (idle || what !== 'start') this.watch();
      this.worker.postMessage({ id: this.last, what, ...words });
    });
  }

  /** Ends what is being computed. All that was opened is to be opened again. */
  stop() {
    this.worker.terminate();
    const waiting = [...this.waiting.values()];
    this.begin();
    this.watch();
    for (const { fail } of waiting) fail(Object.assign(new Error('stopped'), { trapped: true, stopped: true }));
  }
}

export const solver = new Solver();
