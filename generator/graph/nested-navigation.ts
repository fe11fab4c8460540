import type { RecursiveValues } from '../../runtime/edm/index.js';
import type { NavigationProperty, StructuredType } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { flagValue } from '../csdl/vocabulary.js';
import { faults } from '../faults.js';
import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';
import type { Context } from './context.js';
import { withinComplex, type Within } from './within-complex.js';

/** A navigation property of values of which there may be many, the items of a collection or values within others of their type: each of them says where it leads. */
export interface ItemProperty {
  readonly property: NavigationProperty;
  /** The complex type that declares it. */
  readonly owner: BuiltComplex;
  /** From the record: `Tags/Colour`, or `Tags/Ns.Special/Colour` where only a derived type has it. */
  readonly path: string;
  /** The same as a property of the record under that path, as places and bindings name it. */
  readonly placed: NavigationProperty;
  /** All of the collections on the way are ordered, so that each item has an address that a client can tell. */
  readonly isOrdered: boolean;
}

/** What the complex values of records lead to. */
interface NestedNavigation {
  /** Of single values, each as a property of the record itself under its path: `Address/Country`, or `Address/Ns.Villa/Builder` where only a derived type has it. */
  readonly properties: readonly NavigationProperty[];
  readonly items: readonly ItemProperty[];
  readonly again: RecursiveValues;
}

type Declared = Omit<ItemProperty, 'path' | 'placed' | 'isOrdered'>;

/** The navigation properties of the complex values that records have; a constraint of a single value is told by paths too, and without one the record has the column. */
export function nestedNavigation(type: StructuredType, fields: ReadonlyMap<string, BuiltField>, context: Context): NestedNavigation {
  const { within, again } = withinComplex(fields, {
    complexTypes: context.complexTypes,
    declared: (owner) =>
      owner.definition.properties.flatMap((property) => (property.kind === 'NavigationProperty' ? [{ property, owner }] : [])),
    refuseAll: (most) =>
      context.report(
        faults.notSupported(
          type.at,
          `${type.name}, whose complex values lead to other records in more than ${most} places`,
          'Put the navigation properties into entity types.',
        ),
      ),
  });
  return {
    properties: within.filter(({ isItem }) => !isItem).map(({ found, path }) => atPath(noted(found, context), path)),
    items: within.filter(({ isItem }) => isItem).map((one) => itemProperty(one, context)),
    again,
  };
}

// What is said from elsewhere of the property of the complex type is said of it under every path.
function noted({ property, owner }: Declared, { notesOf }: Context): NavigationProperty {
  const note = notesOf(`${owner.qualifiedName}/${property.name}`, []).find(terms.deletesTarget);
  return note === undefined ? property : { ...property, annotations: [...property.annotations, note] };
}

function itemProperty({ found, path, collections }: Within<Declared>, { report }: Context): ItemProperty {
  const whole = [...path, found.property.name].join('/');
  return {
    ...found,
    path: whole,
    placed: { ...found.property, name: whole },
    isOrdered: collections.every(({ notes }) => flagValue(notes.find(terms.ordered), report)),
  };
}

// The referenced property is the target's, whatever leads there; nothing leads back to a value.
function atPath(property: NavigationProperty, path: readonly string[]): NavigationProperty {
  const constraints = property.constraints.map((constraint) => ({ ...constraint, property: [...path, constraint.property].join('/') }));
  return { ...property, name: [...path, property.name].join('/'), constraints, partner: undefined };
}
