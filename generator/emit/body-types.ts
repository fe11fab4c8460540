import type { EntityNode, FieldNode, NavigationNode } from '../graph/model-graph.js';
import { printPropertyName, printString } from './print-literal.js';
import { complexOf, union, withNull, type ComplexTypes } from './property-types.js';

/** The type that a property has in a body, where it is another than in a record that is read. */
type BodyTypeOf = (field: FieldNode) => string | undefined;

/** What complex values are in bodies; an item of a collection is always a new one. */
export function bodiesOf(complexTypes: ComplexTypes, body: 'create' | 'update'): BodyTypeOf {
  return (node) => {
    const type = complexOf(node, complexTypes);
    return type && withNull(node, node.field.collection ? type.derived.create : type.derived[body]);
  };
}

/** What of a type decides what bodies carry of it. */
interface Whole extends Pick<EntityNode, 'typeName' | 'fields' | 'open'> {
  readonly navigation: readonly Pick<NavigationNode, 'name' | 'arm'>[];
}

/** What a body may and must carry of a type. */
export function bodyType(
  whole: Whole,
  required: readonly string[],
  without: ReadonlySet<string>,
  typeInBody: BodyTypeOf,
  more: readonly string[] = [],
): string {
  const { typeName, fields, navigation } = whole;
  const nullable = new Set(fields.filter(({ field }) => field.nullable).map(({ name }) => name));
  const other = new Map(
    fields
      .flatMap((node) => (without.has(node.name) ? [] : [[node.name, typeInBody(node)] as const]))
      .filter(([, type]) => type !== undefined),
  );
  const picked = required.filter((name) => !nullable.has(name) && !without.has(name) && !other.has(name));
  const narrowed = required.filter((name) => nullable.has(name) && !without.has(name) && !other.has(name));
  const omitted = [
    ...fields.map(({ name }) => name).filter((name) => required.includes(name) || without.has(name) || other.has(name)),
    ...new Set(navigation.map(({ name, arm }) => arm?.of ?? name).filter((name) => isDirect({ name }))),
  ];
  const members = [
    ...narrowed.map((name) => `${printPropertyName(name)}: NonNullable<${typeName}[${printString(name)}]>`),
    ...[...other].map(
      ([name, type]) =>
        `${printPropertyName(name)}${required.includes(name) ? `: ${type?.endsWith(' | null') ? `NonNullable<${type}>` : type}` : `?: ${type}`}`,
    ),
    ...more,
  ];
  const parts = [
    ...(picked.length > 0 ? [`Pick<${typeName}, ${union(picked)}>`] : []),
    ...(members.length > 0 ? [`{ ${members.join('; ')} }`] : []),
    ...optionalParts(whole, omitted),
  ];
  return parts.map((part) => `\n& ${part}`).join('');
}

function optionalParts({ typeName, fields, open }: Whole, omitted: readonly string[]): readonly string[] {
  if (!open) return [omitted.length > 0 ? `Partial<Omit<${typeName}, ${union(omitted)}>>` : `Partial<${typeName}>`];
  // Omit would forget the declared names beside those of any name.
  const kept = fields.map(({ name }) => name).filter((name) => !omitted.includes(name));
  return [...(kept.length > 0 ? [`Partial<Pick<${typeName}, ${union(kept)}>>`] : []), '{ [dynamicProperty: string]: unknown }'];
}

/** Whether it is one of the record's own members, and not of what lies within a complex value. */
export function isDirect({ name }: Pick<NavigationNode, 'name'>): boolean {
  return !name.includes('/');
}
