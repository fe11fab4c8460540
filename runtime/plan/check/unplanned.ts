import { type EntityContainer, type EntityType, type Navigation, type Operation, overloadsNamed } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { excerpt, suggestion, withArticle } from '../../errors/suggest.js';
import type { CommonExpr, MemberExpr, Parentheses, PathSegment } from '../../expression/ast.js';
import { isMethod } from '../../expression/methods.js';
import type { QueryOptions } from '../../uri/query-options.js';
import type { PathPart } from '../../uri/resource-path.js';
import type { Scope } from '../scope.js';

/** Options that are read and not carried out; a row leaves when the option is planned. */
const unplannedOptions = ['id', 'deltatoken'] as const satisfies readonly (keyof QueryOptions)[];

/** Refuses an option that would otherwise be ignored. */
export function refuseUnplannedOptions(options: QueryOptions, container: EntityContainer): void {
  if (options.index !== undefined) throw misplacedIndex();
  const option = unplannedOptions.find((name) => options[name] !== undefined);
  if (option)
    throw errors.notImplemented(`The option $${option}`, option === 'deltatoken' ? changesInstead(container) : undefined).at(`$${option}`);
}

/** The alternative to `$deltatoken`. */
export function changesInstead({ entityTypes }: Pick<EntityContainer, 'entityTypes'>): string {
  const events = Object.values(entityTypes).find((type) => type.events !== undefined)?.entitySet;
  return events === undefined ? 'Changes are not tracked; read the records again.' : `Read the changes of records from ${events}.`;
}

/** The refusal of `$index` for anything but a new item. */
export function misplacedIndex(): ODataError {
  return errors
    .badOption('$index is the position at which a POST inserts an item into a collection of values; this is not such a collection.')
    .at('$index');
}

// oxfmt-ignore
/** The options of reads of collections. */
export const readingOptions = [
  'apply', 'filter', 'search', 'orderby', 'top', 'skip', 'count', 'skiptoken', 'deltatoken',
] as const satisfies readonly (keyof QueryOptions)[];
const showingOptions = ['select', 'expand', 'compute'] as const satisfies readonly (keyof QueryOptions)[];

/** Rejects options without effect on a write: it is determined by its address, and a deletion returns nothing. */
export function refuseReadingOptions(options: QueryOptions, method: string): void {
  const option = [...readingOptions, ...(method === 'DELETE' ? showingOptions : [])].find((name) => options[name] !== undefined);
  if (option) throw errors.badOption(`$${option} cannot be used with ${method}, only with reads.`).at(`$${option}`);
}

/** Rejects collection options on the service document and the model. */
export function refuseAllOptions(options: QueryOptions, what: string): void {
  const option = [...readingOptions, ...showingOptions].find((name) => options[name] !== undefined);
  if (option) throw errors.badOption(`$${option} cannot be used with ${what}, which has no records.`).at(`$${option}`);
}

/** The refusal of an expression that has no plan. */
export function unplannedExpr(expr: Extract<CommonExpr, { kind: 'alias' | 'object' }>, { option }: Scope): ODataError {
  return expr.kind === 'alias'
    ? errors.notImplemented(`The parameter alias or annotation ${excerpt(expr.name)}`).at(option)
    : errors.notImplemented('A JSON object in an expression', 'Compare the properties of the complex value.').at(option);
}

/** The refusal of an operator on the items of a property that the model does not declare, or gives no type. */
export function unplannedItems(operator: string, { option }: Scope): ODataError {
  return errors.notImplemented(`${operator} of a dynamic or untyped property`, 'Compare the property, or a value nested in it.').at(option);
}

/** Refuses a path with anything but names of properties and variables, `$count`, `$filter` and `$root`. */
export function refuseUnplannedPath({ base, path }: MemberExpr, scope: Scope): void {
  // The key after $root/Set is planned with the start of the path.
  const planned = path[0]?.name === '$root' ? path.slice(2) : path;
  if (base)
    throw errors.notImplemented('A path after a function', 'Write the intended property, or compute it with $compute.').at(scope.option);
  for (const [index, segment] of planned.entries()) {
    const { name, parentheses } = segment;
    if (name.startsWith('@')) throw unplannedAnnotation(name, scope.option);
    // Only a function is called by parameters or has a name with a dot; else it is a key.
    if (parentheses && (name.includes('.') || isCall(parentheses)))
      throw unplannedFunction(segment, scope, planned.slice(0, index)).in(segment);
  }
}

