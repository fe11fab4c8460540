import type { EntityContainer, EntityType } from '../../edm/index.js';
import { fieldOf, isDynamicName, keyColumnOf, keyFieldOf, mediaStream, navigationOf, streamOf } from '../../edm/index.js';
import { entityTypeNamed } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import { suggestion } from '../../errors/suggest.js';
import type { PathSegment } from '../../expression/ast.js';
import { printOptions } from '../../uri/print-options.js';
import type { QueryOptions, SelectItem, SelectPath } from '../../uri/query-options.js';
import { accessTo, type Caller, hiddenKey, rootOf, keyPaths } from '../caller.js';
import { bothSelected, innerItems, pathsOf, type Selected, selectedShape, selectedWithin, wholeDynamic } from '../complex-selection.js';
import { hierarchyColumns, hierarchyLinks, hierarchyStreams, isOf, linkNamesOf, variantsOf } from '../hierarchy-members.js';
import type { ComputedColumn, SelectedColumn, SelectedStream, Selection } from '../read-plan.js';
import type { RequestScope } from '../scope.js';
import { adviseIgnored, isQualified, operationNamed } from './selected-operations.js';
import { castHint, castSegment } from '../path/type-cast.js';
import { unplannedAnnotation } from '../check/unplanned.js';

/** The selection: properties in the order of the model, without hidden ones, followed by computed values. */
export function planSelect(
  items: readonly SelectItem[] | undefined,
  type: EntityType,
  computed: readonly ComputedColumn[],
  scope: RequestScope,
): Pick<Selection, 'columns' | 'computed' | 'streams' | 'links' | 'selectedLinks' | 'operations' | 'types' | 'open' | 'id'> {
  const { container } = scope;
  const named = items && selectedNames(items, { type, computed, container });
  adviseIgnored(items ?? [], type, scope);
  const names = items?.some(({ kind }) => kind === 'star') ? undefined : named;
  const selected = (column: OwnedName): boolean => names === undefined || names.has(ownedName(column));
  const chosen = named && hierarchyLinks(type, container).filter((link) => isVisible(link, type, scope) && named.has(ownedName(link)));
  const linksOf = (of: EntityType): readonly string[] =>
    linkNamesOf(of).filter(
      (name) => isVisible({ name }, of, scope) && (names === undefined || chosen?.some((link) => link.name === name && isOf(of, link))),
    );
  const shown = hierarchyColumns(type, container).filter((column) => isVisible(column, type, scope) && selected(column));
  const types = variantsOf(type, container);
  // The stream of a media entity is no property; its metadata is returned like an ETag.
  const streams = visibleStreams(type, scope).filter(
    (stream) => stream.name === mediaStream || selected(stream) || isSelectedWithin(stream, names),
  );
  return {
    columns: names ? shown.map((column) => narrowed(column, names.get(ownedName(column)) ?? 'all', container)) : shown,
    computed: computed.filter(selected),
    ...(streams.length > 0 && { streams }),
    links: linksOf(type),
    ...(chosen && chosen.length > 0 && { selectedLinks: chosen }),
    ...(items && { operations: items.flatMap((item) => operationNamed(item, container) ?? []) }),
    ...((types ?? [type]).some(({ open }) => open) &&
      accessTo(type, 'read', scope.caller).allowed && { open: names ? dynamicNames(names, type, computed) : 'all' }),
    ...(types && { types: types.map((variant) => ({ type: variant, links: linksOf(variant) })) }),
    ...idOf(type, names, scope.caller),
  };
}

/** JSON format 4.5.8: without the whole key the id is returned; but never to a caller who may not read the key. */
export function idOf(type: EntityType, names: ReadonlyMap<string, Selected> | undefined, caller: Caller): Pick<Selection, 'id'> {
  if (hiddenKey(type, caller) !== undefined) return { id: 'hidden' };
  const keyNames = keyPaths(type);
  const isOmitted = keyNames.length < type.key.length || (names && keyNames.some((name) => selectionAt({ name }, names) === undefined));
  return isOmitted ? { id: 'shown' } : {};
}

// The stream of a complex value is included if the whole value is.
function isSelectedWithin(stream: OwnedName, names: ReadonlyMap<string, Selected> | undefined): boolean {
  return names !== undefined && stream.name.includes('/') && selectionAt(stream, names) !== undefined;
}

/** The part of a property or complex value that `$select` chooses; undefined for nothing. */
function selectionAt({ name, owner }: OwnedName, names: ReadonlyMap<string, Selected>): Selected | undefined {
  const [root = '', ...inner] = name.split('/');
  return inner.reduce<Selected | undefined>(
    (outer, part) => (outer === undefined || outer === 'all' ? outer : outer.get(part)),
    names.get(ownedName({ name: root, ...(owner !== undefined && { owner }) })),
  );
}

/** The media streams visible to the caller. */
function visibleStreams(type: EntityType, scope: RequestScope): readonly SelectedStream[] {
  return hierarchyStreams(type, scope.container).filter((stream) => isVisible(stream, type, scope));
}

function dynamicNames(names: ReadonlyMap<string, Selected>, type: EntityType, computed: readonly ComputedColumn[]): Selected {
  const { fields, navigation, streams = {} } = type;
  const known = new Set([...Object.keys(fields), ...Object.keys(navigation), ...Object.keys(streams), ...computed.map(({ name }) => name)]);
  return new Map([...names].filter(([name]) => !known.has(name) && isDynamicName({ open: true }, name)));
}

type OwnedName = Pick<SelectedColumn, 'name' | 'owner'>;

// A property of a derived type follows a cast.
function ownedName({ name, owner }: OwnedName): string {
  return owner === undefined ? name : `${owner}/${name}`;
}

