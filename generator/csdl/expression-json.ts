import type { Csdl } from './csdl.js';
import { constants, expressions, paths } from './elements.js';
import { splitType } from './read-schema.js';
import { attributeOf, childrenOf, type XmlNode } from './xml-printer.js';
import { lastName } from '../../runtime/edm/lookup.js';

/** A value of CSDL JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An object of CSDL JSON; members are printed in their order. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The annotations of an element as the members `@Term#Qualifier` of its object. */
export function annotationsToJson(node: XmlNode, csdl: Csdl): JsonObject {
  const notes: { [name: string]: Json } = {};
  for (const annotation of childrenOf(node, 'Annotation')) {
    const qualifier = attributeOf(annotation, 'Qualifier');
    const name = `@${attributeOf(annotation, 'Term')}${qualifier === undefined ? '' : `#${qualifier}`}`;
    // A term that is repeated has its first value.
    if (Object.hasOwn(notes, name)) continue;
    notes[name] = valueToJson(annotation, csdl);
    for (const [key, note] of Object.entries(annotationsToJson(annotation, csdl))) notes[`${name}${key}`] = note;
  }
  return notes;
}

/** A number as JSON; text where a JavaScript number would lose digits. */
export function jsonNumber(text: string): Json {
  const value = Number(text);
  const exact = /^-?\d+$/.test(text) ? Number.isSafeInteger(value) : Number.isFinite(value) && text.replace(/\D/g, '').length <= 15;
  return exact && text.trim() !== '' ? value : text;
}

const written: readonly string[] = [...constants, ...paths];

// An annotation without a value has its term's default, and for tagging terms that is true (CSDL JSON 4.01, 14.2).
function valueToJson(node: XmlNode, csdl: Csdl): Json {
  const type = written.find((name) => node.attributes.has(name));
  if (type !== undefined) return constantToJson(type, attributeOf(node, type) ?? '');
  const [operand = true] = operandsOf(node, csdl);
  return operand;
}

function operandsOf({ children }: XmlNode, csdl: Csdl): readonly Json[] {
  return children.filter(({ name }) => expressions.includes(name)).map((child) => expressionToJson(child, csdl));
}

function expressionToJson(node: XmlNode, csdl: Csdl): Json {
  const { name, text = '' } = node;
  if (written.includes(name)) return constantToJson(name, text);
  const notes = annotationsToJson(node, csdl);
  const operands = operandsOf(node, csdl);
  const [operand = null] = operands;
  switch (name) {
    case 'Null':
      return Object.keys(notes).length === 0 ? null : { $Null: null, ...notes };
    case 'Collection':
      return operands;
    case 'Record':
      return { ...recordToJson(node, csdl), ...notes };
    case 'Apply':
      return { $Apply: operands, $Function: attributeOf(node, 'Function') ?? '', ...notes };
    case 'Cast':
    case 'IsOf': {
      const { type, collection } = splitType(attributeOf(node, 'Type') ?? '');
      return { [`$${name}`]: operand, ...(collection && { $Collection: true }), $Type: type, ...facetsToJson(node, type), ...notes };
    }
    case 'LabeledElement':
      return { $LabeledElement: operand, $Name: attributeOf(node, 'Name') ?? '', ...notes };
    case 'LabeledElementReference':
      return { $LabeledElementReference: text };
    default:
      return { [`$${name}`]: ['Not', 'Neg', 'UrlRef'].includes(name) ? operand : operands, ...notes };
  }
}

function constantToJson(type: string, value: string): Json {
  if (type === 'Path') return { $Path: value };
  if (type === 'Bool') return value === 'true' || value === '1';
  if (type === 'Int' || type === 'Decimal' || type === 'Float') return jsonNumber(value);
  // Members are named without their type, several with commas (CSDL JSON 4.01, 14.3.7).
  return type === 'EnumMember'
    ? value
        .trim()
        .split(/\s+/)
        .map((member) => lastName(member))
        .join(',')
    : value;
}

function recordToJson(node: XmlNode, csdl: Csdl): JsonObject {
  const type = attributeOf(node, 'Type');
  const entries = childrenOf(node, 'PropertyValue').flatMap((member): readonly (readonly [string, Json])[] => {
    const property = attributeOf(member, 'Property') ?? '';
    const notes = Object.entries(annotationsToJson(member, csdl));
    return [[property, valueToJson(member, csdl)], ...notes.map(([key, note]) => [`${property}${key}`, note] as const)];
  });
  return Object.fromEntries([...(type === undefined ? [] : [['@type', typeUrl(type, csdl)] as const]), ...entries]);
}

/** The type of a property, a parameter or a result; its absence means Edm.String, and not nullable (CSDL JSON 4.01, 7). */
export function typeToJson(node: XmlNode): JsonObject {
  const { type, collection } = splitType(attributeOf(node, 'Type') ?? '');
  const nullable = attributeOf(node, 'Nullable');
  // Without the facet the nullability of items is unspecified; in JSON its absence means not nullable, as here.
  const isNullable = nullable === undefined ? !collection || type === 'Edm.Untyped' : nullable === 'true';
  return {
    ...(collection && { $Collection: true }),
    ...(type !== 'Edm.String' && { $Type: type }),
    ...(isNullable && { $Nullable: true }),
    ...facetsToJson(node, type),
  };
}

/** The facets of a type; the absence of a scale means 0 in XML and variable in JSON (CSDL JSON 4.01, 7.2.4). */
export function facetsToJson({ attributes }: XmlNode, type: string): JsonObject {
  const [maxLength, precision, srid] = [attributes.get('MaxLength'), attributes.get('Precision'), attributes.get('SRID')];
  const scale = attributes.get('Scale') ?? (type === 'Edm.Decimal' ? 0 : undefined);
  return {
    ...(maxLength !== undefined && maxLength !== 'max' && { $MaxLength: maxLength }),
    ...(attributes.get('Unicode') === false && { $Unicode: false }),
    ...(precision !== undefined && { $Precision: precision }),
    ...(scale !== undefined && scale !== 'variable' && { $Scale: scale }),
    ...(srid !== undefined && { $SRID: String(srid) }),
  };
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
