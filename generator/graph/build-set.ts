import { defaultLimits, type Limits, type Permission, type Permissions, type Route } from '../../runtime/edm/index.js';
import type { EntityContainer, Expression } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { numberValue, permittedValue, recordValue, recordValues, restrictionValue, textValue, type Notes, type RecordValue } from '../csdl/vocabulary.js';
import { faults } from '../faults.js';
import type { Context } from './context.js';
import type { Place } from './places.js';
import { ruledPermissions } from './row-rules.js';

/** What a set allows and limits; an entity type without a set has the defaults and no routes. */
export interface BuiltSet {
  /** Where the model has the place. */
  readonly at: number;
  readonly notes: Notes;
  /** The record of a restriction term, of the set or else of the container's defaults. */
  readonly restriction: (term: string) => RecordValue | undefined;
  readonly insertable: boolean;
  readonly updatable: boolean;
  /** Whether what is not there yet may be created by its address, if clients choose the keys. */
  readonly upsertable: boolean;
  readonly permissions: Permissions;
  readonly limits: Limits;
  /** Of contained records: they have ETags where those have some that contain them. */
  readonly etag: { readonly required: boolean } | undefined;
  readonly etagged: boolean;
  readonly routes: readonly Route[];
}

/** What the annotations of one place say, of whatever kind it is. */
interface Annotated {
  readonly place: Place | undefined;
  readonly notes: Notes;
  readonly containerNotes: Notes;
  readonly restriction: BuiltSet['restriction'];
  /** What holds where nothing is said: of contained records what holds for those that contain them. */
  readonly inherited?: BuiltSet;
}

/** Lowers the annotations of one set or singleton, or of no place. */
export function buildSet(place: Place | undefined, container: EntityContainer | undefined, path: string, context: Context): BuiltSet {
  const containerNotes = context.notesOf(path, container?.annotations ?? []);
  const notes = place?.member === undefined ? noNotes : context.notesOf(`${path}/${place.name}`, place.member.annotations);
  return lowerAnnotations({ place, notes, containerNotes, restriction: restrictionsOf(notes, containerNotes, context) }, context);
}

/** Lowers annotations to what a place allows and limits. */
export function lowerAnnotations({ place, notes, containerNotes, restriction, inherited }: Annotated, context: Context): BuiltSet {
  const allows = (term: string, member: string, otherwise = true): boolean => permittedValue(restriction(term)?.member(member), term, otherwise, context.report);
  const readable = allows(terms.read, 'Readable');
  const operations: Operations = {
    readable,
    readableByKey: readByKeyOf(restriction, context) ?? readable,
    insertable: allows(terms.insert, 'Insertable', inherited?.updatable),
    updatable: allows(terms.update, 'Updatable', inherited?.updatable),
    updateMethods: textValue(restriction(terms.update)?.member('UpdateMethod'), terms.update, context.report)?.value ?? 'PATCH PUT',
    deletable: allows(terms.delete, 'Deletable', inherited?.updatable),
  };
  return {
    notes,
    at: place?.member?.at ?? place?.containment?.property.at ?? 0,
    restriction,
    insertable: place !== undefined && operations.insertable,
    updatable: place !== undefined && operations.updatable,
    upsertable: operations.insertable && operations.updatable && allows(terms.update, 'Upsertable'),
    permissions: ruledPermissions(permissionsOf(restriction, inherited?.permissions, context), notes, context),
    limits: limitsOf(notes, containerNotes, restriction, context),
    etag: inherited?.etagged ? { required: false } : undefined,
    etagged: [terms.optimisticConcurrency, terms.etagSource].some((term) => notes.find(term) !== undefined) || (inherited?.etagged ?? false),
    routes: place === undefined ? [] : routesOf(place, operations),
  };
}

const noNotes: Notes = { find: () => undefined, qualified: () => [] };

/** What the annotations of a set forbid its clients. */
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

