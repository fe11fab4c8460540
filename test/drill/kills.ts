import { join } from 'node:path';
import { readPostmasterFile } from '../../runtime/tools/embedded/postmaster.js';
import { startProcess } from '../operation/serve-process.js';
import { until } from '../operation/until.js';
import { end, inPlace, seed, targetOf, type Place } from './place.js';
import { strikeRepeatedly, whileServing, type DrillOutcome } from './rounds.js';

/** kill -9 of the PostgreSQL that the service runs. */
export function killDatabase(title: string, rounds: number): Promise<DrillOutcome> {
  return inPlace(async (place) => {
    seed(place);
    const served = await startProcess([], place.environment);
    const strikes = strikeRepeatedly(title, rounds, await targetOf(served), async () => {
      const struck = postmasterOf(place);
      if (struck === undefined) throw new Error('There is no server to strike.');
      process.kill(struck, 'SIGKILL');
      // Its sessions outlive it for a moment, and may still acknowledge.
      await until(async () => ![struck, undefined].includes(postmasterOf(place)));
      return { status: [201, 503] };
    });
    return whileServing(served, strikes);
  });
}

/** A signal to the service, which is started again when it has ended. */
export function signalService(signal: NodeJS.Signals, ends: number | NodeJS.Signals) {
  return (title: string, rounds: number): Promise<DrillOutcome> =>
    inPlace(async (place) => {
      seed(place);
      let served = await startProcess([], place.environment);
      const port = new URL(served.url).port;
      const outcome = await strikeRepeatedly(title, rounds, await targetOf(served), async () => {
        served.child.kill(signal);
        const code = await served.ended;
        served = await startProcess(['--port', port], place.environment);
        // No answer means that nobody listened, which is so between two processes.
        return { status: [201, 0], ...(code !== ends && { fault: `it ended with ${code}` }) };
      });
      await end(served);
      return outcome;
    });
}

function postmasterOf({ environment }: Place): number | undefined {
  return readPostmasterFile(join(environment['GABLE_DIRECTORY'] ?? '', 'postgres'))?.pid;
}
