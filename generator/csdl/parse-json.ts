import type { Report } from '../faults.js';
import type { XmlElement } from './csdl.js';
import { AnnotationReader } from './json-annotations.js';
import { attribute, checkMembers, element, itemsOf, membersOf } from './json-element.js';
import { qualifierOf } from './names-in.js';
import { SchemaReader } from './json-schema.js';
import { parseJsonTree, type JsonMember, type JsonValue } from './json-tree.js';
import { mendMembers } from './mend-members.js';
import type { ReadText } from './read-text.js';

/**
 * Parses CSDL JSON 4.01 into the elements of XML, with positions in the JSON text, so that one reader and one set of
 * checks serve both.
 */
export function parseJson(source: ReadText, report: Report): XmlElement {
  const root = mendMembers(parseJsonTree(source, { comments: false }), report);
  const members = membersOf(root, 'A document', report);
  const annotations = new AnnotationReader(qualifierOf(aliasesIn(members)), report);
  const schemas = members
    .filter(({ name }) => !name.startsWith('$') && !name.includes('@'))
    .map((member) => new SchemaReader(annotations, report).schema(member));
  const references = members
    .filter(({ name }) => name === '$Reference')
    .flatMap(({ value }) => membersOf(value, '$Reference', report).map((member) => referenceOf(member, annotations, report)));
  checkMembers(members, ['Version', 'Reference', 'EntityContainer'], 'A document', report);
  // A document has at most one container; the member that names it adds nothing.
  attribute(members, '$EntityContainer', report);
  return element('Edmx', root.at, { Version: attribute(members, '$Version', report) }, [
    ...references,
    element('DataServices', root.at, {}, schemas),
  ]);
}

function referenceOf({ at, name: uri, value }: JsonMember, annotations: AnnotationReader, report: Report): XmlElement {
  const members = membersOf(value, uri, report);
  const rows = (list: string, name: string, attributes: readonly string[]): readonly XmlElement[] =>
    members
      .filter((member) => member.name === list)
      .flatMap((member) => itemsOf(member.value, list, report))
      .map((item) => {
        const inner = membersOf(item, name, report);
        checkMembers(inner, attributes, name, report);
        const read = attributes.map((key) => [key, attribute(inner, `$${key}`, report)] as const);
        return element(name, item.at, Object.fromEntries(read), annotations.annotationsOf(inner));
      });
  checkMembers(members, ['Include', 'IncludeAnnotations'], `The reference ${uri}`, report);
  return element('Reference', at, { Uri: uri }, [
    ...annotations.annotationsOf(members),
    ...rows('$Include', 'Include', ['Namespace', 'Alias']),
    ...rows('$IncludeAnnotations', 'IncludeAnnotations', ['TermNamespace', 'Qualifier', 'TargetNamespace']),
  ]);
}

// The aliases of schemas and includes, before they are used.
function aliasesIn(members: readonly JsonMember[]): Parameters<typeof qualifierOf>[0] {
  const schemas = members.map(({ name, value }) => ({ alias: textOf(value, '$Alias'), namespace: name }));
  const includes = members
    .filter(({ name }) => name === '$Reference')
    .flatMap(({ value }) => membersIn(value).flatMap((reference) => membersIn(reference.value)))
    .flatMap(({ name, value }) => (name === '$Include' && value.kind === 'array' ? value.items : []))
    .map((item) => ({ alias: textOf(item, '$Alias'), namespace: textOf(item, '$Namespace') ?? '' }));
  return { schemas, references: [{ includes }] };
}

function membersIn(value: JsonValue): readonly JsonMember[] {
  return value.kind === 'object' ? value.members : [];
}

function textOf(object: JsonValue, name: string): string | undefined {
  const found = membersIn(object).find((member) => member.name === name)?.value;
  return found?.kind === 'string' ? found.value : undefined;
}
