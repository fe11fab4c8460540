import { type EntityContainer, type EntityType, targetOf } from '../../edm/index.js';
import { rowFiltersOf } from '../../http/service.js';
import type { TypedExpr } from '../../plan/typed-expr.js';
import { literal, quote } from '../../schema/identifier.js';
import { columnReference } from '../../sql/builder.js';
import { trackedTypes } from './tracked-tables.js';

/**
 * The columns whose values before a change are logged: those of row filters, which decide who saw the row, and
 * references to parents, which change with it where they are expanded.
 */
export function beforeColumns(type: EntityType, container: EntityContainer): readonly string[] {
  return [...new Set([...referenceColumns(type, container), ...ruleColumns(type, container)])];
}

/** The values of these columns of a row as JSON; null for none. */
export function compileBefore(columns: readonly string[], alias: string): string {
  if (columns.length === 0) return 'null::jsonb';
  return `jsonb_build_object(${columns.map((column) => `${literal(column)}, ${columnReference(alias, column)}`).join(', ')})`;
}

/** The row of a table as it was before a logged change, with null in other columns. */
export function compileRowBefore({ table }: EntityType, before: string): string {
  return `jsonb_populate_record(null::${quote(table)}, ${before})`;
}

function referenceColumns(type: EntityType, container: EntityContainer): readonly string[] {
  return trackedTypes(container).flatMap(({ tracking, navigation }) =>
    (tracking?.expandable ?? []).flatMap((name) => {
      const found = navigation[name];
      if (found === undefined || targetOf(container, found).table !== type.table) return [];
      return Object.values(found.join).filter((column) => column !== '#id');
    }),
  );
}

// The columns of all callers' row filters.
function ruleColumns({ table, permissions }: EntityType, container: EntityContainer): readonly string[] {
  const ruled = [...(permissions.read ?? []), ...(permissions.readByKey ?? [])].filter(({ rows }) => rows !== undefined);
  return ruled.flatMap(({ scope }) => {
    const filters = rowFiltersOf({ subject: '', member: '', scopes: new Set([scope]) }, container);
    const filter = filters?.read.find((one) => one.table === table);
    return filter?.condition === undefined ? [] : columnsIn(filter.condition, filter.alias);
  });
}

/** The columns of a row that a condition reads. */
export function columnsIn(condition: TypedExpr, alias: string): readonly string[] {
  const found: string[] = [];
  walk(condition, (node) => {
    if (node['alias'] === alias && typeof node['column'] === 'string') found.push(node['column']);
    if (node['kind'] === 'isof' && node['alias'] === alias) found.push('#type');
    if (node['from'] === alias && Array.isArray(node['on']))
      for (const pair of node['on'] as readonly (readonly [string, string])[]) found.push(pair[0]);
  });
  return found;
}

/** Whether a condition depends on the row alone, and not on other rows or the time. */
export function isOfRow(condition: TypedExpr): boolean {
  let others = false;
  walk(condition, (node) => {
    if (Array.isArray(node['joinSteps']) && node['joinSteps'].length > 0) others = true;
    if (node['kind'] === 'call' && (node['method'] as { readonly name: string }).name === 'now') others = true;
  });
  return !others;
}

type Node = { readonly [member: string]: unknown };

// An expression is a tree of plain objects.
function walk(part: unknown, visit: (node: Node) => void): void {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) visit(part as Node);
  for (const member of Object.values(part)) walk(member, visit);
}
