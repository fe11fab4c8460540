import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { codeOf } from '../../database/failures.js';
import { ODataError } from '../../errors/odata-error.js';

export type { Logger };

/** Bytes of lines that wait while the disk of the log is full; further ones are dropped. */
const maxWaiting = 1024 * 1024;

// A line that cannot be written waits for the next one; without a listener, a full disk would end the process.
function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true, maxLength: maxWaiting }).on('error', () => undefined);
}

/** A logger that writes JSON to stderr, since stdout is for a command's output. */
export function createLogger(level: string, destination: DestinationStream = standardError()): Logger {
  const settings = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { failure: loggedFailure },
  };
  return pino(settings, destination);
}

/** A failure for the log: its kind and location, without data. */
interface LoggedFailure {
  readonly name?: string;
  readonly message: string;
  /** A SQLSTATE, or a system error code. */
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedFailure;
}

/** Converts a failure for the log. An error of the catalogue is reduced to its causes. */
export function loggedFailure(failure: unknown): LoggedFailure {
  return logged(failure, { withStack: !(failure instanceof ODataError), depth: 3 });
}

interface Detail {
  readonly withStack: boolean;
  /** The number of causes to include. */
  readonly depth: number;
}

// The driver's errors have the statement, its values and the row as members, which are not copied.
function logged(failure: unknown, { withStack, depth }: Detail): LoggedFailure {
  if (!(failure instanceof Error)) return { message: String(failure).slice(0, longest) };
  const { name, message, stack, cause } = failure;
  const code = codeOf(failure);
  const loggedMessage = withoutValues(message, code);
  return {
    name,
    message: loggedMessage,
    ...(code !== '' && { code }),
    ...(withStack && stack !== undefined && { stack: stack.replace(message, () => loggedMessage).slice(0, longest) }),
    ...(cause !== undefined && depth > 0 && { cause: logged(cause, { withStack, depth: depth - 1 }) }),
  };
}

const longest = 4_000;

// Class 22, data exceptions: the message quotes the value (PostgreSQL, appendix A).
function withoutValues(message: string, code: string): string {
  return code.startsWith('22') ? message.replace(/".*"/s, '"..."') : message;
}
