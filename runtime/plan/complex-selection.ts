import type { ComplexType, EntityContainer, Field } from '../edm/index.js';
import { complexTypeNamed, complexTypeOf, fieldOf, isDynamicName, qualify } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { located } from '../errors/odata-error.js';
import { suggestion } from '../errors/suggest.js';
import type { PathSegment } from '../expression/ast.js';
import type { QueryOptions, SelectItem, SelectPath } from '../uri/query-options.js';
import { memoized } from '../edm/memoized.js';

/** The selection within a complex value; types may contain themselves, so nested shapes are created on demand. */
export interface ComplexShape {
  readonly type: ComplexType;
  readonly members: readonly ShapeMember[];
  /** The navigation properties whose links a value may have. */
  readonly links: readonly string[];
  /** Of an open type: the selection of dynamic properties. */
  readonly open?: Selected;
  /** The shape of a value of a derived type, by the type's qualified name. */
  readonly derived: (qualifiedName: string) => ComplexShape | undefined;
}

/** A selected property. */
export interface ShapeMember {
  readonly name: string;
  readonly field: Field;
  /** Of a complex value. */
  readonly shape?: () => ComplexShape;
}

/** The selection of `$select` within a complex value: everything, or some properties. */
export type Selected = 'all' | ReadonlyMap<string, Selected>;

const wholesOf = memoized<EntityContainer, [], Map<string, ComplexShape>>(() => new Map());

/** The complete shape of a complex property; cached, so that data derived from it is found again. */
export function wholeShape(container: EntityContainer, field: Field): ComplexShape {
  const known = wholesOf(container);
  const type = complexTypeOf(container, field);
  const shape = known.get(type.qualifiedName) ?? shapeOf(type, 'all', container);
  known.set(type.qualifiedName, shape);
  return shape;
}

/** The shape of a complex property under a selection. */
export function selectedShape(container: EntityContainer, field: Field, selected: Selected): ComplexShape {
  return selected === 'all' ? wholeShape(container, field) : shapeOf(complexTypeOf(container, field), selected, container);
}

function shapeOf(type: ComplexType, asked: Selected, container: EntityContainer): ComplexShape {
  const selected = selectedOf(type, asked, container);
  const members = Object.entries(type.fields).flatMap(([name, field]): readonly ShapeMember[] => {
    const inner = selected === 'all' ? 'all' : selected.get(name);
    if (inner === undefined) return [];
    return [{ name, field, ...(field.complex !== undefined && { shape: () => selectedShape(container, field, inner) }) }];
  });
  const shown = (names: readonly string[] = []): readonly string[] => names.filter((name) => selected === 'all' || selected.has(name));
  const derived = new Map<string, ComplexShape>();
  return {
    type,
    members,
    links: shown(type.links),
    ...(type.open && { open: selected === 'all' ? 'all' : new Map([...selected].filter(([name]) => !Object.hasOwn(type.fields, name))) }),
    derived: (qualifiedName) => {
      const known = derived.get(qualifiedName);
      const other = type.derived.includes(qualifiedName) ? complexTypeNamed(container, qualifiedName) : undefined;
      if (known !== undefined || other === undefined) return known;
      const shape = shapeOf(other, asked, container);
      derived.set(qualifiedName, shape);
      return shape;
    },
  };
}

// Items after a type cast apply to values of that type.
function selectedOf(type: ComplexType, asked: Selected, container: EntityContainer): Selected {
  if (asked === 'all') return 'all';
  const casts = [...asked].filter(
    ([name]) => name === type.qualifiedName || complexTypeNamed(container, name)?.derived.includes(type.qualifiedName),
  );
  const plain: Selected = new Map([...asked].filter(([name]) => !name.includes('.')));
  return casts.reduce<Selected>((before, [, inner]) => bothSelected(before, inner), plain);
}

/** The union of two selections. */
export function bothSelected(one: Selected | undefined, other: Selected): Selected {
  if (one === undefined) return other;
  if (one === 'all' || other === 'all') return 'all';
  return new Map([...one, ...[...other].map(([name, inner]) => [name, bothSelected(one.get(name), inner)] as const)]);
}

/** The selection within a property by an item of `$select`: a path into a complex value, or an inner `$select`. */
export function selectedWithin(field: Field, item: SelectPath, container: EntityContainer): Selected {
  const { path, options } = withoutItemOptions(field, item);
  return withinField(field, path, options && innerItems(options), container);
}

/** The selection of items within a complex value. */
export function selectedItems(items: readonly SelectItem[], complex: ComplexType, container: EntityContainer): Selected {
  return items.map((item) => located(item, () => withinItem(item, complex, container))).reduce(bothSelected, new Map());
}

