import type { XmlElement } from './csdl.js';
import { constants, paths, words } from './elements.js';
import { inputLimits } from './limits.js';
import { identifier } from '../../runtime/edm/identifier.js';

// Attributes and texts that contain names of the model, alone or in paths and lists.
const withNames: ReadonlySet<string> = new Set([
  ...words(`Type BaseType UnderlyingType BaseTerm Term Target EntityType Action Function Extends Path EntitySetPath EntitySet
    EnumMember LabeledElementReference Property ReferencedProperty Partner`),
  ...paths,
]);
const textual: ReadonlySet<string> = new Set([...constants.filter((name) => name === 'EnumMember'), ...paths, 'LabeledElementReference']);
const qualifiedName = new RegExp(`${identifier}(?:\\.${identifier})+`, 'gu');

/**
 * Replaces aliases by namespaces, so that the document can be combined with others that use the same aliases
 * differently.
 */
export function expandAliases(root: XmlElement): XmlElement {
  const aliases = new Map(aliasesOf(root));
  return aliases.size === 0
    ? root
    : withReferences(root, (text) =>
        text.length > inputLimits.name ? text : text.replace(qualifiedName, (name) => expandName(name, aliases)),
      );
}

function aliasesOf({ name, attributes, children }: XmlElement): readonly (readonly [string, string])[] {
  const alias = attributes.get('Alias');
  const own = alias !== undefined && (name === 'Schema' || name === 'Include') ? [[alias, attributes.get('Namespace') ?? ''] as const] : [];
  const inner = name === 'Edmx' || name === 'Reference' || name === 'DataServices' ? children.flatMap(aliasesOf) : [];
  return [...own, ...inner];
}

// An alias is one identifier, so a name with an alias has two.
function expandName(name: string, aliases: ReadonlyMap<string, string>): string {
  const dot = name.indexOf('.');
  const namespace = name.includes('.', dot + 1) ? undefined : aliases.get(name.slice(0, dot));
  return namespace === undefined ? name : namespace + name.slice(dot);
}

/** The element with other texts where names of the model are referenced. */
export function withReferences(element: XmlElement, read: (text: string) => string): XmlElement {
  const { name, attributes, children, text } = element;
  const refers = (attribute: string): boolean => withNames.has(attribute) || (attribute === 'Name' && name === 'PropertyRef');
  return {
    ...element,
    attributes: new Map([...attributes].map(([key, value]) => [key, refers(key) ? read(value) : value])),
    children: children.map((child) => withReferences(child, read)),
    text: textual.has(name) ? read(text) : text,
  };
}
