import type { Field } from '../edm/index.js';

const implied: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double', 'Edm.Untyped']);

/** The control information that says a property's type, where JSON does not (JSON format 4.6.3); a complex value says its own. */
export function typeAnnotation(name: string, { type, complex, collection, enumeration, definition }: Field): string | undefined {
  const named = enumeration?.qualifiedName ?? definition;
  if (!collection && ((implied.has(type) && named === undefined) || complex !== undefined)) return undefined;
  const short = complex ?? named ?? type.replace('Edm.', '');
  return `${JSON.stringify(`${name}@odata.type`)}:"#${collection ? `Collection(${short})` : short}"`;
}
