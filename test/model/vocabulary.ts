import { childrenNamed, descendants, type XmlNode } from './xml-node.js';

/** Terms and types of all vocabularies by qualified name. */
export interface Vocabulary {
  readonly terms: ReadonlyMap<string, XmlNode>;
  readonly types: ReadonlyMap<string, XmlNode>;
  readonly aliases: Aliases;
}

/** Prefix to namespace; a namespace stands for itself. */
export type Aliases = ReadonlyMap<string, string>;

/** Gathers what the documents declare. */
export function vocabularyOf(documents: readonly XmlNode[]): Vocabulary {
  const declared = documents
    .flatMap(descendants)
    .filter((node) => node.name === 'Schema')
    .flatMap(declarations);
  return {
    terms: new Map(declared.filter(([, node]) => node.name === 'Term')),
    types: new Map(declared.filter(([, node]) => node.name.endsWith('Type'))),
    aliases: new Map(documents.flatMap((document) => [...aliasesOf(document)])),
  };
}

/** The prefixes of a document: those of its includes and schemas. */
export function aliasesOf(document: XmlNode): Aliases {
  const named = descendants(document).filter((node) => node.name === 'Include' || node.name === 'Schema');
  const pairs = named.map(({ attributes: { Namespace = '', Alias = Namespace } }) => ({ Namespace, Alias }));
  return new Map(pairs.flatMap(({ Namespace, Alias }) => [[Namespace, Namespace] as const, [Alias, Namespace] as const]));
}

/** The name with its namespace in place of a prefix; `undefined` where the prefix is not known. */
export function qualify(name: string, aliases: Aliases): string | undefined {
  const dot = name.lastIndexOf('.');
  const namespace = aliases.get(name.slice(0, dot));
  return namespace === undefined ? undefined : `${namespace}.${name.slice(dot + 1)}`;
}

/** The members of a structured type, and of those it derives from. */
export function membersOf(type: XmlNode, vocabulary: Vocabulary): readonly XmlNode[] {
  const base = typeNamed(type.attributes['BaseType'], vocabulary);
  return [...childrenNamed(type, 'Property'), ...(base ? membersOf(base, vocabulary) : [])];
}

/** The declaration of a type, or of the items of a collection of it; primitive types have none. */
export function typeNamed(name: string | undefined, vocabulary: Vocabulary): XmlNode | undefined {
  const item = name?.replace(/^Collection\((.*)\)$/, '$1');
  const qualified = item && qualify(item, vocabulary.aliases);
  return qualified ? vocabulary.types.get(qualified) : undefined;
}

function declarations(schema: XmlNode): readonly (readonly [string, XmlNode])[] {
  const namespace = schema.attributes['Namespace'] ?? '';
  return schema.children.map((node) => [`${namespace}.${node.attributes['Name'] ?? ''}`, node] as const);
}
