import { type EntityContainer, type EntityType, isDirect, isOfKey, type Navigation } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { withArticle } from '../../errors/suggest.js';
import { type ErrorDetail, ODataError } from '../../errors/odata-error.js';
import type { JsonObject } from '../../json/json.js';
import { accessTo, type Caller, requireNameable } from '../caller.js';
import { typeNames } from '../path/type-cast.js';
import { isOwnColumn, linkingProperties } from '../path/navigation-join.js';
import type { RecordTarget } from '../path/path-target.js';
import { isTypeOrBase } from '../path/derivation.js';
import { stepsOf, valueAlong } from '../path/nested-path.js';
import { contentIdOf } from './entity-body.js';
import { requireWritable } from './plan-write.js';
import type { WriteContext } from './write-plan.js';
import type { ChildPlan, Link, RelatedPlan, Relation, WritePlan } from './write-plan.js';

/** The context for a body with related entities. */
export interface GraphContext extends WriteContext {
  readonly refer: (id: string) => RecordTarget | ODataError;
  /** Rejects a nested entity whose version is not that of the ETag in its body, or that does not exist. */
  readonly requireCurrent: (
    body: JsonObject,
    record: { readonly type: EntityType; readonly version: string | undefined; readonly at: string },
  ) => void;
  /** Requests of 4.0 have no nested records in an update (protocol 11.4.3.1). */
  readonly version: '4.0' | '4.01';
}

/** The related entities of a body. */
export interface Related {
  readonly links: Link[];
  readonly children: ChildPlan[];
  readonly nested: RelatedPlan[];
  readonly faults: ErrorDetail[];
  /** Own properties that follow from the links. */
  readonly given: Set<string>;
}

/** A navigation property in a body. */
export interface RelatedMember extends Relation {
  readonly type: EntityType;
  readonly operation: 'insert' | 'update';
  readonly context: GraphContext;
}

/** The planners for a nested entity, applied when it is known whether it exists. */
export interface Planners {
  readonly update: (type: EntityType, body: JsonObject, context: GraphContext) => WritePlan;
  readonly create: (type: EntityType, body: JsonObject, context: GraphContext) => WritePlan;
  /** Whether omitted values are removed, as with PUT. */
  readonly replaces?: true;
}

/** A nested entity with its position in the body. */
export interface Item {
  readonly body: JsonObject;
  readonly at: string;
}

/** Adds the record of an id to the links, or the reason why it cannot be one. */
export function addLink(of: RelatedMember, id: string, at: string, { links, faults }: Related): void {
  const { name, navigation, target, context } = of;
  const fixed = fixedFault(navigation, at);
  if (fixed !== undefined) return void faults.push(fixed);
  const referred = recordNamed(id, at, target, context);
  if (referred === undefined) return void faults.push(unusableId(id, at, target, context.refer(id)).asDetail(at));
  if (!isOwnColumn(navigation, target) && !navigation.through) faults.push(...joinFaults(of, at));
  links.push({ name, navigation, target, at, place: referred, id: id.slice(0, 64) });
}

/** Why the target of a containment or back-reference cannot be changed; undefined for other navigation properties. */
export function fixedFault({ contains, container }: Navigation, at: string): ErrorDetail | undefined {
  return contains || container ? containedFault(at) : undefined;
}

/** CSDL XML 4.01, 8.4: a contained entity belongs to one parent only. */
function containedFault(at: string): ErrorDetail {
  return errors.readOnly(at, 'the parent of a contained record cannot change; write contained records under their parent').asDetail(at);
}

/** The fault of a single-valued navigation property that two members of a body set. */
export function twiceFault(at: string, members: readonly string[]): ErrorDetail {
  return errors.readOnly(at, `it is to-one, but the body has several values: ${members.join(' and ')}; remove all but one`).asDetail(at);
}

/** Resolves an entity-id to an entity of the target's type; rejects one whose existence the caller may not learn. */
export function recordNamed(id: string, at: string, target: EntityType, context: GraphContext): RecordTarget | undefined {
  const place = recordAt(id, target, context);
  if (place) requireNameable(place, context.caller, at);
  return place;
}

/** The same of a record that the request is to write, for which other permissions are asked. */
export function recordAt(id: string, target: EntityType, { refer }: GraphContext): RecordTarget | undefined {
  const place = refer(id);
  return place instanceof ODataError ? undefined : asTarget(place, target);
}

/** The fault of an id that is no entity of the target's type; names that entity's type. */
export function unusableId(id: string, at: string, target: EntityType, place: RecordTarget | ODataError): ODataError {
  const why =
    place instanceof ODataError
      ? unresolvedReason(place)
      : `it addresses a record of ${place.address?.map(({ name }) => name).join('/') ?? place.type.name}, but ${at} requires one of ${placeNameOf(target)}`;
  return errors.invalidReference(id.slice(0, 64), at, target.name, why);
}

