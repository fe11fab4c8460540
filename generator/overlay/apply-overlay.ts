import { nearestOf, suggestion } from '../../runtime/errors/suggest.js';
import type {
  Annotation,
  ContainerMember,
  Csdl,
  EntityContainer,
  NavigationProperty,
  Property,
  SchemaElement,
  StructuredType,
} from '../csdl/csdl.js';
import type { JsonMember, JsonValue } from '../csdl/json-tree.js';
import { terms } from '../csdl/terms.js';
import { containerMembers, elementsOf, mapElements } from '../csdl/map-elements.js';
import { faults, type Report } from '../faults.js';
import { namesOf } from '../repair/names.js';
import { flag } from '../csdl/make-annotation.js';
import { indexes, permissions, rowRules, storageLayout, textNotes, withMember } from './annotations.js';
import { gatherAnnotations } from './gather-annotations.js';
import { withoutLeftOut } from './left-out.js';
import { applyToProperty, propertyMembers, type Lookups, applyToNavigation, navigationMembers } from './apply-property.js';
import { OverlayObject, textsOf } from './overlay-object.js';
import { localName } from '../../runtime/edm/lookup.js';

/** The context that the parts of an overlay share. */
export interface OverlayContext {
  readonly report: Report;
  readonly qualify: (name: string) => string;
  readonly lookups: Lookups;
  /** The lookups that a property uses. */
  readonly usedLookups: Set<unknown>;
  /** The navigation properties that it omits, with the positions of their `leaveOut`. */
  readonly leftOut: Map<NavigationProperty, number>;
}

/** Applies an overlay to a document; names that the document lacks are reported. */
export function applyOverlay(written: Csdl, overlay: JsonValue, report: Report): Csdl {
  const root = new OverlayObject(overlay, 'The top', ['types', 'sets', 'lookups'], report);
  const { qualify } = namesOf(written, []);
  const context: OverlayContext = {
    report,
    qualify,
    lookups: lookupsOf(root, qualify, report),
    usedLookups: new Set(),
    leftOut: new Map(),
  };
  const types = root.object('types')?.entries ?? [];
  const sets = root.object('sets')?.entries ?? [];
  const csdl = gatherAnnotations(written, new Set(sets.map(({ name }) => name)), qualify);
  const [typesOf, setsOf] = [typeFinder(csdl, context), setFinder(csdl, context)];
  const byElement = new Map<StructuredType, JsonMember>();
  for (const member of types) {
    for (const type of typesOf(member)) {
      if (byElement.has(type)) report(faults.duplicate(member.at, `the type ${type.name}`, 'The overlay'));
      else byElement.set(type, member);
    }
  }
  const bySet = new Map(sets.flatMap((member) => setsOf(member).map((set) => [set, member] as const)));
  const applied = mapElements(csdl, (element) => applyToElement(element, byElement, bySet, context));
  reportUnused(csdl, context);
  return withReferences(withoutLeftOut({ ...applied, changed: true }, csdl, context.leftOut, report));
}

function lookupsOf(root: OverlayObject, qualify: (name: string) => string, report: Report): Lookups {
  return new Map(
    (root.object('lookups')?.entries ?? []).map(({ at, name, value }) => {
      const values = value.kind === 'null' ? [] : textsOf(value);
      if (values === undefined) report(faults.overlayValue(value.at, `The lookup ${name}`, 'a list of strings, or null for any string'));
      return [qualify(name), { at, values: value.kind === 'null' ? undefined : values }] as const;
    }),
  );
}

// An unused lookup has a misspelt name.
function reportUnused(csdl: Csdl, { lookups, usedLookups, report }: OverlayContext): void {
  const types = elementsOf(csdl, 'EntityType', 'ComplexType').flatMap(({ element }) =>
    element.properties.flatMap((property) => (property.kind === 'Property' ? [property.type] : [])),
  );
  const byLast = new Map(types.filter((type) => !type.startsWith('Edm.')).map((type) => [localName(type), type] as const));
  for (const [name, lookup] of lookups) {
    const nearest = nearestOf(localName(name), byLast.keys());
    const what = 'list: no property has that type, and the overlay assigns that lookup to none';
    const hint = nearest === undefined ? '' : `Did you mean ${byLast.get(nearest)}?`;
    if (!usedLookups.has(lookup)) report(faults.overlayTarget(lookup.at, what, name, hint));
  }
}

type Finder<Found> = (member: JsonMember) => readonly Found[];

// A type may be named without its namespace where the name is unique.
function typeFinder(csdl: Csdl, { report, qualify }: OverlayContext): Finder<StructuredType> {
  const types = elementsOf(csdl, 'EntityType', 'ComplexType');
  return ({ at, name }) => {
    const found = types.filter((type) => type.name === qualify(name) || (!name.includes('.') && type.element.name === name));
    if (found.length === 1) return found.map(({ element }) => element);
    const known = types.flatMap((type) => [type.name, type.element.name]);
    report(faults.overlayTarget(at, found.length === 0 ? 'type' : 'single type', name, suggestion(name, known)));
    return [];
  };
}

function setFinder(csdl: Csdl, { report }: OverlayContext): Finder<ContainerMember> {
  const members = containerMembers(csdl).filter(({ kind }) => kind === 'EntitySet' || kind === 'Singleton');
  const names = members.map((member) => member.name);
  return ({ at, name }) => {
    if (!names.includes(name)) report(faults.overlayTarget(at, 'entity set', name, suggestion(name, names)));
    return members.filter((member) => member.name === name);
  };
}

