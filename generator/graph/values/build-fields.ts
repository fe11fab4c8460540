import {
  type EnumType as EnumTable,
  type Field,
  defaultSystem,
  isGeo,
  isPrimitive,
  type PrimitiveTypeName,
} from '../../../runtime/edm/index.js';
import { attributeAt } from '../../csdl/attribute-at.js';
import type { Annotation, Expression, Facets, Property, StructuredType, TypeDefinition } from '../../csdl/csdl.js';
import { shortTerm, terms, uncheckedTerms } from '../../csdl/terms.js';
import { flagValue, textValue, type Notes } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { allowedOf, withDefault } from './field-values.js';
import { databaseName, storageName } from '../names/names.js';
import { isPathType, isStream } from './value-types.js';
import { namespaceOf } from '../../csdl/names-in.js';
import type { ValueContext, BuiltField, BuiltFields } from '../built-model.js';

/** The declared structural properties of a type, by name; unresolvable ones are reported and omitted. */
export function buildFields(type: StructuredType, qualifiedName: string, context: ValueContext): BuiltFields {
  const built = type.properties.flatMap((property) =>
    property.kind === 'Property' && !isStream(property, context) ? (buildField(property, qualifiedName, context) ?? []) : [],
  );
  return new Map(built.map((field) => [field.property.name, field]));
}

/** Core.Description, and Core.LongDescription after it. */
export function descriptionOf(notes: Notes, { report }: Pick<ValueContext, 'report'>): string | undefined {
  const parts = [terms.description, terms.longDescription].map((term) => textValue(notes.find(term)?.value, term, report)?.value);
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n') || undefined;
}

// Core.Example with a primitive value.
function exampleOf(notes: Notes): string | undefined {
  const record = notes.find(terms.example)?.value;
  const value = record?.kind === 'record' ? record.members.find(({ property }) => property === 'Value')?.value : undefined;
  return value?.kind === 'constant' && value.type !== 'EnumMember' ? value.value : undefined;
}

interface Resolved {
  readonly type: PrimitiveTypeName;
  readonly facets: Facets;
  readonly enumeration?: EnumTable;
  readonly definition?: string;
  readonly complex?: string;
  readonly notes?: Notes;
}

/** A structural property, or a parameter as one; `owner` is the path before its name. */
export function buildField(
  property: Property,
  owner: string,
  context: ValueContext,
  label = `Property ${property.name}`,
): BuiltField | undefined {
  const notes = context.notesOf(`${owner}/${property.name}`, property.annotations);
  const resolved = resolveType(property, label, context);
  if (resolved === undefined) return undefined;
  checkFacets(property, resolved, label, context);
  const description = descriptionOf(notes, context) ?? (resolved.notes && descriptionOf(resolved.notes, context));
  const column = storageName(notes, label, context) ?? databaseName(property.name);
  const field = toField(property, resolved, notes, label, context);
  return {
    property,
    notes,
    description,
    example: exampleOf(notes),
    column,
    field: column === property.name ? field : { ...field, column },
  };
}

function resolveType(property: Property, label: string, context: ValueContext): Resolved | undefined {
  const { scope, report } = context;
  const name = scope.qualify(property.type);
  if (isPrimitive(name)) return { type: name, facets: property };
  const definition = scope.definitions.get(name);
  switch (definition?.kind) {
    case 'TypeDefinition':
      return resolveDefinition(property, definition, name, context);
    case 'EnumType':
      return resolveEnum(property, name, context);
    case 'ComplexType':
      return { type: 'Edm.ComplexType', facets: property, complex: name };
    case 'EntityType':
      report(faults.entityProperty(property.at, label, property.type));
      return undefined;
    default:
      // A type that is missing altogether has its fault already.
      if (name !== '') report(unknown(property, label, name, context));
      return undefined;
  }
}

function unknown(property: Property, label: string, name: string, { scope }: ValueContext): ReturnType<typeof faults.unknownType> {
  if (isPathType(name))
    return faults.unknownPrimitive(
      property.at,
      label,
      property.type,
      'Only terms, and complex types used by terms only, have paths as values.',
    );
  if (name.startsWith('Edm.')) return faults.unknownPrimitive(property.at, label, property.type, scope.suggest(name));
  if (scope.isDeclared(name)) return faults.unknownType(property.at, label, property.type, scope.suggest(name));
  return faults.unknownNamespace(property.at, property.type, namespaceOf(name) || "''", scope.suggest(name));
}

function resolveDefinition(property: Property, definition: TypeDefinition, name: string, context: ValueContext): Resolved | undefined {
  const { scope, report, notesOf } = context;
  const type = scope.qualify(definition.underlyingType);
  // A parameter of any primitive type: its operation is not offered.
  if (type === 'Edm.PrimitiveType') return undefined;
  if (type === 'Edm.Untyped') {
    report(faults.abstractType(definition.at, `Type definition ${name}`, type));
    return undefined;
  }
  if (!isPrimitive(type)) {
    report(faults.unknownPrimitive(definition.at, `Type definition ${name}`, definition.underlyingType, scope.suggest(type)));
    return undefined;
  }
  const facets: Facets = {
    nullable: property.nullable,
    maxLength: property.maxLength ?? definition.maxLength,
    precision: property.precision ?? definition.precision,
    scale: property.scale ?? definition.scale,
    srid: property.srid ?? definition.srid,
    unicode: property.unicode ?? definition.unicode,
  };
  return { type, facets, definition: name, notes: notesOf(name, definition.annotations) };
}

