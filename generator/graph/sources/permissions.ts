import type { Permission, Permissions } from '../../../runtime/edm/rules.js';
import { suggestion } from '../../../runtime/errors/suggest.js';
import type { Expression } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { recordValues, restrictionValue, textValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { mapPermissions } from '../../map-permissions.js';
import { partOf, withoutCast } from './known-paths.js';
import { hasOwnFault } from '../values/own-fault.js';
import type { Restriction, BuiltType, Context, ListedPermission, ListedPermissions } from '../built-model.js';

/** Permissions to read or change an entity extend to contained ones; hidden properties are declared by type. */
export function permissionsOf(
  restriction: Restriction,
  parent: ListedPermissions | undefined,
  isListReadable: boolean,
  context: Context,
): ListedPermissions {
  const of = (term: string): ListedPermissions['read'] => scopesOf(restriction(term)?.member('Permissions'), context);
  const { read, readByKey } = readersOf(restriction, isListReadable, context);
  return {
    // The parent is found by its key first.
    read: read ?? whole(parent?.readByKey ?? parent?.read),
    ...(readByKey && { readByKey }),
    insert: of(terms.insert) ?? whole(parent?.update),
    update: of(terms.update) ?? whole(parent?.update),
    delete: of(terms.delete) ?? whole(parent?.update),
  };
}

// ReadByKeyRestrictions default to ReadRestrictions. Without them, reading by navigation has the permissions of the
// collection.
function readersOf(restriction: Restriction, isListReadable: boolean, context: Context): Partial<ListedPermissions> {
  const read = restriction(terms.read);
  const all = scopesOf(read?.member('Permissions'), context);
  const byKey = read?.member('ReadByKeyRestrictions');
  const stated = byKey?.kind === 'record' ? byKey.members.find(({ property }) => property === 'Permissions') : undefined;
  const one = scopesOf(stated?.value, context);
  if (one === undefined) return { read: all };
  return isListReadable ? { read: all, readByKey: one } : { read: one };
}

function whole(list: ListedPermissions['read']): ListedPermissions['read'] {
  return list?.map(({ scope, at }) => ({ scope, at, except: [] }));
}

/** Who may call an operation, by its OperationRestrictions. */
export function callersOf(restriction: Expression | undefined, context: Context): readonly Permission[] | undefined {
  const permissions = restrictionValue(restriction, terms.operation, context.report)?.member('Permissions');
  return scopesOf(permissions, context)?.map(({ scope, except }) => ({ scope, except }));
}

// Undefined for a restriction without scopes.
function scopesOf(expression: Expression | undefined, context: Context): readonly ListedPermission[] | undefined {
  if (isOmitted(expression)) return undefined;
  const { report } = context;
  const scopes = recordValues(expression, terms.permissions, report).flatMap((item) =>
    recordValues(item.member('Scopes'), terms.scopes, report),
  );
  return scopes.flatMap((item) => {
    const scope = scopeName(item.member('Scope'), context);
    const stated = item.member('RestrictedProperties');
    const restricted = textValue(stated, terms.scopes, report);
    // With an unreadable list the scope shows nothing.
    if (scope === undefined || (restricted === undefined && !isOmitted(stated))) return [];
    return [{ scope, at: item.at, ...listed(restricted?.value ?? '*') }];
  });
}

// A text that a token can list; the scopes of tokens are separated by spaces.
function scopeName(expression: Expression | undefined, { report }: Context): string | undefined {
  const { at, value } = textValue(expression, terms.scopes, report) ?? {};
  if (at === undefined || value === undefined || /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)) return value;
  if (/\S\s+\S/.test(value)) report(faults.scopeName(at, value, 'has a space inside', 'Name each scope by itself, in a list.'));
  else if (value.trim() === '') report(faults.scopeName(at, value, 'is empty', 'Name a scope.'));
  else report(faults.scopeName(at, value, 'has another character than those of scopes', 'Use printable ASCII without spaces, " and \\.'));
  return undefined;
}

function isOmitted(expression: Expression | undefined): boolean {
  return expression === undefined || expression.kind === 'null';
}

// Capabilities.ScopeType: `*` is every property, `-A` all but A, and `A,B` these and no other.
function listed(text: string): Pick<ListedPermission, 'except' | 'only'> {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
  const except = items.filter((item) => item.startsWith('-')).map((item) => item.slice(1).trim());
  const only = items.filter((item) => item !== '*' && !item.startsWith('-'));
  return items.includes('*') || (only.length === 0 && except.length > 0) ? { except } : { except, only };
}

/** The permissions of an entity source's declared type, applied to that or a derived one. */
export function typedPermissions(type: BuiltType, stated: ListedPermissions, declared: string | undefined, context: Context): Permissions {
  const base = type.qualifiedName === declared ? undefined : type.bases[0];
  return mapPermissions(stated, (list) => list.flatMap((permission) => typedPermission(permission, { type, base, context })));
}

/** A type in an entity source with its base type there, whose faults have been reported. */
interface TypeAtPlace {
  readonly type: BuiltType;
  readonly base: BuiltType | undefined;
  readonly context: Context;
}

function typedPermission({ at, only, except, ...permission }: ListedPermission, place: TypeAtPlace): readonly Permission[] {
  const { type, base, context } = place;
  const unknown = except.filter((path) => leadsNowhere(path, type, context));
  for (const path of unknown.filter((one) => !isSeenBy(base, one, context) && !hasOwnFault(one, type, context)))
    context.report(faults.hidesUnknown(at, permission.scope, path, type.name, suggestion(path, namesOf(type))));
  // An unknown property might have been the one to hide, so the scope shows none.
  if (unknown.length > 0) return [];
  const hidden = rootsOf(except, 'hide', at, place);
  if (only === undefined) return [{ ...permission, except: hidden }];
  if (type.definition.openType) {
    if (base?.definition.openType !== true) context.report(faults.openList(at, permission.scope, type.name));
    return [];
  }
  const shown = rootsOf(only, 'show', at, place);
  return [{ ...permission, except: namesOf(type).filter((name) => !shown.includes(name) || hidden.includes(name)) }];
}

// A path with a cast does not concern base types.
function isSeenBy(base: BuiltType | undefined, path: string, context: Context): boolean {
  return base !== undefined && withoutCast(path, base, context) !== undefined;
}

const reportedForBase = (): void => undefined;

function leadsNowhere(written: string, type: BuiltType, context: Context): boolean {
  const path = withoutCast(written, type, context);
  if (path === undefined || namesOf(type).includes(path)) return false;
  return !path.includes('/') || !context.leadsSomewhere(`${type.qualifiedName}/${path}`);
}

// The members of a complex value are visible as a whole: a hidden part hides the value, a visible part does not show
// it.
function rootsOf(paths: readonly string[], use: 'show' | 'hide', at: number, { type, base, context }: TypeAtPlace): readonly string[] {
  const known = namesOf(type);
  return paths.flatMap((written) => {
    const path = withoutCast(written, type, context);
    if (path === undefined || known.includes(path)) return path ?? [];
    return (
      partOf(
        { at, path },
        'RestrictedProperties',
        type,
        isSeenBy(base, written, context) ? { ...context, report: reportedForBase } : context,
        use === 'hide' ? 'whole' : 'left out',
        known,
      ) ?? []
    );
  });
}

// A path to a value's navigation property or stream begins with the value.
function namesOf({ fields, streams, navigation }: BuiltType): readonly string[] {
  return [...new Set([...fields.keys(), ...streams.keys(), ...navigation.map(({ name }) => name)].filter((name) => !name.includes('/')))];
}
