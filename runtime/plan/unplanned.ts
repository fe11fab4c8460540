import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import type { CommonExpr, MemberExpr, Parentheses, PathSegment } from '../expression/ast.js';
import { excerpt } from '../expression/quote.js';
import type { QueryOptions } from '../uri/query-options.js';
import type { PathPart } from '../uri/resource-path.js';
import type { Scope } from './scope.js';

/** Options that are read and not carried out; a row leaves when the option is planned. */
const unplannedOptions = ['id', 'deltatoken'] as const satisfies readonly (keyof QueryOptions)[];

/** Refuses an option that would otherwise be ignored. */
export function refuseUnplannedOptions(options: QueryOptions): void {
  if (options.index !== undefined) throw errors.badOption('$index says where an item is inserted into an ordered collection; there is none here.').at('$index');
  const option = unplannedOptions.find((name) => options[name] !== undefined);
  if (option) throw errors.notImplemented(`The option $${option}`).at(`$${option}`);
}

const readingOptions = ['filter', 'search', 'orderby', 'top', 'skip', 'count', 'skiptoken', 'apply'] as const satisfies readonly (keyof QueryOptions)[];
const showingOptions = ['select', 'expand', 'compute'] as const satisfies readonly (keyof QueryOptions)[];

/** Refuses the options that a write would not follow: it chooses by its address alone, and what is deleted is not shown. */
export function refuseReadingOptions(options: QueryOptions, method: string): void {
  const option = [...readingOptions, ...(method === 'DELETE' ? showingOptions : [])].find((name) => options[name] !== undefined);
  if (option) throw errors.badOption(`$${option} cannot be used with ${method}: it is for reading.`).at(`$${option}`);
}

/** Refuses the options of records for what has none: the service document and the model. */
export function refuseAllOptions(options: QueryOptions, what: string): void {
  const option = [...readingOptions, ...showingOptions].find((name) => options[name] !== undefined);
  if (option) throw errors.badOption(`$${option} cannot be used with ${what}: it has no records.`).at(`$${option}`);
}

/** Kinds of expression that are read and not planned. */
type UnplannedExpr = Extract<CommonExpr, { kind: 'alias' | 'object' }>;

/** The refusal of an expression that has no plan. */
export function unplannedExpr(expr: UnplannedExpr, scope: Scope): ODataError {
  return errors.notImplemented(unplannedName(expr)).at(scope.option);
}

function unplannedName(expr: UnplannedExpr): string {
  switch (expr.kind) {
    case 'alias':
      return `The parameter alias or annotation ${excerpt(expr.name)}`;
    default:
      return 'A JSON object in an expression';
  }
}

/** Refuses a path with anything but names of properties and variables, `$count`, `$filter` and `$root`. */
export function refuseUnplannedPath({ base, path }: MemberExpr, scope: Scope): void {
  // The key behind $root/Set is planned where the path starts.
  const planned = path[0]?.name === '$root' ? path.slice(2) : path;
  const segment = planned.find((candidate) => unplannedSegment(candidate) !== undefined);
  const what = base ? 'A path behind a function or parameter alias' : segment && unplannedSegment(segment);
  if (what !== undefined) throw errors.notImplemented(what).at(scope.option);
}

function unplannedSegment({ name, parentheses }: PathSegment): string | undefined {
  if (name.startsWith('@')) return `The annotation ${excerpt(name)}`;
  // Only a function is called by parameters or has a name with a dot; else it is a key.
  if (parentheses && (name.includes('.') || isCall(parentheses))) return `The function ${excerpt(name)}(...)`;
  return undefined;
}

function isCall(parentheses: Parentheses): boolean {
  return parentheses.kind === 'named' && parentheses.values.length === 0;
}

/** The refusal of a name with parentheses that is no navigation property of a type: the model has no functions. */
export function unplannedFunction({ name }: PathSegment, scope: Scope): ODataError {
  return errors.notImplemented(`The function ${excerpt(name)}(...)`).at(scope.option);
}

/** Refuses a segment of a resource path whose parts would otherwise be ignored. */
export function refuseUnplannedPart({ name, resultKey }: PathPart): void {
  if (resultKey) throw errors.notImplemented(`/${excerpt(name)}(...)`).at(name);
}