function resolveEnum(property: Property, name: string, { enums }: ValueContext): Resolved | undefined {
  const enumeration = enums.get(name)?.table;
  return enumeration && { type: enumeration.underlyingType, facets: property, enumeration };
}

const temporal: ReadonlySet<string> = new Set(['Edm.DateTimeOffset', 'Edm.TimeOfDay', 'Edm.Duration']);

function checkFacets(property: Property, { type, facets }: Resolved, label: string, { report }: ValueContext): void {
  const { maxLength, precision, scale, srid } = facets;
  const wrong = (facet: string, at = property.at): void => report(faults.facet(at, label, facet, type));
  if (maxLength !== undefined && !isSized(type)) wrong('MaxLength', attributeAt(property, 'maxLength'));
  if (precision !== undefined && type !== 'Edm.Decimal' && !temporal.has(type)) wrong('Precision');
  if (scale !== undefined && type !== 'Edm.Decimal') wrong('Scale');
  if (srid !== undefined && !isGeo(type)) wrong('SRID');
  if (typeof scale === 'number' && precision !== undefined && scale > precision) wrong(`a Scale above the Precision ${precision}`);
}

function reportUnchecked(notes: Notes, resolved: Resolved, label: string, report: ValueContext['report']): void {
  for (const term of uncheckedTerms) {
    const note = notes.find(term) ?? resolved.notes?.find(term);
    if (note) report(faults.uncheckedRule(note.at, label, shortTerm(term)));
  }
}

function limitsOf(resolved: Resolved, notes: Notes, label: string, { report, notesOf }: ValueContext): Partial<Field> {
  const limit = (term: string): Annotation | undefined => notes.find(term) ?? resolved.notes?.find(term);
  const isExclusive = (note: Annotation): boolean =>
    flagValue(notesOf(`${label}@${note.term}`, note.annotations).find(terms.exclusive), report);
  const [low, high] = [limit(terms.minimum), limit(terms.maximum)];
  return {
    ...optional('minimum', textValue(low?.value, terms.minimum, report)?.value),
    ...(low && isExclusive(low) && { exclusiveMinimum: true }),
    ...optional('maximum', textValue(high?.value, terms.maximum, report)?.value),
    ...(high && isExclusive(high) && { exclusiveMaximum: true }),
  };
}

function toField(property: Property, resolved: Resolved, notes: Notes, label: string, context: ValueContext): Field {
  const { type, facets } = resolved;
  const { report } = context;
  const text = (term: string): string | undefined =>
    textValue((notes.find(term) ?? resolved.notes?.find(term))?.value, term, report)?.value;
  const allowedValues = allowedOf(
    notes.find(terms.allowedValues)?.value ?? resolved.notes?.find(terms.allowedValues)?.value,
    resolved.enumeration,
    context,
  );
  reportUnchecked(notes, resolved, label, report);
  const pattern = text(terms.pattern);
  const searchable = flagValue(notes.find(terms.searchable), report);
  if (searchable && (type !== 'Edm.String' || property.collection))
    report(faults.notSupported(property.at, `${label} with Rules.Searchable`, 'Mark properties of the type Edm.String only.'));
  if (pattern !== undefined && !isPattern(pattern)) report(faults.pattern(property.at, label, pattern));
  return withDefault(property, label, report, {
    ...storedType(type, facets),
    ...optional('enumeration', resolved.enumeration),
    ...optional('definition', resolved.definition),
    ...optional('complex', resolved.complex),
    // Nullable of a collection applies to its items; the collection itself is never null (CSDL XML 4.01, 7.2.1).
    ...(property.nullable !== false && !property.collection && { nullable: true }),
    ...(property.collection && { collection: true }),
    // The nullability of items is unspecified without the facet; this service then has no null items, unless any JSON
    // is a value.
    ...(property.collection && (property.nullable ?? type === 'Edm.Untyped') && { nullableItems: true }),
    ...optional('maxLength', typeof facets.maxLength === 'number' && isSized(type) ? facets.maxLength : undefined),
    ...optional('precision', type === 'Edm.Decimal' || temporal.has(type) ? facets.precision : undefined),
    ...optional('scale', scaleOf(type, facets)),
    ...optional('srid', isGeo(type) ? (facets.srid ?? defaultSystem(type)) : undefined),
    ...optional('mediaType', rawMediaType(type, notes.find(terms.mediaType)?.value)),
    ...optional('allowedValues', allowedValues),
    ...optional('lookup', text(terms.lookupName)),
    ...limitsOf(resolved, notes, label, context),
    ...optional('pattern', pattern),
    ...(searchable && { searchable: true }),
  });
}

// With a path, the media type depends on the entity, and the raw value has no fixed one.
function rawMediaType(type: string, expression: Expression | undefined): string | undefined {
  return isSized(type) && expression?.kind === 'constant' && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(expression.value)
    ? expression.value
    : undefined;
}

function isSized(type: string): boolean {
  return type === 'Edm.String' || type === 'Edm.Binary';
}

// CSDL XML 4.01, 7.2.4: the default is no digits after the point.
function scaleOf(type: string, { scale = 0 }: Facets): number | undefined {
  return type === 'Edm.Decimal' && typeof scale === 'number' ? scale : undefined;
}

function storedType(type: Field['type'], { srid }: Facets): Pick<Field, 'type' | 'shape'> {
  if (srid === 'variable' && type === 'Edm.GeographyPoint') return { type: 'Edm.Geography', shape: type };
  return srid === 'variable' && type === 'Edm.GeometryPoint' ? { type: 'Edm.Geometry', shape: type } : { type };
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}
