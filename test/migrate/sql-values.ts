/** A value twice in a collection, since an item may be null too. */
export function twice(value: string | null): string {
  return value === null ? '[null]' : `[${value}, null, ${value}]`;
}

/** A value of jsonb as a literal. */
export function sql(value: string | null): string {
  return value === null ? 'null' : `'${value.replaceAll("'", "''")}'`;
}
