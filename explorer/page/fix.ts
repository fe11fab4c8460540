import type { Mark } from '../language/worker.js';

/** The exact replacement that an advice has for the marked text. */
export function fixOf({ message, code }: Mark): string | undefined {
  const [, name] = /Did you mean ([\w.$/]+)\?/.exec(message) ?? [];
  if (name !== undefined) return name;
  const [, written] = code === '1041' ? (/ Write ([\w.$/]+)\.$/.exec(message) ?? []) : [];
  return written;
}
