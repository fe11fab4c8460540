import { fc } from '../support/fast-check.js';
import type { AggregateSpec, Behind, Condition, Step } from './apply-evaluate.js';
import type { Method } from './expression.js';

const numbers = ['I', 'J', 'L', 'N', 'M'] as const;
const conditions: fc.Arbitrary<Condition> = fc.record({
  name: fc.constantFrom(...numbers),
  operator: fc.constantFrom('ge', 'lt', 'eq', 'ne'),
  value: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.option(fc.integer({ min: -5, max: 5 }))),
});
const keys = fc.uniqueArray(fc.constantFrom('S', 'I', 'J', 'B', 'C', 'D', 'N', 'Other/B', 'Other/C', 'Other/I'), {
  minLength: 1,
  maxLength: 3,
});
const methods = fc.constantFrom<Method>('sum', 'min', 'max', 'average', 'countdistinct');

const paths = fc.oneof(
  fc.record({
    path: fc.constantFrom(...numbers, 'Parts/Amount', 'Other/N', 'Other/M', 'Other/Parts/Amount').map((path) => path.split('/')),
    method: methods,
  }),
  fc.record({
    path: fc.constantFrom('S', 'U', 'D', 'T', 'B', 'G', 'Parts/Text', 'Other/S').map((path) => path.split('/')),
    method: fc.constantFrom<Method>('min', 'max', 'countdistinct'),
  }),
  fc.record({ path: fc.constantFrom<readonly string[]>([], ['Parts'], ['Other']) }),
);
// A path through two navigation properties has its own case in the HTTP files.
const shortPaths = fc
  .tuple(
    paths.filter(({ path }) => path.length < 3),
    fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  )
  .map(([spec, least]) => (spec.path[0] === 'Parts' ? { ...spec, least } : spec));
const aggregates: fc.Arbitrary<readonly AggregateSpec[]> = fc
  .array(shortPaths, { minLength: 1, maxLength: 4 })
  .map((items) => items.map((item, index) => ({ ...item, alias: `V${index}` })));

const subsets: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('filter' as const), condition: conditions }),
  fc.record({
    kind: fc.constant('rank' as const),
    method: fc.constantFrom('topcount', 'bottomcount'),
    amount: fc.integer({ min: 1, max: 12 }),
    by: fc.constantFrom(...numbers),
  }),
  fc.record({
    kind: fc.constant('order' as const),
    by: fc.constantFrom('N', 'S', 'D', 'B'),
    descending: fc.boolean(),
    skip: fc.nat({ max: 3 }),
    top: fc.nat({ max: 12 }),
  }),
);

const groups: fc.Arbitrary<Step> = fc
  .record({
    kind: fc.constant('group' as const),
    keys,
    levels: fc.constantFrom(0, 0, 1, 9),
    aggregates,
  })
  .map(({ levels, ...step }) => ({ ...step, levels: Math.min(levels, step.keys.length) }));
const totals: fc.Arbitrary<Step> = aggregates.map((specs) => ({ kind: 'group', keys: [], levels: 0, aggregates: specs }));
const ends = fc.oneof({ weight: 3, arbitrary: groups }, { weight: 1, arbitrary: totals });

const computed: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('compute' as const),
  left: fc.constantFrom(...numbers),
  right: fc.constantFrom(...numbers),
  alias: fc.constant('W'),
});
const overComputed: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('group' as const),
  keys,
  levels: fc.constant(0),
  aggregates: methods.map((method) => [{ path: ['W'], method, alias: 'V0' }]),
});
const defined: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('defined' as const),
  name: fc.constantFrom('S', 'I', 'B', 'Other/C'),
  negated: fc.boolean(),
});

/** The options applied to the result of a case; every case has a V0, which may be a number. */
export function behindOf(steps: readonly Step[]): fc.Arbitrary<Behind> {
  const last = steps.at(-1);
  const names = last?.kind === 'group' ? [...last.keys, ...last.aggregates.map(({ alias }) => alias)] : [];
  const numeric =
    last?.kind === 'group'
      ? last.aggregates
          .filter(({ method, path }) => method === undefined || method === 'countdistinct' || numbers.some((name) => path.at(-1) === name))
          .map(({ alias }) => alias)
      : [];
  const filter = fc.record({
    name: fc.constantFrom(...numeric, 'V0'),
    operator: fc.constantFrom<Condition['operator']>('ge', 'lt', 'eq', 'ne'),
    value: fc.option(fc.integer({ min: -5, max: 5 })),
  });
  return fc.record({
    filter:
      numeric.length === 0
        ? fc.constant(undefined)
        : fc.option(
            filter.filter(({ name }) => numeric.includes(name)),
            { nil: undefined },
          ),
    order:
      names.length === 0
        ? fc.constant([])
        : fc.array(fc.record({ name: fc.constantFrom(...names), descending: fc.boolean() }), { maxLength: 3 }),
    skip: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
  });
}

