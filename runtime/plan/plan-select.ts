import { columnOf, fieldOf, navigationOf, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { SelectItem, SelectPath } from '../uri/query-options.js';
import { accessTo, type Caller } from './caller.js';
import type { SelectedColumn } from './read-plan.js';

/** The properties to return, in the order of the model; those that the caller may not see are left out. */
export function planSelect(items: readonly SelectItem[] | undefined, type: EntityType, caller: Caller): readonly SelectedColumn[] {
  const names = items && selectedNames(items, type);
  const access = accessTo(type, 'read', caller);
  const visible = (name: string): boolean => access.allowed && !access.restricted.has(name);
  return columnsOf(type).filter(({ name }) => visible(name) && (names === undefined || names.has(name)));
}

/** Every structural property as a column to read. */
export function columnsOf(type: EntityType): readonly SelectedColumn[] {
  return Object.entries(type.fields).map(([name, field]) => ({ name, column: columnOf(type, name), field }));
}

/** The key's properties as columns to read. */
export function keyColumns(type: EntityType): readonly SelectedColumn[] {
  return type.key.flatMap((name) => {
    const field = fieldOf(type, name);
    return field ? [{ name, column: columnOf(type, name), field }] : [];
  });
}

function selectedNames(items: readonly SelectItem[], type: EntityType): ReadonlySet<string> | undefined {
  if (items.some(({ kind }) => kind === 'operations')) throw errors.notImplemented('$select of the operations of a schema').at('$select');
  if (items.some(({ kind }) => kind === 'star')) return undefined;
  return new Set(items.flatMap((item) => (item.kind === 'member' ? selectedName(item, type) : [])));
}

function selectedName({ path, options, parameterNames }: SelectPath, type: EntityType): readonly string[] {
  const [first, second] = path;
  if (first === undefined) return [];
  if (options || parameterNames) throw errors.notImplemented('A $select item with options or parameters').at('$select');
  if (first.name.startsWith('@')) throw errors.notImplemented(`The annotation ${first.name}`).at('$select');
  if (second) throw errors.notImplemented(`$select of a path, ${first.name}/${second.name},`).at('$select');
  if (fieldOf(type, first.name)) return [first.name];
  // A navigation property may be selected; without $expand it shows nothing in minimal metadata.
  if (navigationOf(type, first.name)) return [];
  const known = [...Object.keys(type.fields), ...Object.keys(type.navigation)];
  throw errors.unknownName(`property ${first.name}`, type.name, suggestion(first.name, known)).at(first.name);
}
