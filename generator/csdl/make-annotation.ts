import type { Annotation, Expression, PropertyValue } from './csdl.js';

/** A value with its position. */
export interface Positioned<Value> {
  readonly at: number;
  readonly value: Value;
}

const plain = { annotations: [] } as const;

/** An annotation that a document does not have; terms of the Rules vocabulary drive the service and are not served. */
export function annotation(at: number, term: string, value: Expression | undefined): Annotation {
  const isOwn = term.startsWith('ServiceRules.V1.') || term.startsWith('RESO.OData.Metadata.');
  return { at, term, qualifier: undefined, value, annotations: [], ...(isOwn && { unserved: true as const }) };
}

/** A text as an expression. */
export function constant({ at, value }: Positioned<string>): Expression {
  return { ...plain, at, kind: 'constant', type: 'String', value };
}

/** A Boolean as an expression. */
export function flag({ at, value }: Positioned<boolean>): Expression {
  return { ...plain, at, kind: 'constant', type: 'Bool', value: String(value) };
}

/** A path to a property as an expression. */
export function path({ at, value }: Positioned<string>): Expression {
  return { ...plain, at, kind: 'path', type: 'PropertyPath', value };
}

/** The collection of some expressions. */
export function collection(at: number, items: readonly Expression[]): Expression {
  return { ...plain, at, kind: 'collection', items };
}

/** A record; members without a value are omitted. */
export function record(at: number, members: { readonly [name: string]: Expression | undefined }): Expression {
  const written = Object.entries(members).flatMap(([property, value]): readonly PropertyValue[] =>
    value === undefined ? [] : [{ at: value.at, property, value, annotations: [] }],
  );
  return { ...plain, at, kind: 'record', type: undefined, members: written };
}

/** An annotation with a collection. */
export function listNote(at: number, term: string, items: readonly Expression[]): Annotation {
  return annotation(at, term, collection(at, items));
}
