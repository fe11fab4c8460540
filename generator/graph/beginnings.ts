import { primitives, type Field, type GeneratedValue } from '../../runtime/edm/index.js';
import { enumValue } from '../../runtime/expression/enum-members.js';
import { databaseText } from '../../runtime/schema/database-text.js';

/** A generated value, and the operations that set it. */
export interface ServiceValue {
  readonly moments: readonly string[];
  readonly value: GeneratedValue;
}

/** The generated value of a computed required property without a rule for its computation. */
export function computedValue(field: Field): ServiceValue | undefined {
  if (field.nullable || field.collection || field.default !== undefined) return undefined;
  // It counts changes, like a concurrency token.
  if (isCounter(field)) return { moments: ['Insert', 'Update'], value: { kind: 'version' } };
  const value = beginningOf(field);
  return value && { moments: ['Insert'], value };
}

function isCounter({ type, enumeration, allowedValues }: Field): boolean {
  return (type === 'Edm.Int64' || type === 'Edm.Int32') && enumeration === undefined && allowedValues === undefined;
}

// In the database's text form.
function beginningOf({ type, enumeration, allowedValues }: Field): GeneratedValue | undefined {
  const [allowed] = allowedValues ?? enumeration?.members.map(([name]) => name) ?? [];
  const first = enumeration && allowed !== undefined ? enumValue(enumeration, allowed) : allowed;
  if (enumeration || allowedValues) return first === undefined ? undefined : { kind: 'constant', value: first };
  const { nothing } = primitives[type];
  return nothing?.kind === 'constant' ? { kind: 'constant', value: databaseText(type, nothing.value) } : nothing;
}
