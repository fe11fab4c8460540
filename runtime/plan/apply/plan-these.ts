import type { AggregateExpr } from '../../expression/ast.js';
import type { Transformation } from '../../uri/transformations.js';
import { asItem, isNullable, ofThese } from '../check/check-aggregated.js';
import { checkAggregate } from '../check/check-aggregate.js';
import { columnAt, relationColumn, scopeOver, type Place, type Progress, type RelationColumn } from '../relation.js';
import { ofEnumeration } from '../expr-facts.js';

/** The columns for the values of its whole set that a transformation's expressions ask for (Data Aggregation 3.6). */
export function planThese(transformation: Transformation, progress: Progress, place: Place): Progress {
  const asked = theseIn(expressionsOf(transformation));
  const start: Progress = { ...progress, relation: { ...progress.relation, these: new Map() } };
  return asked.reduce((before, expr) => addThese(expr, before, place), start);
}

// Other transformations have expressions only within others, whose sets are not this one.
function expressionsOf(transformation: Transformation): unknown {
  switch (transformation.kind) {
    case 'filter':
      return transformation.condition;
    case 'compute':
    case 'orderby':
      return transformation.items;
    case 'rank':
      return [transformation.amount, transformation.by];
    default:
      return undefined;
  }
}

// An expression is a tree of plain objects, whatever its kinds are.
function theseIn(part: unknown, found: AggregateExpr[] = []): readonly AggregateExpr[] {
  if (typeof part !== 'object' || part === null) return found;
  if (isAggregate(part) && ofThese(part)) found.push(part);
  else for (const inner of Object.values(part)) theseIn(inner, found);
  return found;
}

function isAggregate(part: object): part is AggregateExpr {
  return 'kind' in part && part.kind === 'aggregate';
}

function addThese(expr: AggregateExpr, progress: Progress, place: Place): Progress {
  const { relation, steps, live } = progress;
  const alias = place.scope.aliases.next();
  const column = `#.${alias}`;
  const aggregate = checkAggregate(asItem(expr), column, scopeOver(relation, alias, place.scope));
  const keys = place.partition.map((name) => columnAt(alias, relationColumn(relation.type, name)));
  const aggregated: RelationColumn = {
    column,
    type: aggregate.type,
    ...ofEnumeration(aggregate.enumeration),
    nullable: isNullable(aggregate),
  };
  const step = { kind: 'these', alias, column, keys, aggregate, ...(live && { live: columnAt(alias, live) }) } as const;
  return { ...progress, steps: [...steps, step], relation: { ...relation, these: new Map(relation.these).set(expr, aggregated) } };
}

/** Whether an expression has the same value for every row: no name in it is that of a property. */
export function isSameForAll(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return true;
  if (isAggregate(part) && ofThese(part)) return true;
  if ('kind' in part && part.kind === 'member') return false;
  return Object.values(part).every(isSameForAll);
}
