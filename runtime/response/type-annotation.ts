import type { Field } from '../edm/index.js';
import type { SelectedColumn } from '../plan/read-plan.js';
import type { PayloadFormat } from './payload-format.js';

const implied: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double']);

/**
 * Whether a property's type is written: clients cannot look up that of a dynamic one; JSON implies that of some untyped
 * values.
 */
export function saysType(
  { dynamic, field }: Pick<SelectedColumn, 'dynamic' | 'field'>,
  { metadata }: Pick<PayloadFormat, 'metadata'>,
): boolean {
  return metadata === 'full' || (dynamic === true && metadata === 'minimal' && field.type !== 'Edm.Untyped');
}

/**
 * The type annotation of a property, where JSON does not imply the type (JSON format 4.6.3); complex values have their
 * own.
 */
export function typeAnnotation(name: string, { type, shape, complex, collection, enumeration, definition }: Field): string | undefined {
  const named = enumeration?.qualifiedName ?? definition;
  if (!collection && ((implied.has(type) && named === undefined) || complex !== undefined)) return undefined;
  const short = complex ?? named ?? (shape ?? type).replace('Edm.', '');
  return `${JSON.stringify(`${name}@odata.type`)}:"#${collection ? `Collection(${short})` : short}"`;
}