/** The error for an annotation, which no entity has. */
export function unplannedAnnotation(name: string, option: string): ODataError {
  if (/^@(?:odata\.)?type$/i.test(name))
    return errors
      .typeMismatch('The type of a record is not a value: write isof(Ns.Type), or Ns.Type/Property for a property of the type.')
      .at(option);
  return errors
    .notImplemented(`The annotation ${excerpt(name)}`, 'Annotations are in $metadata, and records have none; write a property.')
    .at(option);
}

function isCall(parentheses: Parentheses): boolean {
  return parentheses.kind === 'named' && parentheses.values.length === 0;
}

/**
 * The refusal of a name with parentheses that is no navigation property of a type: a function, which is a handler's, and
 * no SQL. Other languages write methods after the value that precedes it.
 */
export function unplannedFunction({ name }: Pick<PathSegment, 'name'>, scope: Scope, before: readonly PathSegment[] = []): ODataError {
  const { container, option } = scope;
  const overloads = overloadsNamed(name, container).filter(({ kind }) => kind === 'Function');
  if (name.toLowerCase() === 'count')
    return errors
      .unknownName(`function ${excerpt(name)}`, 'OData', ' Write $count without parentheses, as in ‹related›/$count.')
      .at(option);
  // Of hierarchies (Data Aggregation 6.1).
  if (/(?:^|\.)Aggregation\.(?:V1\.)?\w+$/.test(name)) return errors.notImplemented(`The function ${excerpt(name)}`).at(option);
  if (overloads.length === 0)
    return errors
      .unknownName(
        `function ${excerpt(name)}`,
        'The model',
        methodHint(name, before) ?? suggestion(name, Object.keys(container.operations ?? {})),
      )
      .at(option);
  const instead = addressOf(name, overloads, container) ?? insteadOf(option);
  return errors.notImplemented(`The function ${name}(...) in an expression`, instead).at(option);
}

function methodHint(name: string, before: readonly PathSegment[]): string | undefined {
  const method = name.toLowerCase();
  return before.length > 0 && isMethod(method) ? ` Write ${method}(${before.map((segment) => segment.name).join('/')}).` : undefined;
}

// A bound function is called at the address of its binding value, of which an example exists where a set has the type.
function addressOf(name: string, overloads: readonly Operation[], { entityTypes }: EntityContainer): string | undefined {
  const [first] = overloads;
  if (first === undefined || !overloads.every(({ binding }) => binding)) return undefined;
  const set = Object.values(entityTypes).find(
    ({ qualifiedName, entitySet }) => entitySet !== undefined && qualifiedName === first.binding?.type,
  )?.entitySet;
  const record = set === undefined ? '...' : first.binding?.collection ? set : `${set}(...)`;
  const call = `${name}(${first.parameters.map((parameter) => `${parameter.name}=...`).join(',')})`;
  return `A handler has no SQL, so it cannot run within a condition: call it at the address of its binding parameter, ${record}/${call}, or filter by the properties that it reads.`;
}

function insteadOf(option: string): string {
  return option === '/$filter'
    ? 'Write the condition as $filter=... after the path.'
    : 'Call it at the start of a path, with constant parameters.';
}

/** Rejects a path segment whose parts would otherwise be ignored. */
export function refuseUnplannedPart({ name, resultKey }: PathPart): void {
  if (resultKey)
    throw errors
      .typeMismatch(`${excerpt(name)} needs a single key; write several key properties with names and commas, as in (ItemId=1,No=2).`)
      .at(excerpt(name));
}

/** Rejects containments of transient entities, which have no address. */
export function refuseContained({ name: type, transient }: EntityType, name: string, { contains }: Navigation): void {
  if (transient && contains)
    throw errors.notImplemented(`${name} of ${withArticle(type)} that is in no set`, `Read it after the address of the ${type}.`).at(name);
}
