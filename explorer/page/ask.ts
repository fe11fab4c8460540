import type { Questions } from '../language/worker.js';

// One worker parses, plans and completes; answers come in the order of the questions.
const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
const waiting = new Map<number, (answer: never) => void>();
let last = 0;

worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; answer: never }>) => {
  waiting.get(data.id)?.(data.answer);
  waiting.delete(data.id);
});

/** Asks the worker. */
export function ask<Name extends keyof Questions>(name: Name, question: Questions[Name]['ask']): Promise<Questions[Name]['answer']> {
  const id = ++last;
  return new Promise((resolve) => {
    waiting.set(id, resolve as (answer: never) => void);
    // oxlint-disable-next-line require-post-message-target-origin -- A worker has no origin to name.
    worker.postMessage({ id, name, ask: question });
  });
}
