import { columnOf, type EntityType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt } from '../../expression/quote.js';
import type { CommonExpr, MemberExpr, PathSegment } from '../../expression/ast.js';
import type { Rollup, Scope } from '../scope.js';
import type { Hop } from '../typed-expr.js';

/** The node that `Aggregation.rollupnode()` stands for within `rolluprecursive` (Data Aggregation 6.3). */
export function rollupNode(segment: PathSegment, scope: Scope): { readonly hop: Hop; readonly type: EntityType } {
  const rollup = rollupAt(positionOf(segment, scope), 'rollupnode', scope);
  const { alias, column } = numberOf(rollup, scope);
  return { hop: { alias: scope.aliases.next(), table: rollup.type.table, from: alias, on: [[column, '#id']] }, type: rollup.type };
}

/** What `Aggregation.excludingdescendants()` stands for: the row belongs to the node itself. */
export function excludingDescendants(segment: PathSegment, scope: Scope): CommonExpr {
  const { path, identifier } = rollupAt(1, 'excludingdescendants', scope);
  const { at } = segment;
  const node: MemberExpr = {
    kind: 'member',
    at,
    path: [
      { name: 'Aggregation.rollupnode', at, parentheses: { kind: 'named', values: [] } },
      { name: identifier, at },
    ],
  };
  return { kind: 'binary', at, operator: 'eq', left: path, right: node };
}

function rollupAt(position: number, name: string, { rollups = [], option }: Scope): Rollup {
  const rollup = rollups[position - 1];
  if (rollup) return rollup;
  const why =
    rollups.length === 0
      ? 'stands within the transformations of groupby((rolluprecursive(...)),...) only'
      : `has a Position from 1 to ${rollups.length} here`;
  throw errors.typeMismatch(`${name} ${why}.`).at(option);
}

// The rows of the set that is transformed have it, wherever in an expression the function stands.
function numberOf({ property }: Rollup, { variables, option }: Scope): { readonly alias: string; readonly column: string } {
  const row = variables.get('$it');
  if (row?.kind !== 'record' || !Object.hasOwn(row.type.fields, property))
    throw errors.typeMismatch('rollupnode stands for no node here: the rows are no longer those of a node.').at(option);
  return { alias: row.source.alias, column: columnOf(row.type, property) };
}

function positionOf({ parentheses, at }: PathSegment, { option }: Scope): number {
  const values = parentheses?.kind === 'named' ? parentheses.values : [];
  const unknown = values.find(({ name }) => name !== 'Position');
  if (unknown) throw errors.unknownParameter(excerpt(unknown.name), 'rollupnode', ' It has Position.').at(option);
  const [position] = values;
  if (position === undefined) return 1;
  const { value } = position;
  if (value.kind === 'literal' && value.type === 'Edm.Int64' && /^[1-9]\d?$/.test(value.value)) return Number(value.value);
  throw errors.typeMismatch(`Position is a whole number of 1 or more, at position ${at + 1}.`).at(option);
}