function readByKeyOf(restriction: Restriction, { report }: Context): boolean | undefined {
  const byKey = restrictionValue(restriction(terms.read)?.member('ReadByKeyRestrictions'), terms.readByKey, report);
  if (byKey === undefined) return undefined;
  const permissions = byKey.member('Permissions');
  if (permissions !== undefined) {
    report(faults.notSupported(permissions.at, 'ReadByKeyRestrictions/Permissions', 'Use the Permissions of ReadRestrictions, which hold for both.'));
  }
  return permittedValue(byKey.member('Readable'), terms.readByKey, true, report);
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
  const isMany = place.kind === 'EntitySet' || place.containment?.property.collection === true;
  const all = `/${place.name.replace('.', '/')}`;
  const one = isMany ? `${all}({key})` : all;
  const rows: readonly (readonly [boolean, Route])[] = [
    [isMany && allowed.readable, { method: 'GET', path: all, operation: 'readCollection' }],
    [isMany && allowed.insertable, { method: 'POST', path: all, operation: 'createEntity' }],
    [allowed.readableByKey, { method: 'GET', path: one, operation: 'readEntity' }],
    [allowed.updatable && /\bPATCH\b/.test(allowed.updateMethods), { method: 'PATCH', path: one, operation: 'updateEntity' }],
    [allowed.updatable && /\bPUT\b/.test(allowed.updateMethods), { method: 'PUT', path: one, operation: 'replaceEntity' }],
    // A singleton is there for good (protocol 11.4.5).
    [place.kind !== 'Singleton' && allowed.deletable, { method: 'DELETE', path: one, operation: 'deleteEntity' }],
  ];
  return rows.flatMap(([isAllowed, route]) => (isAllowed ? [route] : []));
}

// Who may read or change a record may do the same to what it contains; which properties are hidden is said of each type.
function permissionsOf(restriction: Restriction, parent: Permissions | undefined, context: Context): Permissions {
  const of = (term: string): readonly Permission[] | undefined => scopesOf(restriction(term)?.member('Permissions'), context);
  return {
    read: of(terms.read) ?? whole(parent?.read),
    insert: of(terms.insert) ?? whole(parent?.update),
    update: of(terms.update) ?? whole(parent?.update),
    delete: of(terms.delete) ?? whole(parent?.update),
  };
}

function whole(list: readonly Permission[] | undefined): readonly Permission[] | undefined {
  return list?.map(({ scope }) => ({ scope, except: [] }));
}

/** The scopes of a restriction's Permissions; `undefined` where it has none. */
export function scopesOf(expression: Expression | undefined, { report }: Context): readonly Permission[] | undefined {
  if (expression === undefined) return undefined;
  const scopes = recordValues(expression, terms.permissions, report).flatMap((item) => recordValues(item.member('Scopes'), terms.scopes, report));
  return scopes.flatMap((item) => {
    const scope = textValue(item.member('Scope'), terms.scopes, report)?.value;
    const restricted = textValue(item.member('RestrictedProperties'), terms.scopes, report);
    // A list that cannot be read leaves nothing that the scope is known to show.
    const isUnread = restricted === undefined && !isUnsaid(item.member('RestrictedProperties'));
    return scope === undefined || isUnread ? [] : [{ scope, except: exceptOf(restricted?.value, item.at, report) }];
  });
}

function isUnsaid(expression: Expression | undefined): boolean {
  return expression === undefined || expression.kind === 'null';
}

// "*,-A,-B" is everything but A and B; a list that only adds properties cannot be said by the contract.
function exceptOf(text: string | undefined, at: number, report: Context['report']): readonly string[] {
  const items = (text ?? '*').split(',').map((item) => item.trim()).filter(Boolean);
  const added = items.filter((item) => item !== '*' && !item.startsWith('-'));
  if (added.length > 0 || !items.includes('*')) {
    report(faults.notSupported(at, `RestrictedProperties '${text}'`, "Write '*' and what to leave out, such as '*,-PrivateRemarks'."));
  }
  return items.filter((item) => item.startsWith('-')).map((item) => item.slice(1));
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
    // -1 means any depth (Capabilities.ExpandRestrictionsType), and ours stays bounded.
    maxExpandDepth: levels === undefined || levels < 0 ? defaultLimits.maxExpandDepth : levels,
  };
}
