import { type EntityType, isDirect, isShownName, mediaStream } from '../edm/index.js';
import { pathsOf } from '../plan/complex-selection.js';
import type { ExpandPlan, SelectedColumn, SelectedLink, Selection } from '../plan/read-plan.js';
import { castOf, withinOf } from './address.js';
import type { RecordFormat } from './record-format.js';
import { shownPath } from '../plan/shown-path.js';
import { grouped } from '../edm/grouped.js';

/** The context URL of a fragment; names may have any letters, but a URL only ASCII. */
export function contextOf(root: string, fragment: string): string {
  return `${root}/$metadata#${fragment.replace(/[^\0-\x7F]+/g, encodeURIComponent)}`;
}

/** The parts of a format that context URLs depend on. */
type ContextFormat = Pick<RecordFormat, 'root' | 'version'>;

/** The context URL of a collection or a record (protocol 10): `$metadata#Property(City,Media(MediaKey))`. */
export function contextUrl({ root, version }: ContextFormat, selection: Selection, selected: boolean): string {
  return contextOf(root, `${collectionPath(selection)}${projection(selection, selected, version)}`);
}

/** The fragment for a collection of entities; without a set it is the type (protocol 10.17). */
function collectionPath(selection: Selection): string {
  return selection.type.transient ? `Collection(${selection.type.qualifiedName})` : contextPath(selection);
}

/** The fragment for a selection's set: for contained entities their path (protocol 10.2). */
export function contextPath(selection: Selection): string {
  const { type } = selection;
  return `${type.entitySet ?? type.singleton ?? withinOf(selection)?.path ?? type.qualifiedName}${castOf(type)}`;
}

/** The context URL of one entity; a singleton is identified by its name (protocol 10.3, 10.4). */
export function entityContextUrl(format: ContextFormat, selection: Selection, selected: boolean): string {
  const { singleton, qualifiedName } = selection.type;
  if (selection.type.transient) return contextOf(format.root, `${qualifiedName}${projection(selection, selected, format.version)}`);
  return `${contextUrl(format, selection, selected)}${singleton === undefined ? '/$entity' : ''}`;
}

function projection(selection: Selection, selected: boolean, version: Version): string {
  return inParentheses(shownOf(selection, selected, version));
}

function inParentheses(items: readonly string[]): string {
  return items.length === 0 ? '' : `(${items.join(',')})`;
}

function shownOf(selection: Selection, selected: boolean, version: Version): readonly string[] {
  const names = selected
    ? [
        ...selection.columns.flatMap(({ name, owner, control, paths = control ? [] : [name] }) =>
          paths.map((path) => ownedName(path, owner)),
        ),
        ...(selection.streams ?? [])
          .filter(({ name }) => name !== mediaStream && isDirect(name))
          .map(({ name, owner }) => ownedName(name, owner)),
        ...selection.computed.map(({ name }) => name),
      ]
    : [];
  const links = selected ? (selection.selectedLinks ?? []) : [];
  const operations = selected ? (selection.operations ?? []) : [];
  const open =
    selected && selection.open !== undefined && selection.open !== 'all'
      ? [...selection.open].flatMap(([name, within]) => pathsOf(name, within))
      : [];
  // Addresses and numbers of records are no expanded records (protocol 10.9).
  const expands = selection.expands
    .filter(({ form }) => form === 'records')
    .flatMap((expand) =>
      expand.name.startsWith('#') ? shownOfPlace(expand, version).map((item): Shown => ({ item })) : [shownOfExpand(expand, version)],
    )
    // In 4.0 an expanded property has no parentheses without nested items (protocol 10.9).
    .filter(({ within }) => version !== '4.0' || within?.length !== 0);
  const expanded = new Set(expands.map(({ item }) => item));
  const unexpanded = links.filter((link) => !isExpanded(link, expanded)).map(({ name, owner }) => ownedName(name, owner));
  return [...names.filter((name) => !expanded.has(name)), ...open, ...unexpanded, ...operations, ...printShown(expands)];
}

