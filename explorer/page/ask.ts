import type { Questions } from '../language/worker.js';

/** Who waits for an answer. */
interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (failure: Error) => void;
}

// One worker parses, plans and completes; answers come in the order of the questions.
const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
const waiting = new Map<number, Waiting>();
let last = 0;

worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; answer: never; failure?: string }>) => {
  const asked = waiting.get(data.id);
  if (data.failure === undefined) asked?.resolve(data.answer);
  else asked?.reject(new Error(data.failure));
  waiting.delete(data.id);
});

/** Asks the worker. */
export function ask<Name extends keyof Questions>(name: Name, question: Questions[Name]['ask']): Promise<Questions[Name]['answer']> {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve: resolve as (answer: never) => void, reject });
    // oxlint-disable-next-line require-post-message-target-origin -- A worker has no origin to name.
    worker.postMessage({ id, name, ask: question });
  });
}
