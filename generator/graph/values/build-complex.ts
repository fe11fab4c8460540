import type { Csdl, StructuredType } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { flagValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { buildFields, descriptionOf } from './build-fields.js';
import { baseChain } from './inheritance.js';
import { declaredStreams } from './nested-kinds.js';
import { complexTypesOf, isPathType, valueTypes } from './value-types.js';
import type { AllNames, GivenNames } from '../names/allocate-names.js';
import type { ComplexNode, FieldNode, ValueNavigationNode } from '../model-graph.js';
import type { BuiltField, Context, ValueContext, BuiltComplex } from '../built-model.js';

/** The complex types of the document; unresolvable members are reported and omitted. */
export function buildComplexTypes(csdl: Csdl, context: ValueContext): readonly BuiltComplex[] {
  const definitions: ReadonlyMap<string, StructuredType> = complexTypesOf(csdl);
  const stored = valueTypes(csdl, context.scope.qualify);
  const declared = new Map(
    [...definitions].map(
      ([name, definition]) =>
        [name, buildFields(stored.has(name) ? definition : withoutPaths(definition, context), name, context)] as const,
    ),
  );
  return [...definitions].map(([qualifiedName, definition]) => {
    const bases = baseChain({ name: qualifiedName, definition, kind: 'complex type', find: (base) => definitions.get(base) }, context);
    const inherited = bases.toReversed().flatMap((base) => [...(declared.get(base) ?? [])]);
    const own = declared.get(qualifiedName) ?? new Map<string, BuiltField>();
    return {
      definition,
      name: definition.name,
      qualifiedName,
      bases,
      own,
      fields: new Map([...inherited, ...own]),
    };
  });
}

/** The complex types for emitters; `isUsable` selects supported navigation properties and streams. */
export function complexNodes(names: AllNames, isUsable: (member: object) => boolean, context: Context): readonly ComplexNode[] {
  const types = [...context.complexTypes.values()];
  return types.flatMap((type) => {
    const given = names.entities.get(type.qualifiedName);
    return given === undefined ? [] : [complexNode(type, types, given, names, isUsable, context)];
  });
}

function complexNode(
  type: BuiltComplex,
  types: readonly BuiltComplex[],
  { unions, ...given }: GivenNames,
  { enumerations }: AllNames,
  isUsable: (member: object) => boolean,
  context: Context,
): ComplexNode {
  const { definition, name, qualifiedName, bases } = type;
  const tagged = (term: string): readonly string[] =>
    [...type.fields.values()].filter(({ notes }) => flagValue(notes.find(term), context.report)).map(({ property }) => property.name);
  return {
    name,
    qualifiedName,
    description: descriptionOf(context.notesOf(qualifiedName, definition.annotations), context),
    ...given,
    base: bases[0],
    derivedTypes: types.filter((other) => other.bases.includes(qualifiedName)).map((other) => other.qualifiedName),
    abstract: definition.abstract,
    open: definition.openType || types.some((other) => bases.includes(other.qualifiedName) && other.definition.openType),
    computed: tagged(terms.computed),
    immutable: tagged(terms.immutable),
    fields: [...type.fields.values()].map((built) => fieldNode(built, name, unions, enumerations, context)),
    navigation: [...bases.toReversed().flatMap((base) => context.complexTypes.get(base) ?? []), type].flatMap((one) =>
      navigationOf(one, one !== type, isUsable, context),
    ),
    streams: declaredStreams(type, context)
      .filter(({ property }) => isUsable(property))
      .map(({ property, owner }) => ({
        name: property.name,
        inherited: owner !== type,
        description: descriptionOf(context.notesOf(`${owner.qualifiedName}/${property.name}`, property.annotations), context),
      })),
  };
}

function fieldNode(
  { property, description, example, column, field: built }: BuiltField,
  owner: string,
  unions: GivenNames['unions'],
  enumerations: AllNames['enumerations'],
  { report }: Context,
): FieldNode {
  // Within JSON a property has its own name, however long.
  const { column: _, searchable, ...field } = built;
  const what = `Property ${property.name} of the complex type ${owner} with Rules.Searchable`;
  if (searchable) report(faults.notSupported(property.at, what, 'Mark properties of entity types only.'));
  return {
    at: property.at,
    name: property.name,
    description,
    example,
    column,
    field,
    unionName: unions.get(property.name),
    enumeration: field.enumeration && enumerations.get(field.enumeration.qualifiedName),
  };
}

function navigationOf(
  { definition, qualifiedName }: BuiltComplex,
  inherited: boolean,
  isUsable: (member: object) => boolean,
  context: Context,
): readonly ValueNavigationNode[] {
  return definition.properties.flatMap((property): readonly ValueNavigationNode[] => {
    // Values contain no entities.
    if (property.kind !== 'NavigationProperty' || property.containsTarget || !isUsable(property)) return [];
    const { name, type, collection, constraints } = property;
    const notes = context.notesOf(`${qualifiedName}/${name}`, property.annotations);
    return [
      {
        name,
        inherited,
        description: descriptionOf(notes, context),
        target: context.scope.qualify(type),
        collection,
        constrained: constraints.length > 0,
      },
    ];
  });
}

// Of a type that only terms use, paths are among the properties; no record and no call has a value of it (CSDL XML 4.01, 4.6).
function withoutPaths(definition: StructuredType, { scope }: ValueContext): StructuredType {
  return { ...definition, properties: definition.properties.filter(({ type }) => !isPathType(scope.qualify(type))) };
}
