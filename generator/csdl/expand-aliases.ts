import type { XmlElement } from './csdl.js';
import { constants, paths } from './elements.js';
import { inputLimits } from './limits.js';

// Attributes and texts that contain qualified names, alone or in paths and lists.
const withNames: ReadonlySet<string> = new Set([
  'Type',
  'BaseType',
  'UnderlyingType',
  'BaseTerm',
  'Term',
  'Target',
  'EntityType',
  'Action',
  'Function',
  'Extends',
  'Path',
  'EntitySetPath',
  'EntitySet',
  'EnumMember',
  'LabeledElementReference',
  ...paths,
]);
const textual: ReadonlySet<string> = new Set([...constants.filter((name) => name === 'EnumMember'), ...paths, 'LabeledElementReference']);
const qualifiedName =
  /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*(?:\.[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*)+/gu;

/**
 * Replaces aliases by namespaces, so that the document can be combined with others that use the same aliases
 * differently.
 */
export function expandAliases(root: XmlElement): XmlElement {
  const aliases = new Map(aliasesOf(root));
  return aliases.size === 0
    ? root
    : expandElement(root, (text) =>
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

function expandElement(element: XmlElement, expand: (text: string) => string): XmlElement {
  const { name, attributes, children, text } = element;
  return {
    ...element,
    attributes: new Map([...attributes].map(([key, value]) => [key, withNames.has(key) ? expand(value) : value])),
    children: children.map((child) => expandElement(child, expand)),
    text: textual.has(name) ? expand(text) : text,
  };
}
