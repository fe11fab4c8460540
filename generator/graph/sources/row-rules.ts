import { ODataError } from '../../../runtime/errors/odata-error.js';
import { withNames } from '../../../runtime/errors/sample-names.js';
import { suggestion } from '../../../runtime/errors/suggest.js';
import { parseFilter } from '../../../runtime/expression/parser.js';
import { registerSearchSyntax } from '../../../runtime/features/search/parse-search.js';
import type { Expression } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { recordValues, textValue, type Notes, type RecordValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { mapPermissions } from '../../map-permissions.js';
import type { Context, ListedPermission, ListedPermissions } from '../built-model.js';
import { structuresOf, type Scope } from '../names/scope.js';

// A condition may count what a search finds.
registerSearchSyntax();

/** The permissions of a set, with the rule of each scope that has one; `type` is that of its records. */
export function ruledPermissions(listed: ListedPermissions, notes: Notes, type: string | undefined, context: Context): ListedPermissions {
  const scopes = new Set(
    Object.values<readonly ListedPermission[] | undefined>({ ...listed }).flatMap((list) => (list ?? []).map(({ scope }) => scope)),
  );
  const rules = rulesByScope(notes, scopes, type, context);
  return mapPermissions(listed, (list) => list.map((permission) => withRule(permission, rules.get(permission.scope))));
}

function rulesByScope(notes: Notes, scopes: ReadonlySet<string>, type: string | undefined, context: Context): ReadonlyMap<string, string> {
  const { report } = context;
  const rules = new Map<string, string>();
  const stated = notes.find(terms.rowRules)?.value;
  // An unreadable value must not permit all entities.
  if (stated !== undefined && !isList(stated))
    report(faults.rowRule(stated.at, 'every scope', 'is not a collection of records', 'Write a Collection with a Record for each scope.'));
  for (const item of recordValues(stated, terms.rowRule, report)) {
    const scope = textValue(item.member('Scope'), terms.rowRule, report)?.value ?? '';
    if (scope === '') report(faults.rowRule(item.at, 'no scope', 'has no scope and would hide nothing', 'Add a Scope of the Permissions.'));
    else if (!scopes.has(scope))
      report(faults.rowRule(item.at, scope, 'has a scope that the Permissions of the set do not have', suggestion(scope, scopes)));
    else if (rules.has(scope)) report(faults.rowRule(item.at, scope, 'is the second one for this scope', 'Join the two with or.'));
    else rules.set(scope, filterOf(item, scope, type, context));
  }
  return rules;
}

function isList(value: Expression): boolean {
  return value.kind === 'collection' && value.items.every(({ kind }) => kind === 'record');
}

function withRule(permission: ListedPermission, rows: string | undefined): ListedPermission {
  return rows === undefined ? permission : { ...permission, rows };
}

function filterOf(item: RecordValue, scope: string, type: string | undefined, { report, scope: names }: Context): string {
  const filter = textValue(item.member('Filter'), terms.rowRule, report)?.value ?? '';
  try {
    const unknown = type === undefined ? undefined : unknownName(parseFilter(filter), type, names);
    const hint = unknown && (suggestion(unknown.name, unknown.known) || 'Correct the name.');
    if (unknown) report(faults.rowRule(item.at, scope, `names ${unknown.name}, which its records do not have`, hint ?? ''));
  } catch (fault) {
    if (!(fault instanceof ODataError)) throw fault;
    report(faults.rowRule(item.at, scope, `is invalid: ${withNames(fault.message).replace(/\.$/, '')}`, 'Write a $filter expression.'));
  }
  return filter;
}

type Filter = ReturnType<typeof parseFilter>;

/** An unknown name in a condition, with similar ones. */
interface UnknownName {
  readonly name: string;
  readonly known: readonly string[];
}

/**
 * The first unknown property at the start of a path in the condition. The rest of paths and types are checked when the
 * model is loaded, like every filter.
 */
function unknownName(filter: Filter, type: string, scope: Scope): UnknownName | undefined {
  const line = structuresOf(type, scope);
  const last = line.at(-1);
  // The type has unknown base types, or dynamic properties.
  if (last === undefined || last.baseType !== undefined || line.some(({ openType }) => openType)) return undefined;
  const parts = partsOf(filter);
  const known = line.flatMap(({ properties }) => properties.map(({ name }) => name));
  const named = new Set([...known, ...line.flatMap(({ leftOut = [] }) => leftOut), ...parts.flatMap(variableOf)]);
  const name = parts.flatMap(beginningOf).find((each) => /^[^.@$]+$/.test(each) && !named.has(each));
  return name === undefined ? undefined : { name, known };
}

// A name with parentheses is a function.
function beginningOf(expr: Filter): readonly string[] {
  if (expr.kind !== 'member' || expr.base !== undefined) return [];
  return expr.path.slice(0, 1).flatMap(({ name, parentheses }) => (parentheses === undefined ? [name] : []));
}

function variableOf(expr: Filter): readonly string[] {
  return expr.kind === 'lambda' && expr.variable !== undefined ? [expr.variable] : [];
}

// An expression and all its parts, in the order of the text.
function partsOf(expr: Filter): readonly Filter[] {
  return [expr, ...operandsOf(expr).flatMap(partsOf)];
}

function operandsOf(expr: Filter): readonly Filter[] {
  switch (expr.kind) {
    case 'unary':
      return [expr.operand];
    case 'binary':
      return [expr.left, expr.right];
    case 'methodCall':
      return expr.arguments;
    case 'lambda':
      return [expr.source, ...(expr.predicate === undefined ? [] : [expr.predicate])];
    case 'list':
      return expr.items;
    default:
      return [];
  }
}