type Members = ReadonlyMap<object, JsonMember>;

function applyToElement(element: SchemaElement, types: Members, sets: Members, context: OverlayContext): SchemaElement {
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return applyToType(element, types.get(element), context);
    case 'EntityContainer':
      return { ...element, members: membersWith(element, sets, context) };
    default:
      return element;
  }
}

const entityTypeMembers = ['renamedFrom', 'storage', 'description', 'key', 'properties', 'navigation'];

function applyToType(type: StructuredType, member: JsonMember | undefined, context: OverlayContext): StructuredType {
  const { report } = context;
  const given = new OverlayObject(
    member?.value ?? nothing,
    `The type ${type.name}`,
    type.kind === 'EntityType' ? entityTypeMembers : entityTypeMembers.filter((name) => name !== 'key'),
    report,
  );
  const properties = given.object('properties');
  const navigation = given.object('navigation');
  reportUnknown(type, 'Property', properties, report);
  reportUnknown(type, 'NavigationProperty', navigation, report);
  const key = type.kind === 'EntityType' ? given.texts('key') : undefined;
  const members = type.properties.flatMap((property): readonly (Property | NavigationProperty)[] =>
    property.kind === 'Property'
      ? [applyToProperty(property, properties?.object(property.name, propertyMembers), context)]
      : applyToNavigation(property, navigation?.object(property.name, navigationMembers), context),
  );
  const omitted = type.properties.filter((property) => property.kind === 'NavigationProperty' && context.leftOut.has(property));
  return {
    ...type,
    keys: key === undefined ? type.keys : [key.value.map(({ at, value }) => ({ at, name: value, alias: undefined }))],
    annotations: [...type.annotations, ...textNotes(given, 'renamedFrom', 'storage', 'description')],
    properties: members,
    ...(omitted.length > 0 && { leftOut: omitted.map(({ name }) => name) }),
  };
}

// Names of properties that the type does not declare.
function reportUnknown(
  { name: owner, properties }: StructuredType,
  kind: 'Property' | 'NavigationProperty',
  given: OverlayObject | undefined,
  report: Report,
): void {
  const names = properties.filter((property) => property.kind === kind).map(({ name }) => name);
  const what = kind === 'Property' ? `property of ${owner}` : `navigation property of ${owner}`;
  for (const { at, name } of given?.entries ?? []) {
    if (!names.includes(name)) report(faults.overlayTarget(at, what, name, suggestion(name, names)));
  }
}

const nothing: JsonValue = { at: 0, kind: 'object', members: [] };

const restrictions = [
  ['read', terms.read, 'readable', 'Readable'],
  ['insert', terms.insert, 'insertable', 'Insertable'],
  ['update', terms.update, 'updatable', 'Updatable'],
  ['delete', terms.delete, 'deletable', 'Deletable'],
] as const;

function membersWith({ members }: EntityContainer, sets: Members, context: OverlayContext): readonly ContainerMember[] {
  const known = ['indexes', 'permissions', 'rowRules', 'renamedFrom', 'storage', ...restrictions.map(([, , allowed]) => allowed)];
  return members.map((member) => {
    const written = sets.get(member);
    return written === undefined
      ? member
      : {
          ...member,
          annotations: applyToSet(member, new OverlayObject(written.value, `The set ${member.name}`, known, context.report), context),
        };
  });
}

function applyToSet({ annotations }: ContainerMember, given: OverlayObject, { qualify, report }: OverlayContext): readonly Annotation[] {
  const scopes = given.object(
    'permissions',
    restrictions.map(([operation]) => operation),
  );
  const own = given.has('indexes') ? [...annotations, indexes(given.at('indexes'), given.items('indexes'), report)] : annotations;
  const rules = given.pairs('rowRules');
  const ruled = rules === undefined ? own : [...own, rowRules(rules)];
  const named = [...ruled, ...textNotes(given, 'renamedFrom'), ...storageLayout(given)];
  return restrictions.reduce<readonly Annotation[]>((notes, [operation, term, allowed, member]) => {
    const allows = given.flag(allowed);
    const permitted = scopes?.texts(operation);
    const first = allows === undefined ? notes : withMember(notes, term, allows.at, member, flag(allows), qualify);
    return permitted === undefined ? first : withMember(first, term, permitted.at, 'Permissions', permissions(permitted), qualify);
  }, named);
}

// Adds references for the vocabularies of added terms, so that $metadata is complete.
function withReferences(csdl: Csdl): Csdl {
  const known = new Set(csdl.references.flatMap(({ includes }) => includes.map(({ namespace }) => namespace)));
  const text = JSON.stringify(csdl.schemas);
  const missing = ['Org.OData.Core.V1', 'Org.OData.Capabilities.V1', 'Org.OData.Validation.V1'].filter(
    (namespace) => !known.has(namespace) && text.includes(`"term":"${namespace}.`),
  );
  const references = missing.map((namespace) => ({
    at: 0,
    annotations: [],
    uri: `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${namespace}.xml`,
    includeAnnotations: [],
    includes: [{ at: 0, annotations: [], namespace, alias: undefined }],
  }));
  return { ...csdl, references: [...csdl.references, ...references] };
}
