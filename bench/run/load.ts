import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadMessage, RoundResult, Task } from '../load/task.js';

/** The process that makes the load. */
export interface Load {
  /** Runs a round; `onMeasuring` is called when its warm-up is over. */
  readonly run: (task: Task, onMeasuring: () => void) => Promise<RoundResult>;
  readonly stop: () => void;
}

/** Starts it, once for all rounds, so that it is warm. */
export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('../load/process.js', import.meta.url)));
  return {
    run: (task, onMeasuring) =>
      new Promise((done, fail) => {
        const finish = (settle: () => void): void => {
          child.off('message', take).off('exit', ended);
          settle();
        };
        const ended = (): void => finish(() => fail(new Error('The load process has ended.')));
        const take = (message: LoadMessage): void => {
          if (message.kind === 'measuring') onMeasuring();
          else if (message.kind === 'done') finish(() => done(message.result));
          else finish(() => fail(new Error(message.reason)));
        };
        child.on('message', take).on('exit', ended);
        child.send(task);
      }),
    stop: () => void child.kill(),
  };
}
