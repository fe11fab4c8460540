import { defaultLimits, type Limits, type RecordConditions, type Route } from '../../runtime/edm/index.js';
import type { EntityContainer, Expression } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { numberValue, permittedValue, recordValue, restrictionValue, textValue, type Notes, type RecordValue } from '../csdl/vocabulary.js';
import type { Context } from './context.js';
import { permissionsOf, type ListedPermissions } from './permissions.js';
import { isMany, type Place } from './places.js';
import { recordCondition } from './record-condition.js';
import { ruledPermissions } from './row-rules.js';

/** The restrictions and routes of an entity source; a type without one has the defaults and no routes. */
export interface BuiltSet {
  /** The position of the entity source in the model. */
  readonly at: number;
  readonly notes: Notes;
  /** The record of a restriction term, of the set or else the container's default. */
  readonly restriction: (term: string) => RecordValue | undefined;
  readonly insertable: boolean;
  readonly updatable: boolean;
  /** Whether all entities may be changed, and contained ones by default as well. */
  readonly changeable: boolean;
  readonly conditions: RecordConditions;
  /** Whether missing entities may be created at their address, where clients choose the keys. */
  readonly upsertable: boolean;
  readonly permissions: ListedPermissions;
  readonly limits: Limits;
  /** For contained entities: they have ETags if a containing set has. */
  readonly etag: { readonly required: boolean } | undefined;
  readonly etagged: boolean;
  readonly routes: readonly Route[];
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
export function buildSet(place: Place | undefined, container: EntityContainer | undefined, path: string, context: Context): BuiltSet {
  const containerNotes = context.notesOf(path, container?.annotations ?? []);
  const notes = place?.member === undefined ? noNotes : context.notesOf(`${path}/${place.name}`, place.member.annotations);
  return lowerAnnotations({ place, notes, containerNotes, restriction: restrictionsOf(notes, containerNotes, context) }, context);
}

/** Converts annotations to restrictions and routes. */
export function lowerAnnotations({ place, notes, containerNotes, restriction, inherited }: Annotated, context: Context): BuiltSet {
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
    at: place?.member?.at ?? place?.containment?.property.at ?? 0,
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

const noNotes: Notes = { find: () => undefined, qualified: () => [] };

/** Looks up the restrictions of a set. */
export type Restriction = BuiltSet['restriction'];

function restrictionsOf(notes: Notes, containerNotes: Notes, { report }: Context): Restriction {
  const defaults = recordValue(containerNotes.find(terms.defaultCapabilities)?.value, terms.defaultCapabilities, report);
  const memo = new Map<string, RecordValue | undefined>();
  return (term) => {
    if (memo.has(term)) return memo.get(term);
    const inherited: Expression | undefined = defaults?.member(term.slice(term.lastIndexOf('.') + 1));
    const record = restrictionValue(notes.find(term)?.value ?? inherited, term, report);
    memo.set(term, record);
    return record;
  };
}

// For contained entities a path may begin at the parent, on which no condition is checked.
function conditionsOf(place: Place | undefined, restriction: Restriction, { scope }: Context): RecordConditions {
  if (place === undefined || place.kind === 'Containment') return {};
  const [update, remove] = [restriction(terms.update)?.member('Updatable'), restriction(terms.delete)?.member('Deletable')].map((said) =>
    recordCondition(said, place.declared, scope),
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
  };
}
