import { httpHooks } from '../../http/hooks.js';

/** Registers the metadata document of 4.0. */
export function registerMetadata40(): void {
  httpHooks.register({ metadata40: csdl40 });
}

/** A document in CSDL XML as a client of 4.0 may read it: without the parts that came with 4.01 (CSDL XML 4.01, 17). */
export function csdl40(text: string): string {
  const lost = lostOperations(readXml(text));
  return printXml(reduceAll(readXml(withEnumChildren(withoutAliases(text))), lost));
}

// An enumeration type has a child in 4.0: members, or annotations.
function withEnumChildren(text: string): string {
  const child = '<Annotation Term="Org.OData.Core.V1.Description" String=""/>';
  return text.replace(/<EnumType\b([^>]*?)\s*(?:\/>|>\s*<\/EnumType>)/g, `<EnumType$1>${child}</EnumType>`);
}

// Client generators of 4.0 do not support an alias within its own schema.
function withoutAliases(text: string): string {
  const schemas = [...text.matchAll(/<Schema [^>]*>/g)].map(
    ([tag]) => [/ Alias="([^"]*)"/.exec(tag)?.[1], / Namespace="([^"]*)"/.exec(tag)?.[1]] as const,
  );
  return schemas.reduce(
    (before, [alias, namespace]) =>
      alias === undefined || namespace === undefined
        ? before
        : before.replaceAll(`="${alias}.`, `="${namespace}.`).replaceAll(`="Collection(${alias}.`, `="Collection(${namespace}.`),
    text,
  );
}

/** Facets and flags of 4.01, with the elements that have none of them in 4.0. */
const laterAttributes: { readonly [element: string]: string | undefined } = {
  Term: 'Unicode',
  Parameter: 'Unicode',
  ReturnType: 'Unicode',
  Singleton: 'Nullable',
};

const laterTypes =
  /^(?:Edm\.(?:Untyped|ModelElementPath|AnyPropertyPath)|Collection\(Edm\.(?:Untyped|ComplexType|PrimitiveType|ModelElementPath|AnyPropertyPath)\))$/;

const operations: ReadonlySet<string> = new Set(['Action', 'Function']);

// An overload that only differs in its types shares its imports with the others.
function lostOperations(parts: XmlElement['children']): ReadonlySet<string> {
  const found = elementsWithin(parts).filter(({ name }) => operations.has(name));
  const kept = new Set(found.filter((operation) => !isLost(operation)).map(nameOf));
  return new Set(found.map(nameOf).filter((name) => !kept.has(name)));
}

function elementsWithin(parts: XmlElement['children']): readonly XmlElement[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : [part, ...elementsWithin(part.children)]));
}

function nameOf(element: XmlElement): string {
  return attribute(element, 'Name') ?? '';
}

function reduceAll(parts: XmlElement['children'], lost: ReadonlySet<string>): XmlElement['children'] {
  const kept: (XmlElement | string)[] = [];
  for (const part of parts) {
    const reduced = typeof part === 'string' ? part : isKept(part, lost) && reduce(part, lost);
    if (reduced !== false && !isEmptySchema(reduced)) kept.push(reduced);
    else if (typeof kept.at(-1) === 'string' && /^\s+$/.test(String(kept.at(-1)))) kept.pop();
  }
  return kept;
}

// A schema has at least one child in 4.0.
function isEmptySchema(part: XmlElement | string): boolean {
  return typeof part !== 'string' && part.name === 'Schema' && elementsOf(part).length === 0;
}

function isKept(element: XmlElement, lost: ReadonlySet<string>): boolean {
  switch (element.name) {
    case 'Annotation':
      return isKnown(element);
    case 'Annotations':
      return isPath40(attribute(element, 'Target') ?? '') && elementsOf(element).some(isKnown);
    case 'Action':
    case 'Function':
      return !isLost(element);
    case 'ActionImport':
    case 'FunctionImport':
      return !lost.has((attribute(element, element.name.replace('Import', '')) ?? '').replace(/^.*\./, ''));
    case 'Property':
    case 'Term':
      return !hasLaterType(element);
    default:
      return true;
  }
}

function isLost(operation: XmlElement): boolean {
  return elementsOf(operation).some(hasLaterType);
}

function hasLaterType(element: XmlElement): boolean {
  return laterTypes.test(attribute(element, 'Type') ?? '');
}

function reduce(element: XmlElement, lost: ReadonlySet<string>): XmlElement {
  const later = laterAttributes[element.name];
  const plain = later === undefined ? element : withoutAttribute(element, later);
  return { ...adapt(plain), children: childrenOf(plain, lost) };
}

const laterTargets = /\b(?:Collection|Include)\b\s*/g;

function adapt(element: XmlElement): XmlElement {
  if (element.name === 'Edmx') return withAttribute(element, 'Version', '4.0');
  if (element.name === 'Term') return withTargets40(element, attribute(element, 'AppliesTo'));
  const time = attribute(element, 'TimeOfDay');
  if (time !== undefined) return withAttribute(element, 'TimeOfDay', withSeconds(time));
  if (attribute(element, 'Scale') === 'floating') return withAttribute(element, 'Scale', 'variable');
  // Answers have values of the omitted properties, which only an open type permits.
  const isOpened = element.name.endsWith('Type') && elementsOf(element).some((child) => child.name === 'Property' && hasLaterType(child));
  return isOpened ? withAttribute(element, 'OpenType', 'true') : element;
}

