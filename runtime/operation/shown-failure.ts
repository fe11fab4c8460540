/** What of a failure goes into the log: what happened and where, and nothing of the data it happened to. */
export interface ShownFailure {
  readonly name?: string;
  readonly message: string;
  /** A SQLSTATE, or the system's code. */
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ShownFailure;
}

// The driver's errors carry the statement, its values and the row in members of their own; those stay out by not being copied.
export function shownFailure(failure: unknown, depth = 3): ShownFailure {
  if (!(failure instanceof Error)) return { message: String(failure).slice(0, longest) };
  const { name, message, stack, cause } = failure;
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;
  const shown = withoutValues(message, code);
  return {
    name,
    message: shown,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack: stack.replace(message, () => shown).slice(0, longest) }),
    ...(cause !== undefined && depth > 0 && { cause: shownFailure(cause, depth - 1) }),
  };
}

const longest = 4_000;

// Class 22, data exceptions: the message quotes the value (PostgreSQL, appendix A).
function withoutValues(message: string, code: string | undefined): string {
  return code?.startsWith('22') ? message.replace(/".*"/s, '"..."') : message;
}
