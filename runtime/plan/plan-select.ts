import { columnOf, fieldOf, isDynamicName, navigationOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { SelectItem, SelectPath } from '../uri/query-options.js';
import { accessTo } from './caller.js';
import { bothSelected, selectedShape, wholeShape, type Selected } from './complex-shape.js';
import type { ComputedColumn, SelectedColumn, Selection } from './read-plan.js';
import type { RequestScope } from './scope.js';
import { pathsOf, selectedWithin } from './select-path.js';

/** What to return: properties in the order of the model, without those that the caller may not see, then computed values. */
export function planSelect(items: readonly SelectItem[] | undefined, type: EntityType, computed: readonly ComputedColumn[], { caller, container }: RequestScope): Pick<Selection, 'columns' | 'computed' | 'links' | 'open'> {
  const names = items && selectedNames(items, type, computed, container);
  const access = accessTo(type, 'read', caller);
  const visible = (name: string): boolean => access.allowed && !access.restricted.has(name);
  const selected = ({ name }: { readonly name: string }): boolean => names === undefined || names.has(name);
  const shown = columnsOf(type, container).filter((column) => visible(column.name) && selected(column));
  return {
    columns: names ? shown.map((column) => narrowed(column, names.get(column.name) ?? 'all', container)) : shown,
    computed: computed.filter(selected),
    links: Object.keys(type.navigation).filter((name) => selected({ name })),
    ...(type.open && access.allowed && { open: names ? dynamicNames(names, type, computed) : 'all' }),
  };
}

function dynamicNames(names: ReadonlyMap<string, Selected>, { fields, navigation }: EntityType, computed: readonly ComputedColumn[]): ReadonlySet<string> {
  const known = new Set([...Object.keys(fields), ...Object.keys(navigation), ...computed.map(({ name }) => name)]);
  return new Set([...names.keys()].filter((name) => !known.has(name)));
}

const columns = new WeakMap<EntityType, readonly SelectedColumn[]>();

/** Every structural property as a column to read; the same objects each time, so that what is prepared for one is kept. */
export function columnsOf(type: EntityType, container: EntityContainer): readonly SelectedColumn[] {
  const known = columns.get(type) ?? Object.keys(type.fields).flatMap((name) => selectedColumn(type, name, container) ?? []);
  columns.set(type, known);
  return known;
}

/** A structural property as a column to read, whole. */
export function selectedColumn(type: EntityType, name: string, container: EntityContainer): SelectedColumn | undefined {
  const field = fieldOf(type, name);
  return field && { name, column: columnOf(type, name), field, ...(field.complex !== undefined && { shape: wholeShape(container, field) }) };
}

// Only some properties of a complex value.
function narrowed(column: SelectedColumn, selected: Selected, container: EntityContainer): SelectedColumn {
  if (selected === 'all') return column;
  return { ...column, shape: selectedShape(container, column.field, selected), paths: pathsOf(column.name, selected) };
}

/** The key's properties as columns to read. */
export function keyColumns(type: EntityType): readonly SelectedColumn[] {
  return type.key.flatMap((name) => {
    const field = fieldOf(type, name);
    return field ? [{ name, column: columnOf(type, name), field }] : [];
  });
}

function selectedNames(items: readonly SelectItem[], type: EntityType, computed: readonly ComputedColumn[], container: EntityContainer): ReadonlyMap<string, Selected> | undefined {
  if (items.some(({ kind }) => kind === 'star')) return undefined;
  const names = new Map<string, Selected>();
  for (const item of items) {
    const found = item.kind === 'member' ? selectedName(item, type, computed, container) : undefined;
    if (found) names.set(found.name, bothSelected(names.get(found.name), found.selected));
  }
  return names;
}

function isQualified(name: string): boolean {
  return /^[^@].*\./.test(name);
}

function selectedName(item: SelectPath, type: EntityType, computed: readonly ComputedColumn[], container: EntityContainer): { readonly name: string; readonly selected: Selected } | undefined {
  const { path, options, parameterNames } = item;
  const [first, second] = path;
  if (first === undefined) return undefined;
  const { name } = first;
  if (name.startsWith('@')) throw errors.notImplemented(`The annotation ${name}`).at('$select');
  const field = fieldOf(type, name);
  // An operation that cannot be bound to the record is passed over (URL conventions 5.1.4), and the model has none.
  if (isQualified(name) && !second) return undefined;
  if (field && !parameterNames) return { name, selected: selectedWithin(field, item, container) };
  if (computed.some((column) => column.name === name) && !second && !options) return { name, selected: 'all' };
  if (isDynamicName(type, name) && !second && !options && !navigationOf(type, name)) return { name, selected: 'all' };
  if (options || parameterNames) throw errors.notImplemented('A $select item with options or parameters').at('$select');
  if (second) throw errors.notImplemented(`$select of a path, ${name}/${second.name},`).at('$select');
  // A navigation property may be selected; without $expand it shows nothing in minimal metadata.
  if (navigationOf(type, name)) return { name, selected: 'all' };
  const known = [...Object.keys(type.fields), ...Object.keys(type.navigation), ...computed.map((column) => column.name)];
  throw errors.unknownName(`property ${name}`, type.name, suggestion(name, known)).at(name);
}
