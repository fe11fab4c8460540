import type { EnumType, Facets, NavigationProperty, Property, StructuredType, TypeDefinition, TypeReference } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { recordsOf, textsOf, type Notes } from './notes.js';
import { accessOf } from './surface-container.js';
import { makeElement, type Element, type Facts, type SurfaceContext } from './element.js';

/** A type and its members. */
export function elementsOfType(
  type: StructuredType | EnumType | TypeDefinition,
  namespace: string,
  context: SurfaceContext,
): readonly Element[] {
  const path = `${namespace}.${type.name}`;
  const notes = context.notesOf(type, path);
  const own = (facts: Facts): Element => makeElement(type.kind, undefined, type, path, facts, notes);
  switch (type.kind) {
    case 'EnumType':
      return [own({ underlyingType: type.underlyingType ?? 'Edm.Int32', isFlags: type.isFlags }), ...membersOf(type, path, context)];
    case 'TypeDefinition':
      return [own({ type: context.scope.qualify(type.underlyingType), ...facetsOf(type, type.underlyingType), ...valueRules(notes) })];
    case 'EntityType':
    case 'ComplexType':
      return [own(structureOf(type, context)), ...type.properties.map((property) => elementOf(property, path, context))];
  }
}

/** The name of a type, qualified for comparison. */
export function typeName({ type, collection }: Pick<TypeReference, 'type' | 'collection'>, { scope }: SurfaceContext): string {
  return collection ? `Collection(${scope.qualify(type)})` : scope.qualify(type);
}

/** Facets with their defaults; a decimal without a scale has no digits after the point (CSDL XML 4.01, 7.2.4). */
export function facetsOf({ maxLength, precision, scale, srid }: Facets, type: string): Facts {
  const digits = scale ?? (type === 'Edm.Decimal' ? 0 : undefined);
  return { maxLength: maxLength === 'max' ? undefined : maxLength, precision, scale: digits, srid };
}

function structureOf(type: StructuredType, { scope }: SurfaceContext): Facts {
  const { baseType, abstract, openType, hasStream, keys } = type;
  return {
    baseType: baseType === undefined ? undefined : scope.qualify(baseType),
    abstract,
    open: openType,
    hasStream,
    'declares key': keys.length > 0,
    key: keyOf(type, { scope })
      .map(({ name, alias }) => (alias === undefined ? name : `${name} as ${alias}`))
      .join(', '),
  };
}

// The key, by default that of the base type (CSDL XML 4.01, 6.5).
function keyOf({ keys, baseType }: StructuredType, context: Pick<SurfaceContext, 'scope'>, depth = 0): StructuredType['keys'][number] {
  const base =
    keys.length > 0 || baseType === undefined || depth > deepest
      ? undefined
      : context.scope.definitions.get(context.scope.qualify(baseType));
  return base?.kind === 'EntityType' ? keyOf(base, context, depth + 1) : keys.flat();
}

/** The longest chain of base types; circular ones are reported elsewhere. */
const deepest = 100;

function elementOf(property: Property | NavigationProperty, owner: string, context: SurfaceContext): Element {
  const path = `${owner}/${property.name}`;
  const notes = context.notesOf(property, path);
  const facts =
    property.kind === 'Property'
      ? { ...propertyFacts(property, notes, context), inValue: context.scope.definitions.get(owner)?.kind === 'ComplexType' }
      : navigationFacts(property, notes, context);
  return makeElement(property.kind, owner, property, path, facts, notes);
}

function propertyFacts(property: Property, notes: Notes, context: SurfaceContext): Facts {
  const required = property.nullable === false && !property.collection && property.defaultValue === undefined;
  return {
    type: context.scope.qualify(property.type),
    ...wholeFacets(property, context),
    collection: property.collection,
    // Nullable of a collection applies to its items (CSDL XML 4.01, 7.2.1).
    nullable: property.nullable !== false && !property.collection,
    nullItems: property.collection && (property.nullable ?? context.scope.qualify(property.type) === 'Edm.Untyped'),
    ...facetsOf(property, property.type),
    default: property.defaultValue,
    computed: notes.flag(terms.computed),
    immutable: notes.flag(terms.immutable),
    required: required && !notes.flag(terms.computed) && !notes.flag(terms.computedDefault),
    searchable: notes.flag(terms.searchable),
    ordered: notes.flag(terms.ordered),
    keyGeneration: printed(notes, terms.keyGeneration),
    generated: printed(notes, terms.generated),
    moves: recordsOf(notes.member(terms.transitions, 'Allowed')).flatMap(({ From: from, To: to }) =>
      textsOf(from).map((state) => `${state} → ${String(to)}`),
    ),
    ...valueRules(notes),
  };
}