function withTargets40(term: XmlElement, targets = ''): XmlElement {
  const known = targets.replace(laterTargets, '').trim();
  if (known === targets) return term;
  return known === '' ? withoutAttribute(term, 'AppliesTo') : withAttribute(term, 'AppliesTo', known);
}

// An Include has no annotations in 4.0, and a time has seconds.
function childrenOf({ name, children }: XmlElement, lost: ReadonlySet<string>): XmlElement['children'] {
  if (name === 'Include') return [];
  if (name === 'TimeOfDay') return children.map((child) => (typeof child === 'string' ? withSeconds(child) : child));
  return reduceAll(children, lost);
}

function withSeconds(time: string): string {
  return time.replace(/^(\s*\d\d:\d\d)(\s*)$/, '$1:00$2');
}

const pathExpressions = ['Path', 'PropertyPath', 'NavigationPropertyPath', 'AnnotationPath'];
const laterExpressions = ['ModelElementPath', 'AnyPropertyPath', 'Has', 'In', 'Add', 'Sub', 'Neg', 'Mul', 'Div', 'DivBy', 'Mod'];
const functions40: ReadonlySet<string> = new Set(['odata.concat', 'odata.fillUriTemplate', 'odata.uriEncode']);

/** Whether 4.0 has each expression of an annotation; its own annotations are judged by themselves. */
function isKnown(element: XmlElement): boolean {
  return isKnownExpression(element) && elementsOf(element).every((child) => child.name === 'Annotation' || isKnown(child));
}

function isKnownExpression(element: XmlElement): boolean {
  if (laterExpressions.some((name) => element.name === name || attribute(element, name) !== undefined)) return false;
  if (element.name === 'Apply') return isKnownFunction(element);
  const paths = pathExpressions.map((name) => (element.name === name ? printXml(element.children).trim() : attribute(element, name)));
  return paths.every((path) => path === undefined || isValuePath40(path));
}

// A call has at least one argument in the schema of 4.0.
function isKnownFunction(element: XmlElement): boolean {
  const name = attribute(element, 'Function') ?? '';
  return (!name.startsWith('odata.') || functions40.has(name)) && elementsOf(element).some((child) => child.name !== 'Annotation');
}

// Targets with overloads, parameters and annotations came with 4.01 (CSDL XML 4.01, 14.2.2).
function isPath40(path: string): boolean {
  return /^[^/@$(]+(?:\/[^/@$(]+)*$/.test(path);
}

// Absolute paths and `$ReturnType`, `$this` came with 4.01 (CSDL XML 4.01, 14.4.1.1).
function isValuePath40(path: string): boolean {
  return !path.startsWith('/') && !path.replace(/\/\$count$/, '').includes('$');
}

/** An element of a well-formed document; `open` and `close` are its tags as written. */
interface XmlElement {
  /** The name without its prefix. */
  readonly name: string;
  readonly open: string;
  readonly children: readonly (XmlElement | string)[];
  readonly close: string;
}

const tokens = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<(?:"[^"]*"|'[^']*'|[^>"'])*>|[^<]+/g;

/** The parts of a well-formed document: its root element, and the text, comments and instructions around it. */
function readXml(text: string): XmlElement['children'] {
  const open: { tag: string; children: (XmlElement | string)[] }[] = [{ tag: '', children: [] }];
  for (const [token] of text.matchAll(tokens)) {
    if (token.startsWith('</')) {
      const { tag, children } = open.pop()!; // The document is well-formed.
      open.at(-1)?.children.push({ name: localNameOf(tag), open: tag, children, close: token });
    } else if (/^<[^!?]/.test(token) && !token.endsWith('/>')) open.push({ tag: token, children: [] });
    else if (/^<[^!?]/.test(token)) open.at(-1)?.children.push({ name: localNameOf(token), open: token, children: [], close: '' });
    else open.at(-1)?.children.push(token);
  }
  return open[0]?.children ?? [];
}

/** The text of elements; unchanged ones keep their original text. */
function printXml(parts: XmlElement['children']): string {
  return parts.map((part) => (typeof part === 'string' ? part : `${part.open}${printXml(part.children)}${part.close}`)).join('');
}

/** The value of an attribute as written. */
function attribute({ open }: XmlElement, name: string): string | undefined {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(open) ?? [];
  return double ?? single;
}

function withoutAttribute(element: XmlElement, name: string): XmlElement {
  return { ...element, open: element.open.replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '') };
}

/** The element with another value of an attribute; the value has no letters that XML escapes. */
function withAttribute(element: XmlElement, name: string, value: string): XmlElement {
  const bare = withoutAttribute(element, name);
  return { ...bare, open: bare.open.replace(/\s*\/?>$/, (end) => ` ${name}="${value}"${end}`) };
}

function elementsOf({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

function localNameOf(tag: string): string {
  return /^<(?:[^\s/>:]*:)?([^\s/>]+)/.exec(tag)?.[1] ?? '';
}
