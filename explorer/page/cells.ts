/** A value as a cell shows it: nested ones as a summary. */
export function inWords(value: unknown): { readonly text: string; readonly kind: string } {
  if (value === null || value === undefined) return { text: value === null ? 'null' : '', kind: 'null' };
  if (typeof value === 'number') return { text: String(value), kind: 'number' };
  if (typeof value === 'boolean') return { text: String(value), kind: 'boolean' };
  if (typeof value === 'string') return { text: value, kind: 'text' };
  if (Array.isArray(value)) return { text: ofMany(value), kind: 'nested' };
  return { text: ofOne(value), kind: 'nested' };
}

function ofMany(values: readonly unknown[]): string {
  if (values.every((one) => typeof one !== 'object' || one === null)) return values.join(', ');
  return values.length === 1 ? ofOne(values[0]) : `${values.length} records`;
}

function ofOne(value: unknown): string {
  const { type, coordinates } = value as { readonly type?: string; readonly coordinates?: readonly unknown[] };
  if (type === 'Point' && coordinates) return coordinates.join(' ');
  const shown = Object.entries(value as object).filter(([name, one]) => !name.includes('@') && typeof one !== 'object');
  if (shown.length === 0) return JSON.stringify(value).slice(0, 200);
  return shown
    .slice(0, 3)
    .map(([, one]) => String(one))
    .join(' · ');
}
