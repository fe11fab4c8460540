import type { EntityContainer, Expression } from '../../csdl/csdl.js';
import { shortTerm, terms } from '../../csdl/terms.js';
import {
  booleanValue,
  recordValues,
  restrictionValue,
  numberValue,
  permittedValue,
  recordValue,
  textValue,
  type Notes,
  type RecordValue,
} from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import type { BuiltSet, BuiltTypes, Restriction, Context, Places } from '../built-model.js';
import type { Place } from '../storage.js';
import { defaultLimits, type Limits, type RecordConditions, type Route } from '../../../runtime/edm/index.js';
import { insertedAlong, restrictedAlong } from './navigation-insert.js';
import { permissionsOf } from './permissions.js';
import { isMany } from './places.js';
import { recordCondition } from './record-condition.js';
import { ruledPermissions } from './row-rules.js';
import { localName } from '../../../runtime/edm/lookup.js';

/** The restrictions of every entity source; those of undefined are for types without one. */
export function buildSets(
  places: Places,
  types: BuiltTypes,
  container: EntityContainer | undefined,
  path: string,
  context: Context,
): ReadonlyMap<Place | undefined, BuiltSet> {
  const { all, of } = places;
  const sets = new Map<Place | undefined, BuiltSet>([[undefined, buildSet(undefined, container, path, context)]]);
  const rest = new Set(all);
  // Parents come first; among types that contain each other, any one.
  while (rest.size > 0) {
    const isNext = ({ containment }: Place): boolean =>
      containment === undefined || (of.get(containment.owner) ?? []).some((place) => sets.has(place));
    const next = [...rest].find(isNext) ?? [...rest][0];
    if (next === undefined) break;
    const owner = (of.get(next.containment?.owner ?? '') ?? []).find((place) => sets.has(place));
    sets.set(
      next,
      next.containment
        ? containedSet(next, next.containment, sets.get(owner) as BuiltSet, context)
        : buildSet(next, container, path, context),
    );
    checkRestricted(next, sets.get(next) as BuiltSet, context);
    rest.delete(next);
  }
  // Entities that are created only along a navigation property have the rules of a create, too.
  for (const place of insertedAlong(sets, places, types, context)) sets.set(place, { ...(sets.get(place) as BuiltSet), insertable: true });
  return sets;
}

// Annotations of contained entities are at the navigation property, or in the set's NavigationRestrictions.
function containedSet(place: Place, { owner, property }: NonNullable<Place['containment']>, parent: BuiltSet, context: Context): BuiltSet {
  const notes = context.notesOf(`${owner}/${property.name}`, property.annotations);
  const restriction: Restriction = (term) =>
    restrictionValue(notes.find(term)?.value, term, context.report) ?? restrictedAlong(property.name, parent, context.report)(term);
  const built = lowerAnnotations({ place, notes, containerNotes: noNotes, restriction, inherited: parent }, context);
  return { ...built, limits: parent.limits };
}

// Restrictions of unknown properties would be lost; omitted ones have been reported.
function checkRestricted({ declared, member }: Place, { restriction }: BuiltSet, { report, leadsSomewhere, scope }: Context): void {
  if (member === undefined) return;
  const definition = scope.definitions.get(declared);
  const leftOut = definition?.kind === 'EntityType' ? (definition.leftOut ?? []) : [];
  for (const item of recordValues(
    restriction(terms.navigation)?.member('RestrictedProperties'),
    terms.navigationProperty,
    () => undefined,
  )) {
    const path = item.member('NavigationProperty');
    if (path?.kind !== 'path' || leadsSomewhere(`${declared}/${path.value}`) || leftOut.includes(path.value)) continue;
    report(faults.unknownNavigation(path.at, shortTerm(terms.navigation), path.value, localName(declared), ''));
  }
}

/** The annotations of one entity source of any kind. */
interface Annotated {
  readonly place: Place | undefined;
  readonly notes: Notes;
  readonly containerNotes: Notes;
  readonly restriction: BuiltSet['restriction'];
  /** The defaults: for contained entities those of their parents. */
  readonly inherited?: BuiltSet;
}

/** Builds the restrictions of a set or singleton, or of none. */
function buildSet(place: Place | undefined, container: EntityContainer | undefined, path: string, context: Context): BuiltSet {
  const containerNotes = context.notesOf(path, container?.annotations ?? []);
  const notes = place?.member === undefined ? noNotes : context.notesOf(`${path}/${place.name}`, place.member.annotations);
  return lowerAnnotations({ place, notes, containerNotes, restriction: restrictionsOf(notes, containerNotes, context) }, context);
}

