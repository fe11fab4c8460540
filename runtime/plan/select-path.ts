import {
  complexTypeNamed,
  complexTypeOf,
  fieldOf,
  isDynamicName,
  qualify,
  type ComplexType,
  type EntityContainer,
  type Field,
} from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { PathSegment } from '../expression/ast.js';
import type { QueryOptions, SelectItem, SelectPath } from '../uri/query-options.js';
import { bothSelected, type Selected } from './complex-shape.js';
import { withoutItemOptions } from './plan-items.js';

/** The selection within a property by an item of `$select`: a path into a complex value, or an inner `$select`. */
export function selectedWithin(field: Field, item: SelectPath, container: EntityContainer): Selected {
  const { path, options } = withoutItemOptions(field, item);
  return withinField(field, path, options && innerItems(options), container);
}

/** The selection of items within a complex value. */
export function selectedItems(items: readonly SelectItem[], complex: ComplexType, container: EntityContainer): Selected {
  return items.map((item) => withinItem(item, complex, container)).reduce(bothSelected, new Map());
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
  if (next === undefined) return selectedItems(items ?? [], complex, container);
  const cast = derivedType(next.name, complex, container);
  if (cast)
    return new Map([
      [cast.qualifiedName, withinField({ type: 'Edm.ComplexType', complex: cast.qualifiedName }, [next, ...rest], items, container)],
    ]);
  if (isOfRecord(complex, next.name, rest.length > 0 || items !== undefined)) return new Map([[next.name, 'all']]);
  if (isDynamic(complex, next.name)) return new Map([[next.name, selectedDynamic([next, ...rest], items)]]);
  return new Map([[next.name, withinField(requireField(next.name, complex), [next, ...rest], items, container)]]);
}

function withinItem(item: SelectItem, complex: ComplexType, container: EntityContainer): Selected {
  if (item.kind === 'star') return 'all';
  if (item.kind === 'operations' || item.parameterNames) throw errors.notImplemented('$select of operations').at('$select');
  const [first] = item.path;
  if (first === undefined) return 'all';
  const cast = derivedType(first.name, complex, container);
  if (cast)
    return new Map([
      [
        cast.qualifiedName,
        withinField(
          { type: 'Edm.ComplexType', complex: cast.qualifiedName },
          item.path,
          item.options && innerItems(item.options),
          container,
        ),
      ],
    ]);
  if (isOfRecord(complex, first.name, item.path.length > 1 || item.options !== undefined)) return new Map([[first.name, 'all']]);
  if (isDynamic(complex, first.name)) return new Map([[first.name, selectedDynamic(item.path, item.options && innerItems(item.options))]]);
  return new Map([
    [first.name, withinField(requireField(first.name, complex), item.path, item.options && innerItems(item.options), container)],
  ]);
}

function derivedType(name: string, { qualifiedName, derived }: ComplexType, container: EntityContainer): ComplexType | undefined {
  const qualified = qualify(container, name);
  return name.includes('.') && [qualifiedName, ...derived].includes(qualified) ? complexTypeNamed(container, qualified) : undefined;
}

// A navigation property may be selected; without $expand it has no effect.
function isOfRecord({ streams = [], links = [] }: ComplexType, name: string, goesOn: boolean): boolean {
  return !goesOn && (streams.includes(name) || links.includes(name));
}

function isDynamic(complex: ComplexType, name: string): boolean {
  return fieldOf(complex, name) === undefined && isDynamicName(complex, name);
}

/** The selection within a dynamic property, whose type is unknown: by a path, or an inner `$select`. */
export function selectedDynamic([, ...rest]: readonly PathSegment[], items: readonly SelectItem[] | undefined): Selected {
  const [next] = rest;
  if (next) return new Map([[requireDynamicName(next), selectedDynamic(rest, items)]]);
  return items === undefined ? 'all' : items.map(selectedOfDynamic).reduce(bothSelected, new Map());
}

function selectedOfDynamic(item: SelectItem): Selected {
  if (item.kind === 'star') return 'all';
  const [first] = item.kind === 'member' ? item.path : [];
  if (item.kind !== 'member' || item.parameterNames || first === undefined)
    throw errors.notImplemented('$select of operations').at('$select');
  return new Map([[requireDynamicName(first), selectedDynamic(item.path, item.options && innerItems(item.options))]]);
}

function requireDynamicName({ name }: PathSegment): string {
  if (!isDynamicName({ open: true }, name)) throw errors.notImplemented(`${name} after a dynamic property`).at('$select');
  return name;
}

function requireField(name: string, complex: ComplexType): Field {
  const field = fieldOf(complex, name);
  if (field) return field;
  throw errors
    .unknownName(`property ${name}`, complex.name, suggestion(name, [...Object.keys(complex.fields), ...(complex.streams ?? [])]))
    .at(name);
}

/** The items of an inner `$select`. */
export function innerItems(options: QueryOptions): readonly SelectItem[] {
  const { select, ...others } = options;
  const [other] = Object.keys(others);
  if (other !== undefined) throw errors.notImplemented(`$${other} within an item of $select`).at('$select');
  return select ?? [];
}
