import { columnOf, fieldOf, navigationOf, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { SelectItem, SelectPath } from '../uri/query-options.js';
import { accessTo, type Caller } from './caller.js';
import type { ComputedColumn, SelectedColumn, Selection } from './read-plan.js';

/** What to return: properties in the order of the model, without those that the caller may not see, then computed values. */
export function planSelect(items: readonly SelectItem[] | undefined, type: EntityType, computed: readonly ComputedColumn[], caller: Caller): Pick<Selection, 'columns' | 'computed' | 'links'> {
  const names = items && selectedNames(items, type, computed);
  const access = accessTo(type, 'read', caller);
  const visible = (name: string): boolean => access.allowed && !access.restricted.has(name);
  const selected = ({ name }: { readonly name: string }): boolean => names === undefined || names.has(name);
  return { columns: columnsOf(type).filter((column) => visible(column.name) && selected(column)), computed: computed.filter(selected), links: Object.keys(type.navigation).filter((name) => selected({ name })) };
}

const columns = new WeakMap<EntityType, readonly SelectedColumn[]>();

/** Every structural property as a column to read; the same objects each time, so that what is prepared for one is kept. */
export function columnsOf(type: EntityType): readonly SelectedColumn[] {
  const known = columns.get(type) ?? Object.entries(type.fields).map(([name, field]) => ({ name, column: columnOf(type, name), field }));
  columns.set(type, known);
  return known;
}

/** The key's properties as columns to read. */
export function keyColumns(type: EntityType): readonly SelectedColumn[] {
  return type.key.flatMap((name) => {
    const field = fieldOf(type, name);
    return field ? [{ name, column: columnOf(type, name), field }] : [];
  });
}

function selectedNames(items: readonly SelectItem[], type: EntityType, computed: readonly ComputedColumn[]): ReadonlySet<string> | undefined {
  if (items.some(({ kind }) => kind === 'star')) return undefined;
  return new Set(items.flatMap((item) => (item.kind === 'member' ? selectedName(item, type, computed) : [])));
}

function isQualified(name: string): boolean {
  return /^[^@].*\./.test(name);
}

function selectedName({ path, options, parameterNames }: SelectPath, type: EntityType, computed: readonly ComputedColumn[]): readonly string[] {
  const [first, second] = path;
  if (first === undefined) return [];
  // An operation that cannot be bound to the record is passed over (URL conventions 5.1.4), and the model has none.
  if (isQualified(first.name) && !second) return [];
  if (options || parameterNames) throw errors.notImplemented('A $select item with options or parameters').at('$select');
  if (first.name.startsWith('@')) throw errors.notImplemented(`The annotation ${first.name}`).at('$select');
  if (second) throw errors.notImplemented(`$select of a path, ${first.name}/${second.name},`).at('$select');
  if (fieldOf(type, first.name) || computed.some(({ name }) => name === first.name)) return [first.name];
  // A navigation property may be selected; without $expand it shows nothing in minimal metadata.
  if (navigationOf(type, first.name)) return [first.name];
  const known = [...Object.keys(type.fields), ...Object.keys(type.navigation), ...computed.map(({ name }) => name)];
  throw errors.unknownName(`property ${first.name}`, type.name, suggestion(first.name, known)).at(first.name);
}
