import type { Navigation } from '../../../runtime/edm/navigation.js';
import { suggestion } from '../../../runtime/errors/suggest.js';
import { attributeAt } from '../../csdl/attribute-at.js';
import type { NavigationProperty } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { flagValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { descriptionOf } from '../values/build-fields.js';
import { containing, isOutermost, waysBack, navigationNamed, withPartner } from './containment.js';
import { label } from './ends.js';
import { dependent, joinedByTarget, matching, principal } from './join-by-constraint.js';
import { isPartial } from '../values/own-fault.js';
import { joinedByNumber } from './join-by-number.js';
import type { NavigationNode } from '../model-graph.js';
import { databaseName } from '../names/names.js';
import { nodeName, tableAt, tableSuffix, isRelated, placeOfTarget } from '../sources/places.js';
import { qualifiedSegments } from '../names/scope.js';
import type { BuiltType, BuiltTypes, Context, Ends, Joined, Start } from '../built-model.js';
import type { Place } from '../storage.js';

/** The navigation properties of a type in one entity source, with their joins. */
export function buildNavigation(type: BuiltType, properties: readonly NavigationProperty[], start: Start): readonly NavigationNode[] {
  return properties.flatMap((property): readonly NavigationNode[] => {
    const { types, context } = start;
    const target = targetOf(property, label(type, property), types, context);
    if (target === undefined) return [];
    checkPartner(property, type, target, types, context);
    const back = inverseOf(property, type, target, types, context);
    const isReported = property.partner !== undefined && back === undefined;
    const way = { property, type, target, back, isReported };
    return backNodes(way, start) ?? nodeOf(way, start);
  });
}

/** A navigation property with its partner. */
interface Way extends Pick<Ends, 'property' | 'type' | 'target'> {
  readonly back: Partner | undefined;
  /** Whether its faults have been reported. */
  readonly isReported: boolean;
}

function nodeOf(way: Way, start: Start): readonly NavigationNode[] {
  const { property, type, target, back } = way;
  const place = placeOfTarget(property, type, target, start);
  // If only a derived type has the partner, that type has the column.
  const joined = joinOf(
    endsAt(
      { property, type, target: back?.owner ?? target, suffixes: ['', ''], contained: [false, false], inverse: back?.property },
      place,
      start,
    ),
    start,
    property.partner !== undefined && back === undefined,
  );
  if (joined === undefined) return [];
  return [joinedNode(way, joined, place, start)];
}

// A back-reference to the parent; omitted where several tables may hold the parent.
function backNodes(way: Way, start: Start): readonly NavigationNode[] | undefined {
  if (isOutermost(way, start)) return [];
  const [first, ...others] = waysBack(way.property, start) ?? [];
  if (first === undefined) return undefined;
  const { join, place } = first;
  return others.length > 0 ? [] : [joinedNode(way, { navigation: { join, container: true } }, place, start)];
}

function joinedNode({ property, type, target, isReported }: Way, joined: Joined, place: Place | undefined, start: Start): NavigationNode {
  const { context } = start;
  const { name, at, nullable, collection } = property;
  const notes = context.notesOf(`${type.qualifiedName}/${name}`, property.annotations);
  const deletesTarget = flagValue(notes.find(terms.deletesTarget), context.report) && !takesAlong(property, joined);
  if (!isReported) checkOnDelete({ property, type, target, takesAlong: takesAlong(property, joined), deletesTarget }, context);
  const navigation: Navigation = {
    target: nodeName(target, place, start),
    ...(collection && { collection: true }),
    ...joined.navigation,
    ...(deletesTarget && { deletesTarget }),
  };
  return {
    name,
    storedName: storedNameOf(name, type),
    at,
    description: descriptionOf(notes, context),
    navigation,
    nullable: nullable !== false,
    relation: joined.relation,
    pathColumns: joined.pathColumns ?? [],
    joinTable: joined.joinTable,
  };
}

function storedNameOf(name: string, { numberColumns }: BuiltType): string {
  const column = numberColumns.get(name) ?? '';
  return column === databaseName(`#${name}`) ? name : column.slice(1);
}

// Partners share their join if each targets the other's entity source; constraints join any entity sources.
function endsAt(ends: Ends, place: Place | undefined, start: Start): Ends {
  const { place: own, places } = start;
  const { type, target, inverse } = ends;
  const isMutual =
    inverse !== undefined &&
    !inverse.containsTarget &&
    (inverse.constraints.length > 0 || placeOfTarget(inverse, target, type, { ...start, place }) === own);
  return {
    ...ends,
    suffixes: [tableSuffix(type, own, places), tableSuffix(target, place, places)],
    contained: [own?.kind === 'Containment', place?.kind === 'Containment'],
    type: { ...type, table: tableAt(type, own, places) },
    target: { ...target, table: tableAt(target, place, places) },
    inverse: isMutual ? inverse : undefined,
  };
}

// A faulty property is joined by `#id` without another report.
function joinOf(ends: Ends, start: Start, isPartnerLost: boolean): Joined | undefined {
  const { property, inverse } = ends;
  const { context } = start;
  if (property.containsTarget) return containing(ends, start);
  const silent = { ...context, report: () => undefined };
  if (property.constraints.length > 0)
    return (
      (property.collection ? matching : dependent)(ends, context) ??
      joinedByNumber({ ...ends, property: { ...property, constraints: [] } }, silent)
    );
  if (property.joinedBy !== undefined) return joinedByTarget(ends, property.joinedBy, context) ?? joinedByNumber(ends, silent);
  if (inverse && !inverse.collection && inverse.constraints.length > 0)
    return principal(ends, inverse, context) ?? joinedByNumber({ ...ends, inverse: { ...inverse, constraints: [] } }, silent);
  return joinedByNumber(ends, isPartnerLost ? silent : context);
}

/** The target type of a navigation property; `owner` is the name of the property in messages. */
function targetOf(property: NavigationProperty, owner: string, types: BuiltTypes, { scope, report }: Context): BuiltType | undefined {
  const name = scope.qualify(property.type);
  const target = types.get(name);
  if (target !== undefined || name === '') return target;
  const isOther = scope.definitions.has(name) || name.startsWith('Edm.');
  report(
    isOther
      ? faults.navigationType(property.at, owner, property.type)
      : faults.unknownType(property.at, owner, property.type, suggestion(name, types.keys())),
  );
  return undefined;
}

/** A navigation property, with the effects of deleting an entity. */
interface Deleting {
  readonly property: NavigationProperty;
  readonly type: BuiltType;
  readonly target: BuiltType;
  /** Whether deleting an entity deletes its targets. */
  readonly takesAlong: boolean;
  readonly deletesTarget: boolean;
}

/** Reports an OnDelete that the service does not support. */
function checkOnDelete({ property, type, target, takesAlong, deletesTarget }: Deleting, context: Context): void {
  const { onDelete } = property;
  const fault = (what: string, hint: string): void =>
    context.report(faults.onDelete(onDelete?.at ?? 0, label(type, property), onDelete?.action ?? '', what, hint));
  if (deletesTarget && onDelete !== undefined && onDelete.action !== 'Cascade')
    return fault(`the target stays, but Rules.DeletesTarget deletes it with its ${type.name}`, 'Write Cascade, or remove one of the two.');
  if (onDelete?.action === 'SetDefault')
    fault(
      'references to a deleted record get their defaults, but the service rejects the delete of a referenced record',
      'Write None, SetNull or Cascade.',
    );
  if (onDelete?.action === 'Cascade' && !deletesTarget && !takesAlong)
    fault(`the target is deleted with its ${type.name}, but the service deletes nothing there`, cascadeHint(property, type, target));
}

// Entities that hold the reference, or have a join table, do not cascade to their targets: the standard would delete
// the targets, but many documents that declare this mean the reverse, which is supported.
function takesAlong({ joinedBy, constraints }: NavigationProperty, { navigation: { through }, relation }: Joined): boolean {
  return relation === undefined && through === undefined && joinedBy === undefined && constraints.length === 0;
}

function cascadeHint({ collection, partner }: NavigationProperty, type: BuiltType, target: BuiltType): string {
  const contain = collection && partner === undefined ? `name the Partner of ${target.name}, or contain it` : 'contain it';
  return `Where ${target.name} is a part of its ${type.name}, ${contain} (ContainsTarget), or say Rules.DeletesTarget, which deletes it; where it is the other way round, put OnDelete on the navigation property of ${target.name} that leads back; or leave it out.`;
}

/** A partner navigation property, and its type: the target or a derived type of it. */
interface Partner {
  readonly owner: BuiltType;
  readonly property: NavigationProperty;
}

// CSDL XML 4.01, 8.3: the partner is a path from the target type, through casts and complex values.
function partnerOf({ partner, type }: NavigationProperty, types: BuiltTypes, { scope }: Context): Partner | undefined {
  if (partner === undefined) return undefined;
  const target = types.get(scope.qualify(type));
  if (target === undefined) return undefined;
  const [first = '', ...rest] = qualifiedSegments(partner, scope.qualify);
  const owner = first.includes('.') ? types.get(first) : target;
  const name = first.includes('.') ? rest.join('/') : [first, ...rest].join('/');
  const property = owner && isRelated(owner, target) ? navigationNamed(name, owner) : undefined;
  return owner && property && { owner, property };
}

// Only one side may declare the partnership.
function inverseOf(own: NavigationProperty, type: BuiltType, target: BuiltType, types: BuiltTypes, context: Context): Partner | undefined {
  const isBack = (other: NavigationProperty): boolean => isRelated(types.get(context.scope.qualify(other.type)), type);
  const isMeant = (other: NavigationProperty): boolean => partnerOf(other, types, context)?.property === own;
  if (own.partner === undefined) {
    const other = withPartner(own.name, target).find((one) => isMeant(one) && isBack(one));
    return other && { owner: target, property: other };
  }
  const partner = partnerOf(own, types, context);
  if (partner?.property.at === own.at) return undefined;
  return partner && isBack(partner.property) && (partner.property.partner === undefined || isMeant(partner.property)) ? partner : undefined;
}

function checkPartner(property: NavigationProperty, type: BuiltType, target: BuiltType, types: BuiltTypes, context: Context): void {
  if (property.partner === undefined) return;
  const owner = label(type, property);
  const wrong = (why: string, hint?: string): void =>
    context.report(faults.partner(attributeAt(property, 'partner'), owner, property.partner ?? '', why, hint ?? ''));
  const partner = partnerOf(property, types, context)?.property;
  // One that was left out, or that a type which is not known whole may have.
  if (partner === undefined)
    return isPartial(target) || target.definition.leftOut?.includes(property.partner) === true
      ? undefined
      : wrong(
          `is not a navigation property of ${target.name}`,
          suggestion(
            property.partner,
            target.navigation.map(({ name }) => name),
          ),
        );
  if (partner.at === property.at)
    return wrong('is the property itself', 'Name another navigation property as the partner, or omit Partner.');
  const back = types.get(context.scope.qualify(partner.type));
  if (back === undefined) return;
  if (!isRelated(back, type)) return wrong(`has the type ${partner.type}, not ${type.qualifiedName}`);
  // An unknown partner is reported there.
  const other = partnerOf(partner, types, context)?.property;
  if (other !== undefined && other !== property) wrong(`names ${partner.partner} as its own partner`);
}
