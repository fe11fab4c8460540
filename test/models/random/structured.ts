import {
  lineOf,
  memberNames,
  structuredOf,
  type ModelDraft,
  type PropertyDraft,
  type SchemaDraft,
  type StructuredDraft,
} from './drafts.js';
import { newName, takeName } from './names.js';
import { repeatedTypes } from './repeated-types.js';
import { anyType, keyType, propertyOf } from './types.js';

/** Complex types, some of which derive from each other; their properties come later, since they may be of each other. */
export function addComplexTypes(model: ModelDraft): void {
  const { random } = model;
  for (let count = 1 + random.below(4); count > 0; count--) {
    const schema = random.pick(model.schemas);
    const bases = structuredOf(model, 'ComplexType').filter((type) => lineOf(type).length < 3);
    const base = bases.length > 0 && random.chance(0.4) ? random.pick(bases) : undefined;
    // Types derived from an open type are open (CSDL XML 4.01, 6.3).
    const open = base?.open ?? random.chance(0.2);
    schema.structured.push({
      kind: 'ComplexType',
      schema,
      name: takeName(random, schema.names),
      base,
      abstract: random.chance(0.1),
      open,
      stream: false,
      key: [],
      properties: [],
      navigation: [],
    });
  }
}

/** Entity types, up to three that derive from each other, with their keys. */
export function addEntityTypes(model: ModelDraft): void {
  const { random } = model;
  for (let count = 2 + random.below(5); count > 0; count--) {
    const schema = random.pick(model.schemas);
    const bases = structuredOf(model, 'EntityType').filter((type) => lineOf(type).length < 3);
    const base = bases.length > 0 && random.chance(0.35) ? random.pick(bases) : undefined;
    addKey(model, newEntityType(model, schema, base));
  }
}

function newEntityType({ random }: ModelDraft, schema: SchemaDraft, base: StructuredDraft | undefined): StructuredDraft {
  const type: StructuredDraft = {
    kind: 'EntityType',
    schema,
    name: takeName(random, schema.names),
    base,
    // A type that nothing derives from yet may still get one; where it does not, its set has no records.
    abstract: random.chance(base === undefined ? 0.12 : 0.05),
    open: base?.open ?? random.chance(0.15),
    stream: base?.stream ?? random.chance(0.1),
    key: [],
    properties: [],
    navigation: [],
  };
  schema.structured.push(type);
  return type;
}

// An abstract type may leave the key to those that derive from it, once.
function addKey(model: ModelDraft, type: StructuredDraft): void {
  const { random } = model;
  if (lineOf(type).some(({ key }) => key.length > 0)) return;
  if (type.abstract && random.chance(0.3)) return;
  for (let parts = random.pick([1, 1, 1, 2, 3]); parts > 0; parts--) {
    const name = newName(random, memberNames(type, structuredOf(model, 'EntityType')));
    const { defaults: _, ...drawn } = keyType(model);
    type.properties.push({ name, type: drawn.type, facets: keyFacets(drawn), collection: false, nullable: false });
    type.key.push({ path: name, alias: undefined });
  }
}

// An index takes values up to some 2 700 bytes.
function keyFacets({ type, facets }: Pick<PropertyDraft, 'type' | 'facets'>): PropertyDraft['facets'] {
  return type === 'Edm.String'
    ? { ...facets, MaxLength: ['5', '20', '100'].includes(facets['MaxLength'] ?? '') ? facets['MaxLength'] : '40' }
    : facets;
}

/** The properties of every type, of primitive, named and complex types. */
export function addProperties(model: ModelDraft): void {
  const { random } = model;
  for (const kind of ['ComplexType', 'EntityType'] as const) {
    const types = structuredOf(model, kind);
    for (const type of types) {
      const within = withinOf(type, model);
      for (let count = (kind === 'ComplexType' ? 1 : 0) + random.below(7); count > 0; count--) {
        const property = propertyOf(random, newName(random, memberNames(type, types)), anyType(model, within));
        type.properties.push(optional(property, kind === 'ComplexType' ? within : within.filter(({ abstract }) => abstract)));
      }
      if (random.chance(0.15))
        type.properties.push({
          name: newName(random, memberNames(type, types)),
          type: 'Edm.Stream',
          collection: false,
          nullable: random.chance(0.8),
          facets: {},
        });
    }
  }
}

/** Takes the streams out of types whose values cannot have any. */
export function removeStreams(model: ModelDraft): void {
  for (const { properties } of repeatedTypes(model))
    properties.splice(0, properties.length, ...properties.filter(({ type }) => type !== 'Edm.Stream'));
}

// The complex types that its values may be of: those of families that come before its own, where no value may contain its like.
function withinOf(type: StructuredDraft, model: ModelDraft): readonly StructuredDraft[] {
  const complexTypes = structuredOf(model, 'ComplexType');
  if (model.recursive || type.kind === 'EntityType') return complexTypes;
  const families = complexTypes.filter(({ base }) => base === undefined);
  const place = (one: StructuredDraft): number => families.findIndex((root) => lineOf(one).includes(root));
  return complexTypes.filter((one) => place(one) < place(type));
}

// A value that required one of its own type could never be written, nor one of an uninstantiable type.
function optional(property: PropertyDraft, complexTypes: readonly StructuredDraft[]): PropertyDraft {
  const isComplex = complexTypes.some(({ name }) => property.type.endsWith(`.${name}`));
  return isComplex && !property.collection ? { ...property, nullable: true } : property;
}
