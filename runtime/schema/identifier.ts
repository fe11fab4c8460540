/** An SQL identifier, which may hold anything once its quotes are doubled. */
export function quote(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}

/** Identifiers in parentheses. */
export function quoteList(names: readonly string[]): string {
  return `(${names.map(quote).join(', ')})`;
}

/** A text as an SQL literal, for what is written into a migration and not bound. */
export function literal(text: string): string {
  return `'${text.replace(/'/g, "''")}'`;
}
