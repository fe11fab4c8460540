import type { ContainerMember, EntityContainer, EntitySet } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { defaultLimits } from '../../runtime/edm/index.js';
import { isRecord, memberOf, recordsOf, textsOf, type Notes, type Value } from './notes.js';
import { makeElement, type Element, type Facts, type SurfaceContext } from './element.js';
import { localName } from '../../runtime/edm/lookup.js';

/** The container and its members. */
export function elementsOfContainer(container: EntityContainer, namespace: string, context: SurfaceContext): readonly Element[] {
  const path = `${namespace}.${container.name}`;
  const notes = context.notesOf(container, path);
  const functions = notes.value(terms.filterFunctions);
  const own: Facts = {
    extends: container.extends,
    filterFunctions: functions === undefined ? undefined : textsOf(functions),
    ...limitsOf(notes),
  };
  return [
    makeElement('EntityContainer', undefined, container, path, own, notes),
    ...container.members.map((member) => elementOf(member, path, notes, context)),
  ];
}

function elementOf(member: ContainerMember, owner: string, defaults: Notes, context: SurfaceContext): Element {
  const path = `${owner}/${member.name}`;
  const notes = context.notesOf(member, path);
  return makeElement(member.kind, owner, member, path, factsOf(member, notes, defaults, context), notes);
}

function factsOf(member: ContainerMember, notes: Notes, defaults: Notes, { scope }: SurfaceContext): Facts {
  switch (member.kind) {
    case 'EntitySet':
      return { type: scope.qualify(member.entityType), listed: member.includeInServiceDocument, ...accessOf(member, notes, defaults) };
    case 'Singleton':
      return { type: scope.qualify(member.type), nullable: member.nullable, ...accessOf(member, notes, defaults) };
    case 'ActionImport':
    case 'FunctionImport':
      return {
        operation: scope.qualify(member.operation),
        resultSet: member.entitySet,
        ...(member.kind === 'FunctionImport' && { listed: member.includeInServiceDocument }),
      };
  }
}

type Member = (term: string, name: string) => Value | undefined;

/** The access to an entity source: an entity set, a singleton, or a containment. */
export function accessOf({ bindings }: Pick<EntitySet, 'bindings'>, notes: Notes, defaults?: Notes): Facts {
  const member: Member = (term, name) => notes.member(term, name) ?? (defaults && inherited(defaults, term, name));
  const allows = (term: string, name: string): boolean => String(member(term, name)) !== 'false';
  const excluded = (term: string, flag: string, list: string): readonly string[] =>
    allows(term, flag) ? textsOf(member(term, list)) : ['*'];
  return {
    readable: allows(terms.read, 'Readable'),
    insertable: conditionOf(member(terms.insert, 'Insertable')) === undefined && allows(terms.insert, 'Insertable'),
    updatable: allows(terms.update, 'Updatable'),
    deletable: allows(terms.delete, 'Deletable'),
    'updatable where': conditionOf(member(terms.update, 'Updatable')),
    'deletable where': conditionOf(member(terms.delete, 'Deletable')),
    searchable: allows(terms.search, 'Searchable'),
    requiredOnCreate: textsOf(member(terms.insert, 'RequiredProperties')),
    requiredOnUpdate: textsOf(member(terms.update, 'RequiredProperties')),
    notInsertable: textsOf(member(terms.insert, 'NonInsertableProperties')),
    notUpdatable: textsOf(member(terms.update, 'NonUpdatableProperties')),
    notFilterable: excluded(terms.filter, 'Filterable', 'NonFilterableProperties'),
    requiresFilter: member(terms.filter, 'RequiresFilter') === true,
    requiredInFilter: textsOf(member(terms.filter, 'RequiredProperties')),
    notSortable: excluded(terms.sort, 'Sortable', 'NonSortableProperties'),
    notExpandable: excluded(terms.expand, 'Expandable', 'NonExpandableProperties'),
    maxExpandDepth: numberOf(member(terms.expand, 'MaxLevels')),
    readableByKey: allowsByKey(member),
    upsertable: allows(terms.update, 'Upsertable'),
    ...allPermissionsOf(member),
    restrictions: recordsOf(member(terms.navigation, 'RestrictedProperties')).map(printRestriction),
    ifMatchRequired: notes.value(terms.optimisticConcurrency) !== undefined,
    rowRules: recordsOf(notes.value(terms.rowRules)).map(
      ({ Scope: scope, Filter: filter }) => `${String(scope)} to records where ${String(filter)}`,
    ),
    indexes: recordsOf(notes.value(terms.indexes)).map(printIndex),
    bindings: bindings.map(({ path, target }) => `${path} → ${target}`),
    ...limitsOf(notes, defaults),
  };
}

