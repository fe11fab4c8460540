import type { Field } from '../../runtime/edm/field.js';
import type { EntityView } from '../emit/emit-reference.js';
import type { FieldNode } from '../graph/model-graph.js';

/** A row of a table of fields. */
interface FieldRow {
  readonly name: string;
  readonly type: string;
  /** The page of the type. */
  readonly href: string | undefined;
  readonly required: boolean;
  readonly isKey: boolean;
  readonly isNull: boolean;
  readonly description: string | undefined;
  readonly notes: readonly string[];
  /** The closed list of values, if it is too long for a sentence. */
  readonly values: readonly string[] | undefined;
}

/** The facts about a field that its owner has. */
export type OwnersNotes = Pick<FieldRow, 'isKey' | 'required' | 'notes'>;

/** The rows of a table of fields; `notesOf` adds what their owner says. */
export function fieldRows(
  fields: EntityView['fields'],
  nodes: ReadonlyMap<string, FieldNode>,
  hrefOf: (type: string) => string | undefined,
  notesOf: (name: string) => OwnersNotes,
): readonly FieldRow[] {
  return fields.map(({ name, description, facts, nullable, type }) => {
    const field = nodes.get(name)?.field;
    const { isKey, required, notes } = notesOf(name);
    const values = field?.allowedValues ?? [];
    const isLong = values.length > mostInline;
    return {
      name,
      type: field === undefined ? type : typeText(field),
      href: field === undefined ? undefined : hrefOf(field.complex ?? field.enumeration?.qualifiedName ?? ''),
      required,
      isKey,
      isNull: nullable,
      description,
      notes: [...facts.filter((fact) => !isInType(fact, isLong, field)), ...notes],
      values: isLong ? values : undefined,
    };
  });
}

const mostInline = 12;

// The column of types has these facts, or the list of values.
function isInType(fact: string, isLong: boolean, field: Field | undefined): boolean {
  if (/^(At most \d+ (characters?|digits?)\b|A value of `|Each a value of `)/.test(fact)) return true;
  if (/^(Each one|One) (or several )?of /.test(fact)) return isLong || field?.enumeration !== undefined;
  return fact === 'Key.';
}

/** The type of a field in a few characters: `String(50)`, `Decimal(14,2)`, `Collection of String`. */
export function typeText({ type, complex, enumeration, definition, maxLength, precision, scale, collection }: Field): string {
  const name = complex ?? enumeration?.qualifiedName ?? definition;
  const facets = type === 'Edm.Decimal' ? [precision, scale] : type === 'Edm.DateTimeOffset' || type === 'Edm.TimeOfDay' ? [] : [maxLength];
  const text = name?.replace(/^.*\./, '') ?? type.slice('Edm.'.length);
  const shown = complex === undefined && enumeration === undefined ? facets.filter((facet) => facet !== undefined) : [];
  return `${collection ? 'Collection of ' : ''}${text}${shown.length === 0 ? '' : `(${shown.join(',')})`}`;
}