// The id was resolved by names alone: it is malformed, of another service, or names a set or key that the model lacks.
function unresolvedReason({ message }: ODataError): string {
  return message.replace(/\.$/, '').replace(/^(The|There|A) /, (word) => word.toLowerCase());
}

// The name of an entity source; a containment's includes its type.
function placeNameOf({ entitySet, place, name }: EntityType): string {
  return entitySet ?? place?.slice(1).replace('.', '/') ?? name;
}

/** The entity as one of the target's type; an id may have a base type, and then the stored entity decides. */
export function asTarget(place: RecordTarget, target: EntityType): RecordTarget | undefined {
  // Records of one type at another place have other numbers.
  if (place.type.table !== target.table) return undefined;
  if (isTypeOrBase(place.type, target.qualifiedName)) return place;
  return isTypeOrBase(target, place.type.qualifiedName) ? { ...place, type: target, types: typeNames(target) } : undefined;
}

/** Rejects a change of a reference that is hidden from the caller, by its name or its dependent property. */
export function requireUnrestricted(
  type: EntityType,
  operation: RelatedMember['operation'],
  names: readonly string[],
  caller: Caller,
): void {
  const access = accessTo(type, operation, caller);
  const [name] = access.allowed ? names.filter((one) => access.restricted.has(one)) : [];
  if (name !== undefined) throw errors.notPermitted(name).at(name);
}

/** The faults of adding or removing a target: the target stores the reference, so that it changes. */
export function joinFaults({ type, navigation, target, context }: RelatedMember, at: string): readonly ErrorDetail[] {
  const linking = linkingProperties(type, navigation, target);
  requireWritable(target, 'update', context.caller);
  requireUnrestricted(target, 'update', linking, context.caller);
  const fixed = linking.some((property) => target.rules.immutable.includes(property) || isOfKey(target, property));
  return fixed || !isChanged(target)
    ? [errors.readOnly(at, `${withArticle(target.name)} cannot be moved to another record`).asDetail(at)]
    : [];
}

/** The faults of creating a related entity: whether the service permits it. */
export function createFaults({ navigation, target, context }: RelatedMember, at: string): readonly ErrorDetail[] {
  if (!isCreatable(navigation, target)) return [errors.readOnly(at, `${withArticle(target.name)} cannot be created`).asDetail(at)];
  requireWritable(target, 'insert', context.caller);
  return [];
}

// A contained entity is created below its parent, and cannot create another one through its back-reference.
function isCreatable({ contains, container, insertable }: Navigation, { contained, routes }: EntityType): boolean {
  if (container || (contained && !contains)) return false;
  if (insertable !== undefined) return insertable;
  const makes = contained === 'one' ? 'replaceEntity' : 'createEntity';
  return routes.some(({ operation }) => operation === makes || (contained === 'one' && operation === 'updateEntity'));
}

/** Whether records of the type are changed by clients. */
export function isChanged({ routes }: EntityType): boolean {
  return routes.some(({ operation }) => operation === 'updateEntity' || operation === 'replaceEntity');
}

/** A fault of a nested record, with its place in the body: `Rooms[1].RoomType`. */
export function beneath(at: string, fault: ErrorDetail): ErrorDetail {
  return { ...fault, target: fault.target === undefined ? at : `${at}.${fault.target}` };
}

/** The context of a body's own properties: those that its links determine may be missing. */
export function givenBy({ given }: Related, context: GraphContext): GraphContext {
  return given.size === 0 ? context : { ...context, given: new Set([...(context.given ?? []), ...given]) };
}

/** The plan of a record with those of the records around it; member by member, since V8 has no quick way to give a copy other members than it was copied with. */
export function inGraph(
  { type, values, patches, whole, keepsKey, dynamic, format, references }: WritePlan,
  body: JsonObject,
  { links, children, related, faults }: Pick<WritePlan, 'links' | 'children' | 'related' | 'faults'>,
): WritePlan {
  return {
    type,
    values,
    patches,
    whole,
    keepsKey,
    dynamic,
    format,
    references,
    faults,
    contentId: contentIdOf(body),
    links,
    children,
    related,
  };
}

/**
 * The faults of a body that omits a required related record, if no property identifies that record. A navigation property
 * of a complex value is required only if the body has the value.
 */
export function unrelatedFaults(
  type: EntityType,
  body: JsonObject,
  container: EntityContainer,
  given: ReadonlySet<string> = new Set(),
): readonly ErrorDetail[] {
  const isThere = (path: string): boolean => isDirect(path) || valueAlong(body, stepsOf(path).steps, container) !== undefined;
  const isGiven = ({ join }: Navigation): boolean => Object.keys(join).every((column) => given.has(column));
  const missing = Object.entries(type.navigation).filter(
    ([path, one]) => one.required && one.follows === undefined && !isGiven(one) && isThere(path),
  );
  return missing.map(([name]) => errors.missingRequired(name).asDetail(name));
}
