/** The answer of a server as it is compared: control information left out, moments in one form. */
export function comparable(body: string): unknown {
  return JSON.parse(body, (name, value: unknown) => (ignored(name) ? undefined : typeof value === 'string' ? sameMoment(value) : value));
}

// The count is what W4 asks for; everything else that OData adds is the product's own, as are these members of a batch.
const ofBatch: ReadonlySet<string> = new Set(['headers', 'atomicityGroup']);

function ignored(name: string): boolean {
  return ofBatch.has(name) || (name.includes('@odata.') && name !== '@odata.count');
}

function sameMoment(text: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/.test(text) ? text.replace('+00:00', 'Z') : text;
}

/** Where two values differ first, in words; undefined when they do not. */
export function firstDifference(one: unknown, other: unknown, place = 'body'): string | undefined {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other) ? undefined : `${place}: ${shown(one)} and ${shown(other)}`;
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = firstDifference(one[name], other[name], `${place}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 120);
}
