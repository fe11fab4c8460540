import { fieldOf } from '../../../edm/index.js';
import { type Field } from '../../../edm/field.js';
import type { Aggregate, GroupKey } from '../../../plan/apply-plan.js';
import {
  columnAt,
  dynamicField,
  growing,
  isDynamic,
  pathsOf,
  relationColumn,
  requireFreeName,
  transformedType,
  type Relation,
} from './relation.js';
import type { Scope } from '../../../plan/scope.js';
import { ofEnumeration } from '../../../plan/expr-facts.js';

/** A grouping key: its column, and the one that says whether a grouping set includes it. */
export function groupKey({ type }: Relation, name: string, index: number, alias: string, sets: readonly (readonly number[])[]): GroupKey {
  const key = columnAt(alias, relationColumn(type, name));
  const always = sets.every((set) => set.includes(index));
  return { column: `#.${alias}.k${index}`, key, ...(!always && { presence: `#.${alias}.p${index}` }) };
}

/** The relation of the groups, with their keys and aggregates as its properties. */
export function grouped(
  relation: Relation,
  names: readonly string[],
  keys: readonly GroupKey[],
  aggregates: readonly (Aggregate & { readonly alias: string })[],
  scope: Scope,
): Relation {
  const fields = Object.fromEntries(names.map((name, index) => [name, keyField(relation, name, keys[index])]));
  const presence = keys.flatMap((key, index) => (key.presence === undefined ? [] : [[names[index] ?? '', key.presence] as const]));
  const flags = presence.map(([, column]) => ({ column, type: 'Edm.Boolean' as const, nullable: false }));
  const identity = [
    ...keys.map(({ column, key, presence: flag }) => ({
      column,
      type: key.type,
      ...ofEnumeration(key.enumeration),
      nullable: key.nullable || flag !== undefined,
    })),
    ...flags,
  ];
  const type = transformedType(relation.type, fields);
  const start: Relation = { ...relation, type, entity: false, identity, order: [], presence: new Map(presence) };
  return withAggregates(start, aggregates, relation, scope);
}

// A name must be free in the input and in the output.
function withAggregates(
  start: Relation,
  aggregates: readonly (Aggregate & { readonly alias: string })[],
  before: Relation,
  scope: Scope,
): Relation {
  const { relation, add } = growing(start);
  const [paths, own] = [pathsOf(before), pathsOf(relation)];
  for (const { alias, column, type, method, enumeration } of aggregates) {
    requireFreeName(alias, before, scope, paths);
    requireFreeName(alias, relation, scope, own);
    const nullable = method !== 'count' && method !== 'countdistinct';
    add(alias, dynamicField({ column, type, ...ofEnumeration(enumeration), nullable }));
  }
  return relation;
}

function keyField(relation: Relation, name: string, key: GroupKey | undefined): Field {
  const field = fieldOf(relation.type, name);
  if (field === undefined || key === undefined) throw new Error(`${name} is not a grouping property.`);
  const nullable = key.presence !== undefined || key.key.nullable;
  return {
    ...(isDynamic(relation, name) ? { type: field.type, ...ofEnumeration(field.enumeration) } : field),
    column: key.column,
    ...(nullable && { nullable: true }),
  };
}
