import type { Field } from '../edm/field.js';
import type { SelectedColumn } from '../plan/read-plan.js';
import { implied } from '../plan/value/plan-dynamic.js';

/** The format of a payload, as negotiated. */
export interface PayloadFormat {
  readonly metadata: 'none' | 'minimal' | 'full';
  /** Int64 and Decimal as strings, since JavaScript numbers are not exact (JSON format 3.2). */
  readonly ieee754Compatible: boolean;
  /** Requested by the client, and echoed. */
  readonly streaming: boolean;
  /** Requested by the client, and echoed; JSON is always UTF-8. */
  readonly charset?: true;
  readonly version: '4.0' | '4.01';
}

/** The values to omit from an answer (protocol 8.2.8.6): nulls, or defaults as well. */
export type Omission = 'nulls' | 'defaults';

/** The Content-Type of a JSON payload. */
export function contentType(format: PayloadFormat): string {
  const compatible = format.ieee754Compatible ? ';IEEE754Compatible=true' : '';
  const streaming = format.streaming ? ';odata.streaming=true' : '';
  const charset = format.charset ? ';charset=utf-8' : '';
  return `application/json;odata.metadata=${format.metadata}${streaming}${compatible}${charset}`;
}

/** Whether a property's type is written: clients cannot look up that of a dynamic one; JSON implies that of some untyped values. */
export function statesType(column: Pick<SelectedColumn, 'dynamic' | 'field'>, { metadata }: Pick<PayloadFormat, 'metadata'>): boolean {
  const { dynamic, field } = column;
  return metadata === 'full' || (dynamic === true && metadata === 'minimal' && field.type !== 'Edm.Untyped');
}

/** The type annotation of a property, where JSON does not imply the type (JSON format 4.6.3); complex values have their own. */
export function typeAnnotation(name: string, { type, shape, complex, collection, enumeration, definition }: Field): string | undefined {
  const named = enumeration?.qualifiedName ?? definition;
  if (!collection && ((implied.has(type) && named === undefined) || complex !== undefined)) return undefined;
  const short = complex ?? named ?? (shape ?? type).replace('Edm.', '');
  return `${JSON.stringify(`${name}@odata.type`)}:"#${collection ? `Collection(${short})` : short}"`;
}

/** The type annotation of a number that JSON writes as a string, where it would imply the type of others (JSON format 4.6.3). */
export function specialAnnotation(name: string, field: Field): string | undefined {
  const isImplied = field.type === 'Edm.Double' && typeAnnotation(name, field) === undefined;
  return isImplied ? `${JSON.stringify(`${name}@odata.type`)}:"#Double"` : undefined;
}
