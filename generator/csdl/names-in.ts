import type { ContainerMember, Csdl, Schema, SchemaElement } from './csdl.js';

/** The names that an element uses: types, base types, the members of a container. Terms are not included. */
export function namesIn(element: SchemaElement): readonly string[] {
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return [...(element.baseType === undefined ? [] : [element.baseType]), ...element.properties.map(({ type }) => type)];
    case 'Action':
    case 'Function':
      return [...element.parameters.map(({ type }) => type), ...(element.returnType === undefined ? [] : [element.returnType.type])];
    case 'EntityContainer':
      return [...(element.extends === undefined ? [] : [element.extends]), ...element.members.map(memberType)];
    case 'TypeDefinition':
    case 'EnumType':
    case 'Term':
      return [];
  }
}

function memberType(member: ContainerMember): string {
  switch (member.kind) {
    case 'EntitySet':
      return member.entityType;
    case 'Singleton':
      return member.type;
    case 'ActionImport':
    case 'FunctionImport':
      return member.operation;
  }
}

/** The schemas and includes of a document, which may have aliases. */
interface AliasOwners {
  readonly schemas: readonly Aliased[];
  readonly references: readonly { readonly includes: readonly Aliased[] }[];
}

type Aliased = Pick<Schema, 'alias' | 'namespace'>;

/** Replaces the alias in front of a name by its namespace. */
export type Qualify = (name: string) => string;

/** The function that resolves the aliases of a document, its own and those of its includes. */
export function qualifierOf({ schemas, references }: AliasOwners): Qualify {
  const named = [...references.flatMap(({ includes }) => includes), ...schemas];
  const aliases = new Map(named.flatMap(({ alias, namespace }) => (alias === undefined ? [] : [[alias, namespace] as const])));
  return (name) => qualifyWith(aliases, name);
}

/** The name with its namespace in place of the alias. */
export function qualifyWith(aliases: ReadonlyMap<string, string>, name: string): string {
  const prefix = namespaceOf(name);
  return `${aliases.get(prefix) ?? prefix}${name.slice(prefix.length)}`;
}

/** The namespace of a qualified name. */
export function namespaceOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** The namespaces that a document's elements use, apart from those of terms. */
export function namespacesIn(csdl: Csdl): ReadonlySet<string> {
  const qualify = qualifierOf(csdl);
  return new Set(csdl.schemas.flatMap(({ elements }) => elements.flatMap(namesIn)).map((name) => namespaceOf(qualify(name))));
}
