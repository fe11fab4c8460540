import { type EntityContainer, type EntityType, fieldOf, navigationOf, own, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt, suggestion } from '../../errors/suggest.js';
import type { SelectItem } from '../../uri/query-options.js';
import type { RequestScope } from '../scope.js';

/** The operation, or all of a namespace, that an item selects. A function's overload is selected by the names of its parameters. */
export function operationNamed(item: SelectItem, container: EntityContainer): string | undefined {
  const known = container.operations ?? {};
  if (item.kind === 'operations') {
    const start = qualify(container, `${item.namespace}.`);
    return Object.keys(known).some((name) => name.startsWith(start)) ? `${start}*` : undefined;
  }
  const [first, second] = item.kind === 'member' ? item.path : [];
  if (item.kind !== 'member' || first === undefined || second !== undefined || !isQualified(first.name)) return undefined;
  const name = qualify(container, first.name);
  if (own(known, name) === undefined) return undefined;
  return item.parameterNames ? `${name}(${item.parameterNames.join(',')})` : name;
}

/** Whether a name in `$select` has a namespace. */
export function isQualified(name: string): boolean {
  return /^[^@].*\./.test(name);
}

/** Advises of names with dots that are no operations: they are ignored (URL conventions 5.1.4), but may be misspelt, or paths. */
export function adviseIgnored(items: readonly SelectItem[], type: EntityType, { container, advice }: RequestScope): void {
  for (const item of items) {
    const name = dottedName(item);
    if (name === undefined || operationNamed(item, container) !== undefined) continue;
    const hint = pathHint(name, type) ?? suggestion(name, Object.keys(container.operations ?? {}));
    // A namespace without operations is no mistake.
    if (hint === '' && item.kind === 'operations') continue;
    advice?.push(errors.unknownName(`property or operation ${excerpt(name)}`, type.name, hint).at('$select'));
  }
}

function dottedName(item: SelectItem): string | undefined {
  if (item.kind === 'operations') return `${item.namespace}.*`;
  const [first, second] = item.kind === 'member' ? item.path : [];
  return first && !second && isQualified(first.name) ? first.name : undefined;
}

// A path has slashes where other languages have dots.
function pathHint(name: string, type: EntityType): string | undefined {
  const [first = '', ...rest] = name.split('.');
  if (fieldOf(type, first)) return ` Write ${first}/${rest.join('/')}.`;
  return navigationOf(type, first) && ` Write $expand=${first}($select=${rest.join('/')}).`;
}
