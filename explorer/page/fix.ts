import type { Mark } from '../language/worker.js';

/** The exact replacement that an advice has for the marked text. */
export function fixOf({ message, code }: Mark): string | undefined {
  const [, name] = /Did you mean ([\w.$/]+)\?/.exec(message) ?? [];
  if (name !== undefined) return name;
  const [, value] = code === '1105' ? (/; you may mean (.+)\.$/.exec(message) ?? []) : [];
  if (value !== undefined) return `'${value.replaceAll("'", "''")}'`;
  const [, written] = code === '1041' ? (/ Write ([\w.$/]+)\.$/.exec(message) ?? []) : [];
  return written;
}
