import type { ContainerMember, Csdl, SchemaElement } from './csdl.js';

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

/** Replaces the alias in front of a name by its namespace. */
export type Qualify = (name: string) => string;

/** The function that resolves the aliases of a document, its own and those of its includes. */
export function qualifierOf({ schemas, references }: Csdl): Qualify {
  const named = [...references.flatMap(({ includes }) => includes), ...schemas];
  const aliases = new Map(named.flatMap(({ alias, namespace }) => (alias === undefined ? [] : [[alias, namespace] as const])));
  return (name) => {
    const namespace = aliases.get(namespaceOf(name));
    return namespace === undefined ? name : namespace + name.slice(namespaceOf(name).length);
  };
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
