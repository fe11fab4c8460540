import { type ComplexType, complexTypeNamed, type EntityType, type Field, isShownName, type Navigation } from '../../edm/index.js';
import { typesWithin } from '../../plan/path/derivation.js';
import { fieldSchema, orNull } from './value-schemas.js';
import type { Json } from './json-document.js';
import { expandedType, useOf, type View } from './view.js';

/** The schema of records of a type and of the types that derive from it. */
export function recordSchema(type: EntityType, view: View): Json {
  return anyOf(
    typesWithin(type, view.container).map((one) => view.schemas.refer(`record ${nameOf(one)}`, nameOf(one), () => buildRecord(one, view))),
  );
}

/** The schema of the body that creates or changes a record: the properties that it must have are required. */
export function bodySchema(type: EntityType, change: 'Create' | 'Update', view: View, given: readonly string[] = []): Json {
  const { requiredOnCreate, requiredOnUpdate } = type.rules;
  const names = change === 'Create' ? requiredOnCreate : requiredOnUpdate;
  const required = names.filter((name) => !given.includes(name) && useOf(type, name, view.caller) !== undefined);
  const record = recordSchema(type, view);
  if (required.length === 0) return record;
  return view.schemas.refer(`${change} ${nameOf(type)} ${required.join()}`, `${nameOf(type)}${change}`, () => ({
    allOf: [record, { required }],
  }));
}

/** The schema of complex values of a type and of the types that derive from it. */
export function structureSchema(type: ComplexType, view: View): Json {
  const types = [type, ...type.derived.flatMap((name) => complexTypeNamed(view.container, name) ?? [])].filter(({ abstract }) => !abstract);
  return anyOf(types.map((one) => view.schemas.refer(`complex ${one.qualifiedName}`, one.name, () => buildStructure(one, view))));
}

function anyOf(schemas: readonly Json[]): Json {
  const [only] = schemas;
  return schemas.length === 1 && only ? only : { anyOf: schemas };
}

// Several entity sources of a type have different permissions.
function nameOf({ name, place = '' }: EntityType): string {
  return `${name}${name.endsWith(place) ? '' : place}`;
}

function buildRecord(type: EntityType, view: View): Json {
  const fields = Object.entries(type.fields).flatMap(([name, field]) => {
    const use = isShownName(name) ? useOf(type, name, view.caller) : undefined;
    return use === undefined ? [] : [[name, { ...propertySchema(type, name, field, view), ...use, ...immutable(type, name) }] as const];
  });
  const navigation = Object.entries(type.navigation).flatMap(([name, property]) => navigationSchema(type, name, property, view));
  return {
    type: 'object',
    ...described(type.qualifiedName, view),
    properties: {
      ...(type.etag && { '@odata.etag': { type: 'string', readOnly: true } }),
      ...Object.fromEntries([...fields, ...navigation]),
    },
  };
}

function buildStructure(type: ComplexType, view: View): Json {
  const fields = Object.entries(type.fields).map(
    ([name, field]) =>
      [name, { ...propertySchema(type, name, field, view), ...(type.computed.includes(name) && { readOnly: true }) }] as const,
  );
  return { type: 'object', ...described(type.qualifiedName, view), properties: Object.fromEntries(fields) };
}

function propertySchema(type: EntityType | ComplexType, name: string, field: Field, view: View): Json {
  return {
    ...fieldSchema(field, view),
    ...memberDescription(type, name, view),
    ...(field.filterable === false && { 'x-filterable': false }),
    ...(field.sortable === false && { 'x-sortable': false }),
  };
}

function immutable({ rules }: EntityType, name: string): Json {
  return rules.immutable.includes(name) ? { 'x-immutable': true } : {};
}

// A document of some sets describes no others.
function navigationSchema(type: EntityType, name: string, navigation: Navigation, view: View): readonly (readonly [string, Json])[] {
  const { collection, expandable } = navigation;
  const target = expandedType(type, name, view);
  if (target === undefined) return [];
  const home = target.entitySet ?? target.familySet ?? target.singleton;
  const isDescribed = view.sets === undefined || home === undefined || view.sets.has(home);
  const schema = isDescribed ? recordSchema(target, view) : { type: 'object', description: `A record of ${home}` };
  const value = collection ? { type: 'array', items: schema } : orNull(schema);
  return [[name, { ...value, ...memberDescription(type, name, view), ...(expandable === false && { 'x-expandable': false }) }]];
}

/** The description of a type or a member of the container, if it has one. */
export function described(target: string, { describe }: View): Json {
  const description = describe(target);
  return description === undefined ? {} : { description };
}

// Inherited members are described where they are declared; types that derive from a complex type do not name it.
function memberDescription(type: EntityType | ComplexType, name: string, view: View): Json {
  const owners = [type.qualifiedName, ...('baseTypes' in type ? (type.baseTypes ?? []) : [])];
  const owner = owners.find((each) => view.describe(`${each}/${name}`) !== undefined);
  return owner === undefined ? {} : described(`${owner}/${name}`, view);
}
