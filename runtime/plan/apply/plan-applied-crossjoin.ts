import { columnOf, type EntityType, type Field } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { QueryOptions } from '../../uri/query-options.js';
import { accessTo, type Caller } from '../caller.js';
import type { PlanOptions } from '../limits.js';
import { planApplied, type AppliedRead } from './plan-applied.js';
import type { RecordTarget } from '../path-target.js';
import type { CrossColumn } from '../apply-plan.js';
import type { JoinedSet } from '../read-plan.js';
import type { Scope } from '../scope.js';

/**
 * `$apply` of a cross join: the combinations are a set whose properties are those of its sets, under paths as `groupby`
 * makes them, so that PostgreSQL sees one join of tables. What is no column leads through the set's navigation property.
 */
export function planAppliedCrossjoin(
  target: RecordTarget,
  sets: readonly JoinedSet[],
  options: QueryOptions,
  scope: Scope,
  settings: PlanOptions,
): AppliedRead {
  const columns = sets.flatMap((set, place) => columnsOf(set, place, scope.caller));
  const type = flatType(target.type, sets, columns);
  const applied = planApplied({ ...target, type }, options, { ...scope, variables: new Map() }, settings);
  if (applied.selection.keyColumns.length > 0) {
    throw errors
      .notImplemented(
        '$apply of a cross join that leaves its combinations as they are',
        'Let it end with groupby or aggregate, or write $filter, $orderby and $top.',
      )
      .at('$apply');
  }
  return { ...applied, apply: { ...applied.apply, base: { ...applied.apply.base, cross: { sets, columns } } } };
}

// The record's number, and each property with a column of its own that the caller may see.
function columnsOf({ name, type, alias }: JoinedSet, place: number, caller: Caller): readonly CrossColumn[] {
  const access = accessTo(type, 'read', caller);
  const restricted = access.allowed ? access.restricted : new Set<string>();
  const number: CrossColumn = {
    name: `#${name}`,
    alias,
    column: '#id',
    as: `#${place}`,
    field: { type: 'Edm.Int64', column: `#${place}` },
  };
  const own = Object.entries(type.fields).filter(([property, { more }]) => !more && !restricted.has(property));
  return [
    number,
    ...own.map(([property, field], index): CrossColumn => {
      const as = `#${place}.${index}`;
      return { name: `${name}/${property}`, alias, column: columnOf(type, property), as, field: withColumn(field, as) };
    }),
  ];
}

function withColumn(field: Field, column: string): Field {
  return { ...field, column };
}

function flatType(type: EntityType, sets: readonly JoinedSet[], columns: readonly CrossColumn[]): EntityType {
  const fields = Object.fromEntries(columns.map(({ name, field }) => [name, field]));
  const navigation = Object.fromEntries(
    sets.map(({ name }, place) => [name, { target: type.navigation[name]?.target ?? name, join: { [`#${place}`]: '#id' } }]),
  );
  return { ...type, qualifiedName: 'Collection(Edm.ComplexType)', key: sets.map(({ name }) => `#${name}`), fields, navigation };
}
