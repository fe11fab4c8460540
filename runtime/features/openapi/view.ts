import type { EntityContainer, EntityType, OperationName, Permission, Permissions, Route } from '../../edm/index.js';
import { entityTypeOfSet, entityTypeOfSingleton, isDirect, mediaStream, own, targetOf } from '../../edm/index.js';
import { type Access, accessTo, type Caller, isHidden } from '../../plan/caller.js';
import { readByKey } from '../../plan/path/derivation.js';
import type { Components, Json } from './json-document.js';

/** The reader of a document, and the addresses in it. */
export interface Reader {
  /** The caller whose permissions limit the document. */
  readonly caller: Caller;
  /** Whether the service refuses every change. */
  readonly readOnly?: boolean;
  /** Whether clients may send their name and secret. */
  readonly basic?: boolean;
  /** The address of the service root. */
  readonly root: string;
  readonly tokenUrl: string;
}

/** The contents of a document, and its reader. */
export interface View extends Reader {
  readonly container: EntityContainer;
  readonly describe: Describe;
  /** The entity sets and singletons; all by default. */
  readonly sets?: ReadonlySet<string>;
  readonly schemas: Components;
  /** The ways to identify oneself with one of the scopes. */
  readonly securityOf: (scopes: readonly string[]) => readonly Json[];
  /** Makes an operation's id unique. */
  readonly operationId: (wanted: string) => string;
}

/** An entity source: an entity set, a singleton, or a containment in one of these. */
export interface Source {
  /** The entity set or singleton. */
  readonly set: string;
  /** The names that operations are called after: `Orders`, or `Orders` and `Items`. */
  readonly names: readonly string[];
  /** The type at the end of each of the names. */
  readonly types: readonly EntityType[];
  readonly kind: 'many' | 'one';
}

/** The entity sources with an operation that the caller may use. */
export function sourcesOf(view: View): readonly Source[] {
  const { container, sets } = view;
  const roots = [
    ...Object.keys(container.entitySets).map((set) => ({ set, kind: 'many' as const, type: entityTypeOfSet(container, set) })),
    ...Object.keys(container.singletons ?? {}).map((set) => ({ set, kind: 'one' as const, type: entityTypeOfSingleton(container, set) })),
  ];
  return roots
    .filter(({ set }) => sets === undefined || sets.has(set))
    .flatMap(({ set, kind, type }) => {
      if (type === undefined) return [];
      const source: Source = { set, names: [set], types: [type], kind };
      return [source, ...containedIn(source, type, container)];
    })
    .filter((source) => operationsOf(source, view).length > 0);
}

function containedIn({ set }: Source, type: EntityType, container: EntityContainer): readonly Source[] {
  return Object.entries(type.navigation).flatMap(([name, navigation]) =>
    navigation.contains && isDirect(name)
      ? [
          {
            set,
            names: [set, name],
            types: [type, targetOf(container, navigation)],
            kind: navigation.collection ? ('many' as const) : ('one' as const),
          },
        ]
      : [],
  );
}

/** The type of the entities of a source. */
export function typeOf({ types }: Source): EntityType {
  return types[types.length - 1] as EntityType; // A source has one name at least.
}

// oxfmt-ignore
/** The permission that each operation requires. */
const required: { readonly [Name in OperationName]: { readonly permission: keyof Permissions & ('read' | 'insert' | 'update' | 'delete'); readonly byKey?: true } } = {
  readCollection: { permission: 'read' },
  readEntity: { permission: 'read', byKey: true },
  createEntity: { permission: 'insert' },
  updateEntity: { permission: 'update' },
  replaceEntity: { permission: 'update' },
  deleteEntity: { permission: 'delete' },
};

/** The operations of a source that the caller may use. */
export function operationsOf(source: Source, { caller, readOnly }: View): readonly Route[] {
  return typeOf(source).routes.filter(
    ({ method, operation }) => (method === 'GET' || !readOnly) && accessFor(operation, typeOf(source), caller).allowed,
  );
}