/** The paths of a selection, as in a context URL. */
export function pathsOf(name: string, selected: Selected): readonly string[] {
  return selected === 'all' ? [name] : [...selected].flatMap(([inner, deeper]) => pathsOf(`${name}/${inner}`, deeper));
}

function withinField(
  field: Field,
  path: readonly PathSegment[],
  items: readonly SelectItem[] | undefined,
  container: EntityContainer,
): Selected {
  const [owner, next, ...rest] = path;
  if (next === undefined && items === undefined) return 'all';
  if (owner === undefined || field.complex === undefined)
    throw errors.typeMismatch(`${owner?.name ?? ''} has no properties to select: it is not a complex value.`).at('$select');
  const complex = complexTypeOf(container, field);
  return next === undefined ? selectedItems(items ?? [], complex, container) : withinValue(complex, [next, ...rest], items, container);
}

function withinItem(item: SelectItem, complex: ComplexType, container: EntityContainer): Selected {
  if (item.kind === 'star') return 'all';
  if (item.kind === 'operations' || item.parameterNames) throw errors.notImplemented('$select of operations').at('$select');
  return withinValue(complex, item.path, item.options && innerItems(item.options), container);
}

// A path from a complex value: a cast, a member of its record, a dynamic property, or a declared one.
function withinValue(
  complex: ComplexType,
  path: readonly PathSegment[],
  items: readonly SelectItem[] | undefined,
  container: EntityContainer,
): Selected {
  const [next] = path;
  if (next === undefined) return 'all';
  const { name } = next;
  const cast = derivedType(name, complex, container)?.qualifiedName;
  if (cast !== undefined) return new Map([[cast, withinField({ type: 'Edm.ComplexType', complex: cast }, path, items, container)]]);
  if (isOfRecord(complex, name, path.length > 1 || items !== undefined)) return new Map([[name, 'all']]);
  if (fieldOf(complex, name) === undefined && isDynamicName(complex, name)) return new Map([[name, wholeDynamic(path, items)]]);
  return new Map([[name, withinField(requireField(next, complex), path, items, container)]]);
}

function derivedType(name: string, { qualifiedName, derived }: ComplexType, container: EntityContainer): ComplexType | undefined {
  const qualified = qualify(container, name);
  return name.includes('.') && [qualifiedName, ...derived].includes(qualified) ? complexTypeNamed(container, qualified) : undefined;
}

// A navigation property may be selected; without $expand it has no effect.
function isOfRecord({ streams = [], links = [] }: ComplexType, name: string, continues: boolean): boolean {
  return !continues && (streams.includes(name) || links.includes(name));
}

/** Rejects a selection within a dynamic property, whose type is unknown. */
export function wholeDynamic([first, ...rest]: readonly PathSegment[], items: readonly SelectItem[] | undefined): Selected {
  if (rest.length === 0 && items === undefined) return 'all';
  throw errors.notImplemented(`$select within the dynamic property ${first?.name ?? ''}`, 'Select the whole property.').at('$select');
}

function requireField(segment: PathSegment, complex: ComplexType): Field {
  const { name } = segment;
  const field = fieldOf(complex, name);
  if (field) return field;
  throw errors
    .unknownName(`property ${name}`, complex.name, suggestion(name, [...Object.keys(complex.fields), ...(complex.streams ?? [])]))
    .at(name)
    .in(segment);
}

/** The items of an inner `$select`. */
export function innerItems(options: QueryOptions): readonly SelectItem[] {
  const { select, ...others } = options;
  const [other] = Object.keys(others);
  if (other !== undefined) throw errors.notImplemented(`$${other} within an item of $select`).at('$select');
  return select ?? [];
}

/** The options that choose among the items of a collection. */
export const itemOptions = ['filter', 'search', 'orderby', 'top', 'skip'] as const;

/** The options that do not choose among the items of a collection. */
export function withoutChoice(options: QueryOptions): QueryOptions {
  const { filter: _, search: __, orderby: ___, top: ____, skip: _____, count: ______, ...others } = options;
  return others;
}

// An item of `$select` without the options that choose among a collection's items.
function withoutItemOptions(field: Field, item: SelectPath): SelectPath {
  const { options, ...bare } = item;
  if (options === undefined || item.path.length > 1) return item;
  const name = [...itemOptions, 'count' as const].find((option) => options[option] !== undefined);
  if (name !== undefined && !field.collection)
    throw errors.typeMismatch(`$${name} needs a collection, but ${item.path[0]?.name ?? ''} is a single value.`).at('$select');
  const others = withoutChoice(options);
  return Object.keys(others).length === 0 ? bare : { ...bare, options: others };
}
