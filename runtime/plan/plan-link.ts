import { fieldOf, isTypeOrBase, propertyOf, type EntityType, type Navigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { ODataError, type ErrorDetail } from '../errors/odata-error.js';
import type { RecordTarget } from './plan-path.js';
import { requireWritable, type WriteContext } from './plan-write.js';
import { typeNames } from './type-cast.js';
import type { ChildPlan, Link } from './write-plan.js';

/** What planning a body with related records needs. */
export interface GraphContext extends WriteContext {
  /** The record that an id in a body stands for, or why there is none. */
  readonly refer: (id: string) => RecordTarget | ODataError;
}

/** What a body says of related records. */
export interface Related {
  readonly links: Link[];
  readonly children: ChildPlan[];
  readonly faults: ErrorDetail[];
  /** Own properties that follow from the links. */
  readonly given: Set<string>;
}

/** A navigation property that a body has something to say of. */
export interface RelatedMember {
  readonly type: EntityType;
  readonly name: string;
  readonly navigation: Navigation;
  readonly target: EntityType;
  readonly operation: 'insert' | 'update';
  readonly context: GraphContext;
}

/** Whether a to-one navigation's column is the record's own; otherwise the other record holds it. */
export function isOwnColumn(navigation: Navigation, target: EntityType): boolean {
  const keys = new Set(target.key.map((name) => fieldOf(target, name)?.column ?? name));
  return !navigation.collection && Object.values(navigation.join).every((column) => column === '#id' || keys.has(column));
}

/** The type whose records change where two are related; of many to many the one whose property is written. */
export function holderOf(navigation: Navigation, type: EntityType, target: EntityType): EntityType {
  return navigation.through !== undefined || isOwnColumn(navigation, target) ? type : target;
}

/** The properties that say to which record another one belongs: its own, or those of the other; none where a table says it. */
export function linkingProperties(type: EntityType, navigation: Navigation, target: EntityType): readonly string[] {
  if (isOwnColumn(navigation, target)) return Object.keys({ ...navigation.join, ...navigation.repeats }).map((column) => propertyOf(type, column));
  return [...Object.values(navigation.join), ...Object.values(navigation.copies ?? {})].map((column) => propertyOf(target, column));
}

/** Adds the record of an id to the links, or the reason why it cannot be one. */
export function addLink(of: RelatedMember, id: string, at: string, { links, faults }: Related): void {
  const { name, navigation, target, context } = of;
  const place = context.refer(id);
  if (place instanceof ODataError) return void faults.push(errors.invalidReference(id.slice(0, 64), at, target.name).at(at).asDetail());
  const referred = asTarget(place, target);
  if (referred === undefined) return void faults.push(errors.invalidReference(id.slice(0, 64), at, target.name).at(at).asDetail());
  if (!isOwnColumn(navigation, target) && !navigation.through) requireLinkable(of, faults, at);
  links.push({ name, navigation, target, at, place: referred, id: id.slice(0, 64) });
}

/** The place of a record as one of the target's type; an id may say less of its type than that, and the record itself decides then. */
export function asTarget(place: RecordTarget, target: EntityType): RecordTarget | undefined {
  if (isTypeOrBase(place.type, target.qualifiedName)) return place;
  return isTypeOrBase(target, place.type.qualifiedName) ? { ...place, type: target, types: typeNames(target) } : undefined;
}

// The other record says where it belongs, so that it is the one that changes.
function requireLinkable({ type, navigation, target, context }: RelatedMember, faults: ErrorDetail[], at: string): void {
  requireWritable(target, 'update', context.caller);
  const fixed = linkingProperties(type, navigation, target).some((property) => target.rules.immutable.includes(property));
  const offered = target.routes.some(({ operation }) => operation === 'updateEntity' || operation === 'replaceEntity');
  if (fixed || !offered) faults.push(errors.readOnly(at, `a ${target.name} cannot be given to another record`).at(at).asDetail());
}

/** A fault of a nested record, with its place in the body: `Rooms[1].RoomType`. */
export function beneath(at: string, fault: ErrorDetail): ErrorDetail {
  return { ...fault, target: fault.target === undefined ? at : `${at}.${fault.target}` };
}
