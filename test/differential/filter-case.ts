import { fc } from '../support/fast-check.js';
import { evaluate, scopeOf, type Entity } from './evaluate.js';
import { printExpression, type Expression } from './expression.js';
import { comparisonsOf, conditions, sortable } from './generator.js';
import { isFound, printSearch, searches, type Search } from './searches.js';
import { inInt64, isTemporal, type TypeName, type Value } from './values.js';

/** The options of a request: a condition, which may use a value of `$compute`, and a search. */
export interface FilterCase {
  readonly filter: Expression;
  readonly computed: Computed | undefined;
  readonly search: Search | undefined;
}

interface Computed {
  readonly type: TypeName;
  readonly value: Expression;
}

const plain: fc.Arbitrary<FilterCase> = fc.record({
  filter: conditions(4),
  computed: fc.constant(undefined),
  search: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: searches(2) }),
});

// Null alone has no type that a later comparison could take.
const computing: fc.Arbitrary<FilterCase> = sortable(2)
  .filter(({ expression }) => expression.kind !== 'literal')
  .chain(({ type, expression }) =>
    fc.record({ filter: comparisonsOf(type, 2), computed: fc.constant({ type, value: expression }), search: fc.constant(undefined) }),
  );

/** Mostly a condition alone. */
export const filterCases: fc.Arbitrary<FilterCase> = fc.oneof({ weight: 8, arbitrary: plain }, { weight: 1, arbitrary: computing });

/** The case as it stands in a URL. */
export function queryOfFilter({ filter, computed, search }: FilterCase): string {
  const compute = computed && `&$compute=${encodeURIComponent(`${printExpression(computed.value)} as Own`)}`;
  return `$select=Id&$top=1000&$filter=${encodeURIComponent(printExpression(filter))}${compute ?? ''}${search ? `&$search=${encodeURIComponent(printSearch(search))}` : ''}`;
}

/** Whether the case asks for the item. */
export function isAskedFor({ filter, computed, search }: FilterCase, entity: Entity): boolean {
  const own = computed ? { ...entity, values: { ...entity.values, Own: ownValue(computed, entity) } } : entity;
  return evaluate(filter, scopeOf(own)) === true && (search === undefined || isFound(search, entity.values['Words'] as string | null));
}

const year10000 = 253_402_300_800_000_000n;

// A property that is shown has the bounds of its type.
function ownValue({ type, value }: Computed, entity: Entity): Value {
  const own = evaluate(value, scopeOf(entity));
  if (type === 'int') return inInt64(own);
  const isTooLate = isTemporal(own) && (own.kind === 'date' || own.kind === 'timestamp') && own.micros >= year10000;
  return isTooLate ? null : own;
}
