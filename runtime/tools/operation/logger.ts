import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { loggedFailure } from './logged-failure.js';

export type { Logger };

/** A logger that writes JSON to stderr, since stdout is for a command's output. */
export function createLogger(level: string, destination: DestinationStream = pino.destination({ dest: 2, sync: true })): Logger {
  const settings = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { failure: loggedFailure },
  };
  return pino(settings, destination);
}