// A condition on each entity, where it is no constant; on inserts it cannot be evaluated, so that nobody is permitted.
function conditionOf(value: Value | undefined): string | undefined {
  if (value === undefined || value === null || ['true', 'false'].includes(String(value))) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function inherited(defaults: Notes, term: string, name: string): Value | undefined {
  return memberOf(defaults.member(terms.defaultCapabilities, localName(term)), name);
}

function allowsByKey(member: Member): boolean {
  const byKey = byKeyOf(member);
  const readable = byKey && Object.hasOwn(byKey, 'Readable') ? byKey['Readable'] : member(terms.read, 'Readable');
  return String(readable) !== 'false';
}

function byKeyOf(member: Member): { readonly [member: string]: Value } | undefined {
  const byKey = member(terms.read, 'ReadByKeyRestrictions');
  return isRecord(byKey) ? byKey : undefined;
}

function printRestriction({ NavigationProperty: path, ...rest }: { readonly [member: string]: Value }): string {
  return `${String(path)}: ${JSON.stringify(rest)}`;
}

function allPermissionsOf(member: Member): Facts {
  return {
    ...Object.fromEntries(
      [terms.read, terms.insert, terms.update, terms.delete].map((term) => [
        `${operationOf(term)} permissions`,
        permissionsOf(operationOf(term), member(term, 'Permissions')),
      ]),
    ),
    'read by key permissions': permissionsOf('read by key', byKeyOf(member)?.['Permissions']),
  };
}

function operationOf(term: string): string {
  return term
    .slice(term.lastIndexOf('.') + 1)
    .replace('Restrictions', '')
    .toLowerCase();
}

/** The permissions, as `operation by scope without properties`. */
export function permissionsOf(operation: string, value: Value | undefined): readonly string[] {
  return recordsOf(value).flatMap(({ Scopes: scopes }) =>
    recordsOf(scopes).map(
      ({ Scope: scope, RestrictedProperties: except }) =>
        `${operation} by ${String(scope)}${typeof except === 'string' && except !== '' ? ` without ${except}` : ''}`,
    ),
  );
}

function printIndex({ Properties: properties, Substrings: substrings }: { readonly [member: string]: Value }): string {
  return `${textsOf(properties).join(', ')}${substrings === true ? ' (substrings)' : ''}`;
}

const limitNames = {
  MaxTop: defaultLimits.maxTop,
  MaxTopWithExpand: defaultLimits.maxTopWithExpand,
  MaxSkip: defaultLimits.maxSkip,
  DefaultPageSize: defaultLimits.defaultPageSize,
  MaxPageSize: defaultLimits.maxPageSize,
  MaxPageSizeWithExpand: defaultLimits.maxPageSizeWithExpand,
} as const;

// Limits of an entity set, by default those of the container, or else the service's, which follow `usual`.
function limitsOf(notes: Notes, container?: Notes): Facts {
  return Object.fromEntries(
    Object.entries(limitNames).flatMap(([name, usual]) => [
      [name, numberOf(notes.member(terms.limits, name))],
      [`usual ${name}`, numberOf(container?.member(terms.limits, name)) ?? usual],
    ]),
  );
}

function numberOf(value: Value | undefined): number | undefined {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
}
