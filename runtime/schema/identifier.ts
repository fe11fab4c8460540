import type { PrimitiveTypeName } from '../edm/index.js';

/** An SQL identifier in quotes, which may contain anything once its quotes are doubled. */
export function quote(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}

/** Quoted identifiers in parentheses. */
export function quoteList(names: readonly string[]): string {
  return `(${names.map(quote).join(', ')})`;
}

/** An SQL literal, for statements without parameters such as those of a migration. */
export function literal(text: string): string {
  return `'${text.replace(/'/g, "''")}'`;
}

/** A checked value's text as PostgreSQL reads it; most types are written alike in both worlds. */
export function databaseText(type: PrimitiveTypeName, text: string): string {
  if (type === 'Edm.Duration') return intervalText(text);
  return type === 'Edm.Binary' ? `\\x${Buffer.from(text, 'base64url').toString('hex')}` : text;
}

// PostgreSQL reads a minus in front of each part, the standard one in front of the P.
function intervalText(value: string): string {
  return value.startsWith('-') ? value.slice(1).replace(/\d+(\.\d+)?/g, '-$&') : value;
}