/** Whether the caller may change a media stream of a source's records. */
export function mayChange(source: Source, name: string, method: string, { caller, readOnly }: View): boolean {
  const access = accessTo(typeOf(source), name === mediaStream && method === 'DELETE' ? 'delete' : 'update', caller);
  return !readOnly && access.allowed && !access.restricted.has(name);
}

function accessFor(operation: OperationName, type: EntityType, caller: Caller): Access {
  const { permission, byKey } = required[operation];
  return accessTo(byKey ? readByKey(type) : type, permission, caller);
}

/** The scopes of the caller that permit an operation; undefined where any token suffices. */
export function scopesFor(operation: OperationName, type: EntityType, { scopes }: Caller): readonly string[] | undefined {
  const { permission, byKey } = required[operation];
  const granted: readonly Permission[] | undefined = (byKey ? readByKey(type) : type).permissions[permission];
  return granted?.map(({ scope }) => scope).filter((scope) => scopes.has(scope));
}

/** How the caller may use a property; undefined where not at all. */
export function useOf(type: EntityType, name: string, caller: Caller): { readonly readOnly?: true; readonly writeOnly?: true } | undefined {
  const isReadable = ['readCollection', 'readEntity'].some((operation) => permits(operation as OperationName, type, name, caller));
  const isWritable =
    !type.rules.computed.includes(name) &&
    type.routes.some(({ method, operation }) => method !== 'GET' && method !== 'DELETE' && permits(operation, type, name, caller));
  if (!isReadable) return isWritable && !type.hidden?.includes(name) ? { writeOnly: true } : undefined;
  return isWritable ? {} : { readOnly: true };
}

function permits(operation: OperationName, type: EntityType, name: string, caller: Caller): boolean {
  const access = accessFor(operation, type, caller);
  return access.allowed && !access.restricted.has(name);
}

/** The target of a navigation property that the caller may expand. */
export function expandedType(type: EntityType, name: string, { container, caller }: View): EntityType | undefined {
  const navigation = own(type.navigation, name);
  if (navigation === undefined || !isDirect(name) || isHidden(type, name, caller)) return undefined;
  const target = targetOf(container, navigation);
  return accessTo(target, 'read', caller).allowed ? target : undefined;
}

/** The text of Core.Description for a target such as `Shop.Order/Id`, from `$metadata`. */
type Describe = (target: string) => string | undefined;

const core = 'Org.OData.Core.V1';

/** The descriptions in a CSDL JSON document, on the elements themselves or in `$Annotations`. */
export function descriptionsIn(metadata: Json): Describe {
  const term = `@${coreAlias(metadata)}.Description`;
  const known = new Map<string, string>();
  const note = (target: string, element: Json): void => {
    const text = element[term] ?? element[`@${core}.Description`];
    if (typeof text === 'string') known.set(target, text);
  };
  for (const [namespace, schema] of members(metadata)) {
    note(namespace, schema);
    for (const [name, element] of members(schema)) {
      note(`${namespace}.${name}`, element);
      for (const [member, inner] of members(element)) note(`${namespace}.${name}/${member}`, inner);
    }
    const { $Alias: alias, $Annotations: external = {} } = schema as { readonly $Alias?: string; readonly $Annotations?: Json };
    for (const [target, annotations] of Object.entries(external))
      note(
        alias !== undefined && target.startsWith(`${alias}.`) ? `${namespace}${target.slice(alias.length)}` : target,
        annotations as Json,
      );
  }
  return (target) => known.get(target);
}

function coreAlias({ $Reference: references = {} }: { readonly $Reference?: Json }): string {
  const includes = Object.values(references).flatMap(
    (reference) =>
      (reference as { readonly $Include?: readonly { readonly $Namespace: string; readonly $Alias?: string }[] }).$Include ?? [],
  );
  return includes.find(({ $Namespace: namespace }) => namespace === core)?.$Alias ?? core;
}

// Names of elements begin with neither `$` nor `@`; overloads are arrays.
function members(element: Json): readonly (readonly [name: string, member: Json])[] {
  return Object.entries(element).filter(
    (entry): entry is [string, Json] =>
      /^[^$@]/.test(entry[0]) && typeof entry[1] === 'object' && entry[1] !== null && !Array.isArray(entry[1]),
  );
}
