import type { Worker } from 'node:cluster';

/** Resolves with the next message of a worker that has a name: those between the processes of a service, or of a test. */
export function hears(worker: Worker, expected: string): Promise<void> {
  return new Promise((heard) =>
    worker.on('message', ({ gable, type }: { readonly gable?: string; readonly type?: string }) => {
      if (gable === expected || type === expected) heard();
    }),
  );
}
