import { setTimeout as delay } from 'node:timers/promises';
import { runClient } from './client.js';
import { openHttp } from './http-connection.js';
import { recorder } from './recorder.js';
import type { LoadMessage, RoundResult, Task } from './task.js';

// A separate process, so that load and service do not share a garbage collector.
process.on('message', (task: Task) => {
  runRound(task).then(
    (result) => tell({ kind: 'done', result }),
    (failure: unknown) => tell({ kind: 'failed', reason: failure instanceof Error ? failure.message : String(failure) }),
  );
});

async function runRound({ port, headers, clients, warmup, seconds, plan }: Task): Promise<RoundResult> {
  const connections = await Promise.all(Array.from({ length: clients }, () => openHttp(port, headers)));
  const record = recorder();
  const end = performance.now() + (warmup + seconds) * 1000;
  let taken = 0;
  const all = connections.map((connection) =>
    runClient(
      plan,
      connection,
      record,
      () => performance.now() < end,
      () => taken++,
    ),
  );
  const measuring = delay(warmup * 1000).then(() => {
    tell({ kind: 'measuring' });
    record.start();
  });
  try {
    await Promise.all([measuring, ...all]);
    return record.result();
  } finally {
    connections.forEach(({ close }) => close());
  }
}

function tell(message: LoadMessage): void {
  process.send?.(message);
}