// Selected and expanded properties occur only with parentheses (protocol 10.9).
function isExpanded({ name, owner, of = new Set() }: SelectedLink, expanded: ReadonlySet<string>): boolean {
  return [owner, ...of].some((type) => expanded.has(ownedName(name, type)));
}

type Version = RecordFormat['version'];

/** An item of a context URL: a name, or an expanded property with its nested items. */
type Shown = { readonly item: string; readonly within?: readonly string[] };

function shownOfExpand({ name, within, listed, owner, selection }: ExpandPlan, version: Version): Shown {
  const item = ownedName(listed ?? (within === undefined ? name : `${within}/${name}`), owner);
  return { item, within: shownOf(selection, !isWhole(selection), version).map((name) => castName(name, selection)) };
}

// Behind `Children/Ns.Leaf`, what the declared type lacks follows the cast (protocol 10.7).
function castName(name: string, { type, declared }: Selection): string {
  const [first = ''] = name.split(/[(/]/u, 1);
  const has = ({ fields, navigation }: EntityType): boolean => Object.hasOwn(fields, first) || Object.hasOwn(navigation, first);
  return declared && has(type) && !has(declared) ? `${type.qualifiedName}/${name}` : name;
}

// Several sets of one type in `$all` print each item once.
function printShown(all: readonly Shown[]): readonly string[] {
  const merged = new Map<string, Set<string> | undefined>();
  for (const { item, within } of all) merged.set(item, within && new Set([...(merged.get(item) ?? []), ...within]));
  return [...merged].map(([item, within]) => (within === undefined ? item : `${item}(${[...within].join(',')})`));
}

// The selected properties of one set of several, each after its type: `Ns.Type/Name`.
function shownOfPlace({ selection }: ExpandPlan, version: Version): readonly string[] {
  return shownOf(selection, !isWhole(selection), version).map((name) => `${selection.type.qualifiedName}/${name}`);
}

function isWhole({ columns, type, selectedLinks, operations = [] }: Selection): boolean {
  if (selectedLinks !== undefined || operations.length > 0) return false;
  const own = columns.filter((column) => column.owner === undefined && !column.control);
  return own.length === Object.keys(type.fields).filter(isShownName).length && own.every(({ paths }) => paths === undefined);
}

// A property of a derived type follows a cast (protocol 10.7).
function ownedName(name: string, owner: string | undefined): string {
  return owner === undefined ? name : `${owner}/${name}`;
}

/**
 * The context URL of a result of `$apply` (Data Aggregation 3.1.1):
 * `$metadata#Property(ListAgent(MemberLastName),Total)`; of whole records with additional properties `Property(*,Total)`.
 */
export function appliedContextUrl(format: ContextFormat, selection: Selection, selected: boolean): string {
  const { columns, computed, keyColumns, expands, records } = selection;
  const isRecord = keyColumns.length > 0;
  if (isRecord && (selected || computed.length === 0)) return contextUrl(format, selection, selected);
  const names = isRecord
    ? ['*', ...computed.map(({ name }) => name)]
    : [...(records ? shownOfRecords(records, selected, format.version) : []), ...nest(shownColumns(columns, records?.type.fields))];
  const expanded = printShown(expands.map((expand) => shownOfExpand(expand, format.version)));
  return contextOf(format.root, `${collectionPath(selection)}${inParentheses([...names, ...expanded])}`);
}

// Rows that are records have all properties, or those selected.
function shownOfRecords(records: Selection, selected: boolean, version: Version): readonly string[] {
  return selected ? shownOf(records, selected, version) : ['*'];
}

// Next to records, only the names that these do not have.
function shownColumns(columns: readonly SelectedColumn[], known: EntityType['fields'] = {}): readonly (readonly string[])[] {
  const shown = columns.filter(({ hidden }) => !hidden).flatMap(({ name, paths = [name] }) => paths.map(shownPath));
  return shown.filter(([first = '']) => !Object.hasOwn(known, first));
}

function nest(paths: readonly (readonly string[])[]): readonly string[] {
  return [...grouped(paths, ([first = '']) => first)].map(([name, own]) => {
    const inner = nest(own.filter((path) => path.length > 1).map((path) => path.slice(1)));
    return `${name}${inParentheses(inner)}`;
  });
}