function isVisible({ name, owner }: OwnedName, type: EntityType, { caller, container }: RequestScope): boolean {
  const access = accessTo((owner === undefined ? undefined : entityTypeNamed(container, owner, type)) ?? type, 'read', caller);
  return access.allowed && !access.restricted.has(rootOf(name));
}

/** A column whose complex value is selected only in part. */
export function narrowed(column: SelectedColumn, selected: Selected, container: EntityContainer): SelectedColumn {
  if (selected === 'all') return column;
  return { ...column, shape: selectedShape(container, column.field, selected), paths: pathsOf(column.name, selected) };
}

/** The key properties as columns. */
export function keyColumns(type: EntityType): readonly SelectedColumn[] {
  return type.key.flatMap((name) => {
    const field = keyFieldOf(type, name);
    return field ? [{ name, column: keyColumnOf(type, name), field }] : [];
  });
}

/** The type whose properties are selected, and the computed values next to them. */
interface Selectable {
  readonly type: EntityType;
  readonly computed: readonly ComputedColumn[];
  readonly container: EntityContainer;
}

function selectedNames(items: readonly SelectItem[], from: Selectable): ReadonlyMap<string, Selected> {
  const names = new Map<string, Selected>();
  for (const item of items) {
    const found = item.kind === 'member' ? located(item, () => selectedBeyondCast(item, from)) : undefined;
    if (found) names.set(found.name, bothSelected(names.get(found.name), found.selected));
  }
  return names;
}

interface Named {
  readonly name: string;
  readonly selected: Selected;
}

// `Ns.Employee/Salary` is a property of a derived type; a cast to the type itself has no effect.
function selectedBeyondCast(item: SelectPath, from: Selectable): Named | undefined {
  const { type, container } = from;
  const [first, ...path] = item.path;
  const cast = first && castSegment(first.name, type, container);
  if (cast === undefined) return selectedName(item, from);
  if (path.length === 0) throw errors.badOption(`${first?.name ?? ''} in $select needs a property after it.`).at('$select');
  if (cast.types === undefined) return selectedBeyondCast({ ...item, path }, from);
  const found = selectedName({ ...item, path }, { type: cast.type, computed: [], container });
  const owned = [...hierarchyColumns(type, container), ...hierarchyStreams(type, container), ...hierarchyLinks(type, container)].find(
    ({ name, of }) => name === found?.name && of?.has(cast.type.qualifiedName),
  );
  return found && owned ? { ...found, name: ownedName(owned) } : found;
}

const wordHints: ReadonlyMap<string, string> = new Map([
  ['all', ' Write $select=*.'],
  ['$count', ' The number of records is returned by $count=true, or at /$count.'],
  ['$it', ' Write $select=* for the whole record.'],
  ['$value', ' A raw value is at the address of its property, followed by /$value.'],
]);

function selectedName(item: SelectPath, from: Selectable): Named | undefined {
  const { type, computed, container } = from;
  const { path, options, parameterNames } = item;
  const [first, second] = path;
  if (first === undefined) return undefined;
  const { name } = first;
  if (name.startsWith('@')) throw unplannedAnnotation(name, '$select');
  const field = fieldOf(type, name);
  // An operation that cannot be bound to the entity is ignored (URL conventions 5.1.4).
  if (isQualified(name) && !second) return undefined;
  if (field && !parameterNames) return { name, selected: selectedWithin(field, item, container) };
  if (streamOf(type, name) && !second && !options && !parameterNames) return { name, selected: 'all' };
  if (computed.some((column) => column.name === name) && !second && !options) return { name, selected: 'all' };
  const isKnown = hasNavigation(type, name) || streamOf(type, name) !== undefined || computed.some((column) => column.name === name);
  if (isDynamicName(type, name) && !isKnown) return { name, selected: wholeDynamic(path, options && innerItems(options)) };
  if (hasNavigation(type, name)) return selectedLink(name, second, options);
  throw unselectable(item, from);
}

// A navigation property may be selected; without $expand it has no effect in minimal metadata.
function selectedLink(name: string, second: PathSegment | undefined, options: QueryOptions | undefined): Named {
  if (second)
    throw errors
      .typeMismatch(
        `${name}/${second.name} is not a path of $select; write $expand=${second.name === '$count' ? `${name}/$count` : `${name}($select=${second.name})`}.`,
      )
      .at('$select')
      .in(second);
  if (options) {
    const shown = printOptions(options).map((one) => `${one.name}=${one.value}`);
    throw errors
      .typeMismatch(`Options for the records of ${name} belong to $expand; write $expand=${name}(${shown.join(';')}).`)
      .at('$select');
  }
  return { name, selected: 'all' };
}

// Why a name cannot be selected: it has nothing nested, or it is unknown.
function unselectable({ path: [first, second] }: SelectPath, { type, computed, container }: Selectable): Error {
  const name = first?.name ?? '';
  const known = [
    ...Object.keys(type.fields),
    ...Object.keys(type.navigation),
    ...Object.keys(type.streams ?? {}),
    ...computed.map((column) => column.name),
  ];
  if (second && known.includes(name)) return errors.unknownName(`property ${second.name}`, name, '').at('$select').in(second);
  if (known.includes(name)) return errors.typeMismatch(`${name} accepts no options in $select: it is not a collection.`).at('$select');
  return errors
    .unknownName(
      `property ${name}`,
      type.name,
      (wordHints.get(name.toLowerCase()) ?? castHint(name, type, container)) || suggestion(name, known),
    )
    .at(name);
}

function hasNavigation(type: EntityType, name: string): boolean {
  return navigationOf(type, name) !== undefined;
}
