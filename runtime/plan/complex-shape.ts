import { complexTypeNamed, complexTypeOf, type ComplexType, type EntityContainer, type Field } from '../edm/index.js';

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

const wholes = new WeakMap<EntityContainer, Map<string, ComplexShape>>();

/** The complete shape of a complex property; cached, so that data derived from it is found again. */
export function wholeShape(container: EntityContainer, field: Field): ComplexShape {
  const known = wholes.get(container) ?? new Map<string, ComplexShape>();
  wholes.set(container, known);
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
