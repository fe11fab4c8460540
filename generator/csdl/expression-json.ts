import type { Annotation, Csdl, Expression, TypeReference } from './csdl.js';

/** A value of CSDL JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An object of CSDL JSON; members are printed in their order. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Annotations as the members `@Term#Qualifier` of the annotated object. */
export function annotationsToJson(annotations: readonly Annotation[], csdl: Csdl): JsonObject {
  const entries = annotations
    .filter(({ unserved }) => unserved !== true)
    .flatMap((annotation): readonly (readonly [string, Json])[] => {
      const name = `@${annotation.term}${annotation.qualifier === undefined ? '' : `#${annotation.qualifier}`}`;
      // An annotation without a value has its term's default, and for tagging terms that is true (CSDL JSON 4.01, 14.2).
      const value = annotation.value === undefined ? true : expressionToJson(annotation.value, csdl);
      const inner = Object.entries(annotationsToJson(annotation.annotations, csdl));
      return [[name, value], ...inner.map(([key, note]) => [`${name}${key}`, note] as const)];
    });
  // A term that is repeated has its first value.
  const first = new Map(entries.toReversed());
  return Object.fromEntries(entries.map(([name, value]) => [name, first.get(name) ?? value]));
}

/** A number as JSON; text where a JavaScript number would lose digits. */
export function jsonNumber(text: string): Json {
  const value = Number(text);
  const exact = /^-?\d+$/.test(text) ? Number.isSafeInteger(value) : Number.isFinite(value) && text.replace(/\D/g, '').length <= 15;
  return exact && text.trim() !== '' ? value : text;
}

function expressionToJson(expression: Expression, csdl: Csdl): Json {
  const notes = annotationsToJson(expression.annotations, csdl);
  const json = (operand: Expression | undefined): Json => (operand === undefined ? null : expressionToJson(operand, csdl));
  switch (expression.kind) {
    case 'constant':
      return constantToJson(expression.type, expression.value);
    case 'path':
      return expression.type === 'Path' ? { $Path: expression.value } : expression.value;
    case 'null':
      return Object.keys(notes).length === 0 ? null : { $Null: null, ...notes };
    case 'collection':
      return expression.items.map(json);
    case 'record':
      return { ...recordToJson(expression, csdl), ...notes };
    case 'operator':
      return { [`$${expression.operator}`]: operandsToJson(expression.operator, expression.operands.map(json)), ...notes };
    case 'apply':
      return { $Apply: expression.operands.map(json), $Function: expression.function, ...notes };
    case 'cast':
    case 'isOf':
      return { [expression.kind === 'cast' ? '$Cast' : '$IsOf']: json(expression.operand), ...castToJson(expression), ...notes };
    case 'label':
      return { $LabeledElement: json(expression.operand), $Name: expression.name, ...notes };
    case 'labelReference':
      return { $LabeledElementReference: expression.name };
  }
}

function constantToJson(type: string, value: string): Json {
  if (type === 'Bool') return value === 'true' || value === '1';
  if (type === 'Int' || type === 'Decimal' || type === 'Float') return jsonNumber(value);
  // Members are named without their type, several with commas (CSDL JSON 4.01, 14.3.7).
  return type === 'EnumMember'
    ? value
        .split(/\s+/)
        .map((member) => member.slice(member.lastIndexOf('/') + 1))
        .join(',')
    : value;
}

function operandsToJson(operator: string, operands: readonly Json[]): Json {
  const isUnary = operator === 'Not' || operator === 'Neg' || operator === 'UrlRef';
  return isUnary ? (operands[0] ?? null) : operands;
}

function recordToJson({ type, members }: Extract<Expression, { kind: 'record' }>, csdl: Csdl): JsonObject {
  const entries = members.flatMap(({ property, value, annotations }): readonly (readonly [string, Json])[] => [
    [property, value === undefined ? true : expressionToJson(value, csdl)],
    ...Object.entries(annotationsToJson(annotations, csdl)).map(([key, note]) => [`${property}${key}`, note] as const),
  ]);
  return Object.fromEntries([...(type === undefined ? [] : [['@type', typeUrl(type, csdl)] as const]), ...entries]);
}

function castToJson({ type, collection, maxLength, precision, scale, srid }: TypeReference): JsonObject {
  const facets: readonly (readonly [string, Json | undefined])[] = [
    ['$Collection', collection || undefined],
    ['$Type', type],
    ['$MaxLength', maxLength],
    ['$Precision', precision],
    ['$Scale', scaleToJson(scale, type)],
    ['$SRID', srid === undefined ? undefined : String(srid)],
  ];
  return Object.fromEntries(facets.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** The absence of scale means 0 in XML and variable in JSON (CSDL JSON 4.01, 7.2.4). */
export function scaleToJson(scale: TypeReference['scale'], type: string): Json | undefined {
  const written = scale ?? (type === 'Edm.Decimal' ? 0 : undefined);
  return written === 'variable' ? undefined : written;
}

// A type of another document is named by the document's URL (CSDL JSON 4.01, 14.4.12).
function typeUrl(type: string, { references }: Csdl): string {
  const dot = type.lastIndexOf('.');
  const prefix = type.slice(0, dot);
  for (const { uri, includes } of references) {
    const include = includes.find(({ namespace, alias }) => prefix === namespace || prefix === alias);
    if (include !== undefined) return `${uri}#${include.namespace}${type.slice(dot)}`;
  }
  return `#${type}`;
}
