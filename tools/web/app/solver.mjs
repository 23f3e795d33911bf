// The solver's thread as the page sees it: questions and answers. One that traps gets a new module;
// one that does not answer can be stopped, and a new thread takes over.
import { bytesOf, textOf } from './embedded.mjs';

const slowAfter = 2000;  // ms

class Solver {
  constructor() {
    this.onSlow = () => {};
    this.begin();
  }

  begin() {
    this.waiting = new Map();
    this.last = 0;
    this.worker = new Worker(URL.createObjectURL(new Blob([textOf('worker')], { type: 'text/javascript' })));
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