/** Converts annotations to restrictions and routes. */
function lowerAnnotations({ place, notes, containerNotes, restriction, inherited }: Annotated, context: Context): BuiltSet {
  const allows = (term: string, member: string, otherwise = true): boolean =>
    permittedValue(restriction(term)?.member(member), term, otherwise, context.report);
  const conditions = conditionsOf(place, restriction, context);
  const readable = allows(terms.read, 'Readable');
  const operations: Operations = {
    readable,
    readableByKey: readByKeyOf(restriction, context) ?? readable,
    insertable: allows(terms.insert, 'Insertable', inherited?.changeable),
    updatable: conditions.update !== undefined || allows(terms.update, 'Updatable', inherited?.changeable),
    updateMethods: textValue(restriction(terms.update)?.member('UpdateMethod'), terms.update, context.report)?.value ?? 'PATCH PUT',
    deletable: conditions.delete !== undefined || allows(terms.delete, 'Deletable', inherited?.changeable),
  };
  return {
    notes,
    restriction,
    insertable: place !== undefined && operations.insertable,
    updatable: place !== undefined && operations.updatable,
    changeable: operations.updatable && conditions.update === undefined,
    conditions,
    upsertable: operations.insertable && operations.updatable && allows(terms.update, 'Upsertable'),
    permissions: ruledPermissions(permissionsOf(restriction, inherited?.permissions, readable, context), notes, place?.declared, context),
    limits: limitsOf(notes, containerNotes, restriction, context),
    etag: inherited?.etagged ? { required: false } : undefined,
    etagged:
      [terms.optimisticConcurrency, terms.etagSource].some((term) => notes.find(term) !== undefined) || (inherited?.etagged ?? false),
    routes: place === undefined ? [] : routesOf(place, operations),
  };
}

const noNotes: Notes = { find: () => undefined, misspelt: () => [] };

function restrictionsOf(notes: Notes, containerNotes: Notes, { report }: Context): Restriction {
  const defaults = recordValue(containerNotes.find(terms.defaultCapabilities)?.value, terms.defaultCapabilities, report);
  const memo = new Map<string, RecordValue | undefined>();
  return (term) => {
    if (memo.has(term)) return memo.get(term);
    const inherited: Expression | undefined = defaults?.member(localName(term));
    const record = restrictionValue(notes.find(term)?.value ?? inherited, term, report);
    memo.set(term, record);
    return record;
  };
}

// For contained entities a path may begin at the parent, on which no condition is checked.
function conditionsOf(place: Place | undefined, restriction: Restriction, { scope }: Context): RecordConditions {
  if (place === undefined || place.kind === 'Containment') return {};
  const [update, remove] = [restriction(terms.update)?.member('Updatable'), restriction(terms.delete)?.member('Deletable')].map(
    (condition) => recordCondition(condition, place.declared, scope),
  );
  return { ...(update !== undefined && { update }), ...(remove !== undefined && { delete: remove }) };
}

function readByKeyOf(restriction: Restriction, { report }: Context): boolean | undefined {
  const byKey = restrictionValue(restriction(terms.read)?.member('ReadByKeyRestrictions'), terms.readByKey, report);
  return byKey && permittedValue(byKey.member('Readable'), terms.readByKey, true, report);
}

interface Operations {
  readonly readable: boolean;
  readonly readableByKey: boolean;
  readonly insertable: boolean;
  readonly updatable: boolean;
  /** Members of Capabilities.HttpMethod. */
  readonly updateMethods: string;
  readonly deletable: boolean;
}

function routesOf(place: Place, allowed: Operations): readonly Route[] {
  const rows: readonly (readonly [boolean, Route])[] = [
    [isMany(place) && allowed.readable, { method: 'GET', operation: 'readCollection' }],
    [isMany(place) && allowed.insertable, { method: 'POST', operation: 'createEntity' }],
    [allowed.readableByKey, { method: 'GET', operation: 'readEntity' }],
    [allowed.updatable && /\bPATCH\b/.test(allowed.updateMethods), { method: 'PATCH', operation: 'updateEntity' }],
    [allowed.updatable && /\bPUT\b/.test(allowed.updateMethods), { method: 'PUT', operation: 'replaceEntity' }],
    // A singleton cannot be deleted (protocol 11.4.5).
    [place.kind !== 'Singleton' && allowed.deletable, { method: 'DELETE', operation: 'deleteEntity' }],
  ];
  return rows.flatMap(([isAllowed, route]) => (isAllowed ? [route] : []));
}

function limitsOf(notes: Notes, containerNotes: Notes, restriction: Restriction, { report }: Context): Limits {
  const records = [notes, containerNotes].map((from) => recordValue(from.find(terms.limits)?.value, terms.limits, report));
  const limit = (member: string, fallback: number): number => {
    const values = records.map((record) => numberValue(record?.member(member), terms.limits, report));
    return values.find((value) => value !== undefined) ?? fallback;
  };
  const pageSized = records.map((record) => record?.member('TopIsPageSize')).find((value) => value !== undefined);
  const isTopPageSize = booleanValue(pageSized, terms.limits, false, report);
  const levels = numberValue(restriction(terms.expand)?.member('MaxLevels'), terms.expand, report);
  return {
    maxTop: limit('MaxTop', defaultLimits.maxTop),
    maxTopWithExpand: limit('MaxTopWithExpand', defaultLimits.maxTopWithExpand),
    maxSkip: limit('MaxSkip', defaultLimits.maxSkip),
    defaultPageSize: limit('DefaultPageSize', defaultLimits.defaultPageSize),
    maxPageSize: limit('MaxPageSize', defaultLimits.maxPageSize),
    maxPageSizeWithExpand: limit('MaxPageSizeWithExpand', defaultLimits.maxPageSizeWithExpand),
    // -1 means any depth (Capabilities.ExpandRestrictionsType), but the service's limit applies.
    maxExpandDepth: levels === undefined || levels < 0 ? defaultLimits.maxExpandDepth : levels,
    ...(isTopPageSize && { topIsPageSize: true }),
  };
}
