import { generatedKeyProperty, primitives } from '../../runtime/edm/index.js';
import { databaseText, literal } from '../../runtime/schema/identifier.js';
import type { Table } from '../../runtime/schema/schema.js';
import type { EntityNode, FieldNode } from '../graph/model-graph.js';

/**
 * The initial row of a singleton of the declared type, if defaults and generated values satisfy all requirements;
 * otherwise the first PUT or PATCH creates it.
 */
export function singletonRow(entity: EntityNode): Pick<Table, 'row'> {
  const { place, hierarchy, qualifiedName, fields, navigation } = entity;
  if (place?.kind !== 'Singleton' || (place.member?.kind === 'Singleton' && place.member.nullable) || hierarchy.abstract) return {};
  const given = fields.map((node) => [node.column, valueOf(node, entity)] as const);
  const isLacking = fields.some((node, index) => given[index]?.[1] === undefined && !node.field.nullable && !node.field.collection);
  const needs = navigation.some(({ relation }) => relation?.internal?.nullable === false);
  // A default that refers to another record would need that one.
  const refers = navigation.some(({ relation }) =>
    relation?.columns.some((column) => given.some(([name, value]) => name === column && value !== undefined)),
  );
  if (isLacking || needs || refers) return {};
  const values = Object.fromEntries(given.flatMap(([column, value]) => (value === undefined ? [] : [[column, value]])));
  return { row: { ...(hierarchy.discriminated && { '#type': literal(qualifiedName) }), ...values } };
}

function valueOf({ name, field }: FieldNode, entity: EntityNode): string | undefined {
  const { rules, keyGeneration } = entity;
  if (field.more) return undefined;
  const isGenerated = name === generatedKeyProperty(entity);
  if (isGenerated && keyGeneration?.strategy === 'sequence') return literal(`${keyGeneration.prefix}1`);
  if (isGenerated && keyGeneration !== undefined)
    return `(${literal(keyGeneration.prefix)} || gen_random_uuid())::${primitives[field.type].sql}`;
  const generated = rules.onInsert[name];
  if (generated?.kind === 'now') return `clock_timestamp()::${primitives[field.type].sql}`;
  if (generated?.kind === 'version') return '1';
  const text = generated?.value ?? (field.default === undefined ? undefined : databaseText(field.type, field.default));
  return text === undefined ? undefined : literal(text);
}
