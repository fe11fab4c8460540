import { logical } from '../../plan/expr-facts.js';
import { listsOf, type ReadFilter, type RowFilter, type RowFilters } from '../../plan/row-filter.js';
import type { EntityContainer, EntityType, Permissions, RecordConditions } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { suggestion } from '../../errors/suggest.js';
import type { CommonExpr } from '../../expression/ast.js';
import { parseFilter } from '../../expression/parser.js';
import { bindAliases } from '../../uri/bind-aliases.js';
import type { Caller } from '../../plan/caller.js';
import { checkCondition } from '../../plan/check/check-expr.js';
import { circlesIn, filteredModel, type FilteredModel, unfilteredTable } from './filtered-model.js';
import { createAliases, rowRules } from '../../plan/scope.js';
import { rootScope } from '../../plan/options/plan-filter.js';
import { memoized } from '../../edm/memoized.js';

/** The values of the caller in row filters; a filter that uses a value that the token lacks matches nothing. */
const callerValues: { readonly [alias: string]: (caller: Caller) => string | undefined } = {
  '@Member': ({ member }) => member,
  '@Subject': ({ subject }) => subject,
};

/** The row filters of a caller. */
export function rowFiltersOf(caller: Caller, container: EntityContainer): RowFilters {
  return rowFilters(filteredModel(container))(caller);
}

const rowFilters = memoized((model: FilteredModel) => memoized((caller: Caller) => planRowFilters(caller, model)));

function planRowFilters(caller: Caller, model: FilteredModel): RowFilters {
  const tables = new Map(model.types.map((type) => [type.table, type]));
  return {
    filtered: [...tables.keys()].map((table) => ({ table, unfiltered: unfilteredTable(table, model) })),
    read: planReadFilters(caller, model),
    write: (operation, table) => {
      const type = tables.get(table);
      return type && planFilter(type, operation, caller, model);
    },
    stored: (operation, table) => {
      const type = tables.get(table);
      return type && planStored(type, operation, caller, model);
    },
  };
}

function planStored(type: EntityType, operation: keyof RecordConditions, caller: Caller, model: FilteredModel): RowFilter | undefined {
  const text = type.conditions?.[operation];
  return text === undefined ? undefined : planRules(type, [[parseFilter(text)]], caller, model);
}

// Rows contained in a hidden row are hidden too, on every path.
function planReadFilters(caller: Caller, model: FilteredModel): readonly ReadFilter[] {
  const filters: ReadFilter[] = [];
  for (const type of model.types) {
    const rule = planFilter(type, 'read', caller, model);
    const within = (model.containers.get(type.table) ?? []).filter(({ table }) => filters.some((filter) => filter.table === table));
    if (rule === undefined && within.length === 0) continue;
    filters.push({
      table: type.table,
      unfiltered: unfilteredTable(type.table, model),
      alias: rule?.alias ?? 't0',
      condition: rule?.condition,
      within,
    });
  }
  return filters;
}

// The filters for reading by key and for collections apply together: a table has one read filter per request.
function planFilter(type: EntityType, operation: keyof Permissions, caller: Caller, model: FilteredModel): RowFilter | undefined {
  const lists = operation === 'read' ? (['read', 'readByKey'] as const) : [operation];
  const rules = lists.flatMap((list) => {
    const found = rulesOf(type, list, caller);
    return found === undefined ? [] : [found];
  });
  return rules.length === 0 ? undefined : planRules(type, rules, caller, model);
}

// A scope without a row filter permits all rows; any one of several filters is enough. A caller without any scope has been rejected.
function rulesOf(type: EntityType, operation: keyof Permissions, caller: Caller): readonly CommonExpr[] | undefined {
  const granted = type.permissions[operation]?.filter(({ scope }) => caller.scopes.has(scope)) ?? [];
  const rules = granted.map(({ rows }) => rows);
  if (rules.length === 0 || rules.includes(undefined)) return undefined;
  return rules.flatMap((rule) => (rule === undefined ? [] : [rowRule(rule, caller)]));
}

// Any one of a list's filters is enough.
function planRules(type: EntityType, lists: readonly (readonly CommonExpr[])[], caller: Caller, model: FilteredModel): RowFilter {
  const whole = unfilteredTable(type.table, model);
  const aliases = createAliases();
  const alias = aliases.next();
  const place = { type: model.unfiltered.entityTypes[type.name] ?? type, alias };
  const scope = { ...rootScope(place, { container: model.unfiltered, caller, aliases }), option: rowRules };
  return {
    table: type.table,
    unfiltered: whole,
    alias,
    condition: lists
      .map((rules) => rules.map((rule) => checkCondition(rule, scope)).reduce((left, right) => logical('or', left, right)))
      .reduce((left, right) => logical('and', left, right)),
  };
}

const nothing: CommonExpr = { kind: 'literal', at: 0, type: 'Edm.Boolean', value: 'false' };

function rowRule(text: string, caller: Caller): CommonExpr {
  const filter = parseFilter(text);
  const asked = aliasesIn(filter);
  const unknown = asked.find((name) => !Object.hasOwn(callerValues, name));
  if (unknown !== undefined) throw errors.unknownName(unknown, 'A row filter', suggestion(unknown, Object.keys(callerValues))).at(rowRules);
  const values = asked.map((name) => [name, callerValues[name]?.(caller)] as const);
  if (values.some(([, value]) => value === undefined)) return nothing;
  const aliases = new Map(
    values.map(([name, value = '']): [string, CommonExpr] => [name, { kind: 'literal', at: 0, type: 'Edm.String', value }]),
  );
  return bindAliases({ filter, aliases }).filter ?? nothing;
}

// An expression is a tree of plain objects.
function aliasesIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('kind' in part && part.kind === 'alias' && 'name' in part && typeof part.name === 'string') return [part.name];
  return Object.values(part).flatMap(aliasesIn);
}

/** The faults of a model's row filters, each with its type and scope. */
export function rowRuleFaults(container: EntityContainer): readonly string[] {
  const model = filteredModel(container);
  const faults = model.types.flatMap((type) =>
    listsOf(type.permissions).flatMap(([operation, list]) => list.flatMap(({ scope }) => faultOf(type, operation, scope, model))),
  );
  const conditions = model.types.flatMap((type) =>
    (['update', 'delete'] as const).flatMap((operation) =>
      faultIn(`The condition to ${operation} records of ${type.name}`, () => planStored(type, operation, nobody, model)),
    ),
  );
  const circles = circlesIn(model.types, model.containers).map(
    ({ name }) =>
      `A row filter hides ${name} and its contained records, which in turn contain it. Remove the row filter, or one of the containments.`,
  );
  // A scope has one row filter for all its permissions.
  return [...new Set([...faults, ...conditions, ...circles])];
}

function faultOf(type: EntityType, operation: keyof Permissions, scope: string, model: FilteredModel): readonly string[] {
  return faultIn(`The row filter of ${type.name} for ${scope}`, () =>
    planFilter(type, operation, { ...nobody, scopes: new Set([scope]) }, model),
  );
}

const nobody: Caller = { subject: '', member: '', scopes: new Set() };

function faultIn(what: string, plan: () => unknown): readonly string[] {
  try {
    plan();
    return [];
  } catch (fault) {
    if (!(fault instanceof ODataError)) throw fault;
    return [`${what}: ${fault.message}`];
  }
}
