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