/** The options as in a URL. */
export function printBehind({ filter, order, skip }: Behind): string {
  const terms = order.map(({ name, descending }) => `${name}${descending ? ' desc' : ''}`).join(',');
  return [
    filter && `&$filter=${encodeURIComponent(printCondition(filter))}`,
    terms === '' ? '' : `&$orderby=${encodeURIComponent(terms)}`,
    skip === undefined ? '' : `&$skip=${skip}`,
    '&$count=true',
  ].join('');
}

// The service takes no more.
const mostTransformations = 20;

/** A sequence of transformations: subsets of the records, and then groups, a total, or several of them. */
export const applyCases: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(subsets, { maxLength: 2 }),
    fc.oneof(
      { weight: 5, arbitrary: ends.map((step) => [step]) },
      { weight: 1, arbitrary: fc.tuple(computed, overComputed).map((steps) => [...steps]) },
      { weight: 1, arbitrary: fc.tuple(groups, defined).map((steps) => [...steps]) },
      {
        weight: 1,
        arbitrary: fc
          .array(
            fc.tuple(fc.array(subsets, { maxLength: 1 }), groups).map(([before, step]) => [...before, step]),
            { minLength: 2, maxLength: 2 },
          )
          .map(concatOf),
      },
    ),
  )
  .map(([before, after]) => [...before, ...after])
  .filter((steps) => (printSteps(steps).match(/[a-z]\(/g) ?? []).length <= mostTransformations);

// In all sequences a name has one type, so the aliases of each are its own.
function concatOf(sequences: readonly (readonly Step[])[]): readonly Step[] {
  return [{ kind: 'concat', sequences: sequences.map((sequence, index) => sequence.map((step) => renamed(step, index))) }];
}

function renamed(step: Step, index: number): Step {
  if (step.kind !== 'group') return step;
  return { ...step, aggregates: step.aggregates.map((spec) => ({ ...spec, alias: `${spec.alias}of${index}` })) };
}

/** The text of `$apply`. */
export function printSteps(steps: readonly Step[]): string {
  return steps.map(printStep).join('/');
}

function printStep(step: Step): string {
  switch (step.kind) {
    case 'filter':
      return `filter(${printCondition(step.condition)})`;
    case 'defined':
      return `filter(${step.negated ? 'not ' : ''}isdefined(${step.name}))`;
    case 'compute':
      return `compute(${step.left} add ${step.right} as ${step.alias})`;
    case 'rank':
      return `${step.method}(${step.amount},${step.by})`;
    case 'order':
      return `orderby(${step.by}${step.descending ? ' desc' : ''})/skip(${step.skip})/top(${step.top})`;
    case 'concat':
      return `concat(${step.sequences.map(printSteps).join(',')})`;
    default:
      return printGroup(step);
  }
}

function printCondition({ name, operator, value }: Condition): string {
  return `${name} ${operator} ${value}`;
}

function printGroup({ keys: names, levels, aggregates: specs }: Extract<Step, { kind: 'group' }>): string {
  const items = `aggregate(${specs.map(printAggregate).join(',')})`;
  if (names.length === 0) return items;
  if (levels === 0) return `groupby((${names.join(',')}),${items})`;
  const all = levels === names.length;
  const fixed = names.slice(0, names.length - levels - (all ? 0 : 1));
  const rolled = `rollup(${all ? '$all,' : ''}${names.slice(fixed.length).join(',')})`;
  return `groupby((${[...fixed, rolled].join(',')}),${items})`;
}

function printAggregate({ path: names, method, alias, least }: AggregateSpec): string {
  if (least !== undefined && method === undefined) return `${names.join('/')}/$count($filter=No ge ${least}) as ${alias}`;
  const path = least === undefined ? names : [...names.slice(0, 1), `$filter(No ge ${least})`, ...names.slice(1)];
  return method === undefined ? `${[...path, '$count'].join('/')} as ${alias}` : `${path.join('/')} with ${method} as ${alias}`;
}