// The facets of a property combined with those of its type definition.
function wholeFacets(property: Property, { scope }: SurfaceContext): Facts {
  const type = scope.qualify(property.type);
  const definition = scope.definitions.get(type);
  if (definition?.kind !== 'TypeDefinition')
    return {
      isComplex: definition?.kind === 'ComplexType',
      enumerated: definition?.kind === 'EnumType' ? scope.qualify(definition.underlyingType ?? 'Edm.Int32') : undefined,
      underlying: type.startsWith('Edm.') ? type : undefined,
      ...whole(facetsOf(property, type)),
    };
  const [own, defined] = [facetsOf(property, type), facetsOf(definition, definition.underlyingType)];
  return {
    underlying: scope.qualify(definition.underlyingType),
    ...whole(Object.fromEntries(Object.keys(own).map((name) => [name, own[name] ?? defined[name]]))),
  };
}

function whole(facets: Facts): Facts {
  return Object.fromEntries(Object.entries(facets).map(([name, value]) => [`whole ${name}`, value]));
}

function valueRules(notes: Notes): Facts {
  const listed = notes.value(terms.allowedValues);
  return {
    allowedValues: listed === undefined ? undefined : recordsOf(listed).map(({ Value: value }) => String(value)),
    closed: listed !== undefined,
    minimum: notes.text(terms.minimum),
    exclusiveMinimum: notes.inner(terms.minimum, terms.exclusive),
    maximum: notes.text(terms.maximum),
    exclusiveMaximum: notes.inner(terms.maximum, terms.exclusive),
    pattern: notes.text(terms.pattern),
  };
}

function navigationFacts(navigation: NavigationProperty, notes: Notes, context: SurfaceContext): Facts {
  const { scope } = context;
  return {
    byConstraint: isByConstraint(navigation, context),
    target: scope.qualify(navigation.type),
    collection: navigation.collection,
    nullable: navigation.nullable !== false && !navigation.collection,
    partner: navigation.partner,
    containsTarget: navigation.containsTarget,
    constraint: navigation.constraints.map(({ property, referencedProperty }) => `${property} = ${referencedProperty}`).join(', '),
    onDelete: navigation.onDelete?.action,
    deletesTarget: notes.flag(terms.deletesTarget),
    ordered: notes.flag(terms.ordered),
    ...accessOf({ bindings: [] }, navigation.containsTarget ? notes : { ...notes, value: () => undefined, member: () => undefined }),
  };
}

// Whether constraints of the property or of its partner define the join, instead of `#id`.
function isByConstraint({ name, type, partner, constraints }: NavigationProperty, { scope }: SurfaceContext): boolean {
  const definition = scope.definitions.get(scope.qualify(type));
  const others =
    definition?.kind === 'EntityType' ? definition.properties.filter((property) => property.kind === 'NavigationProperty') : [];
  return (
    constraints.length > 0 || others.some((other) => (other.name === partner || other.partner === name) && other.constraints.length > 0)
  );
}

// Members without a value count from 0 (CSDL XML 4.01, 10.2.1).
function membersOf({ members }: EnumType, owner: string, context: SurfaceContext): readonly Element[] {
  return members.map((member, index) => {
    const path = `${owner}/${member.name}`;
    return makeElement('Member', owner, member, path, { value: member.value ?? String(index) }, context.notesOf(member, path));
  });
}

function printed(notes: Notes, term: string): string | undefined {
  const value = notes.value(term);
  return value === undefined ? undefined : JSON.stringify(value);
}
