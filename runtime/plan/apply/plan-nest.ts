import { errors } from '../../errors/catalogue.js';
import type { QueryOptions } from '../../uri/query-options.js';
import type { NestItem, Transformation } from '../../uri/transformations.js';
import type { PlanOptions } from '../limits.js';
import { planApply } from './plan-apply.js';
import { planApplied, type AppliedRead } from './plan-applied.js';
import { conditionOf, type RecordTarget } from '../path-target.js';
import type { ExpandPlan } from '../read-plan.js';
import { requireFreeName, transformedType } from '../relation.js';
import type { Scope } from '../scope.js';

type Nest = Extract<Transformation, { kind: 'nest' }>;

/** The `nest` that a sequence ends with. */
export function nestAtEnd({ apply, compute }: QueryOptions): Nest | undefined {
  const last = apply?.at(-1);
  return last?.kind === 'nest' && compute === undefined ? last : undefined;
}

/** `nest(...)`: one row, in which each sequence's result is a collection under its name (Data Aggregation 3.4.4). */
export function planNest(nest: Nest, target: RecordTarget, options: QueryOptions, scope: Scope, settings: PlanOptions): AppliedRead {
  const behind = (['filter', 'search', 'orderby', 'select', 'expand', 'skip', 'top'] as const).find((name) => options[name] !== undefined);
  if (behind)
    throw errors
      .notImplemented(`$${behind} behind nest`, 'Write what it would do as the last transformations of each sequence.')
      .at(`$${behind}`);
  const before = options.apply?.slice(0, -1) ?? [];
  const { relation, steps } = planApply(before, target.type, scope);
  const alias = scope.aliases.next();
  const outer = scope.aliases.next();
  for (const { alias: name } of nest.items) requireFreeName(name, relation, { ...scope, option: '$apply' });
  requireDifferent(nest);
  const expands = nest.items.map((item) => nested(item, before, target, scope, settings));
  const aggregate = { column: `#.${alias}.n`, type: 'Edm.Decimal', method: 'count', source: { kind: 'rows' } } as const;
  return {
    selection: {
      type: transformedType(target.type, {}),
      alias: outer,
      table: target.type.table,
      columns: [],
      computed: [],
      expands,
      etag: false,
      keyColumns: [],
    },
    parents: [],
    key: [],
    order: [],
    apply: { base: baseOf(target), steps: [...steps, { kind: 'group', alias, keys: [], sets: [[]], aggregates: [aggregate] }] },
  };
}

function requireDifferent({ items }: Nest): void {
  const twice = items.find(({ alias }, index) => items.findIndex((other) => other.alias === alias) < index);
  if (twice) throw errors.badOption(`nest gives the name ${twice.alias} twice.`).at('$apply');
}

// Each sequence begins again with the records of the path, since it takes the same set as the others.
function nested(
  { alias: name, transformations }: NestItem,
  before: readonly Transformation[],
  target: RecordTarget,
  scope: Scope,
  settings: PlanOptions,
): ExpandPlan {
  const { selection, apply, order, filter } = planApplied(target, { apply: [...before, ...transformations] }, scope, settings);
  const hop = { alias: target.alias, table: target.type.table, from: '', on: [] };
  return { name, source: name, form: 'records', collection: true, hop, apply, selection, order, count: false, ...(filter && { filter }) };
}

function baseOf(target: RecordTarget): AppliedRead['apply']['base'] {
  const place = conditionOf(target);
  return { alias: target.alias, table: target.type.table, parents: target.parents, key: target.key, ...(place && { filter: place }) };
}
