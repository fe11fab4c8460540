import { ODataError } from '../errors/odata-error.js';

/** A failure as the log has it: what happened and where, and nothing of the data it happened to. */
interface ShownFailure {
  readonly name?: string;
  readonly message: string;
  /** A SQLSTATE, or the system's code. */
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ShownFailure;
}

/** What of a failure goes into the log. Where one of the catalogue comes from is no news, only what it came of. */
export function shownFailure(failure: unknown): ShownFailure {
  return shown(failure, { withStack: !(failure instanceof ODataError), depth: 3 });
}

interface Detail {
  readonly withStack: boolean;
  /** How many causes are shown. */
  readonly depth: number;
}

// The driver's errors carry the statement, its values and the row in members of their own; those stay out by not being copied.
function shown(failure: unknown, { withStack, depth }: Detail): ShownFailure {
  if (!(failure instanceof Error)) return { message: String(failure).slice(0, longest) };
  const { name, message, stack, cause } = failure;
  const code = codeOf(failure);
  const told = withoutValues(message, code);
  return {
    name,
    message: told,
    ...(code !== undefined && { code }),
    ...(withStack && stack !== undefined && { stack: stack.replace(message, () => told).slice(0, longest) }),
    ...(cause !== undefined && depth > 0 && { cause: shown(cause, { withStack, depth: depth - 1 }) }),
  };
}

// Sequelize wraps what the driver says of a connection.
function codeOf(failure: object): string | undefined {
  const { code, original } = failure as { readonly code?: unknown; readonly original?: unknown };
  if (typeof code === 'string') return code;
  return typeof original === 'object' && original !== null ? codeOf(original) : undefined;
}

const longest = 4_000;

// Class 22, data exceptions: the message quotes the value (PostgreSQL, appendix A).
function withoutValues(message: string, code: string | undefined): string {
  return code?.startsWith('22') ? message.replace(/".*"/s, '"..."') : message;
}
