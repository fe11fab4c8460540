import { annotated } from './annotated.js';
import { checkPaths, checkStructure } from './check-paths.js';
import { checkTerm } from './check-terms.js';
import { checkValues } from './check-values.js';
import { aliasesOf, type Vocabulary, vocabularyOf } from './vocabulary.js';
import { childrenNamed, descendants, parseXml, type XmlNode } from './xml-node.js';

/** Elements that a reader of a document can look up; each requires a description. */
const described: ReadonlySet<string> = new Set([
  'Schema',
  'EntityType',
  'ComplexType',
  'EnumType',
  'Member',
  'Term',
  'Property',
  'NavigationProperty',
  'EntityContainer',
  'EntitySet',
]);

/** The fields of specification section 2.1. */
const specified =
  'ListAgentKey ListOfficeKey PropertyType StreetNumber StreetName City ListingKey ContractStatus MlsStatus StandardStatus ' +
  'ModificationTimestamp OriginatingSystemName ListPrice SoldPrice ChangedByMemberKey DaysOnMarket BuildingAreaTotal TaxYear ' +
  'GeoLocation ConstructionMaterials Media Rooms';

/** Faults of the model's documents that no schema can see. */
export function checkModel(metadata: string, ours: readonly string[], oasis: readonly string[]): readonly string[] {
  const model = parseXml(metadata);
  const own = ours.map(parseXml);
  const vocabulary = vocabularyOf([...own, ...oasis.map(parseXml)]);
  return [
    ...[model, ...own].flatMap((document) => checkDocument(document, vocabulary)),
    ...checkStructure(named(model, 'EntityType'), named(model, 'EntitySet')),
    ...descendants(model)
      .filter((node) => node.name === 'Property')
      .flatMap(checkValues),
    ...checkSpecified(named(model, 'EntityType').get('Property')),
  ];
}

function checkDocument(document: XmlNode, vocabulary: Vocabulary): readonly string[] {
  const types = named(document, 'EntityType');
  const aliases = aliasesOf(document);
  const all = annotated(document, (set) => types.get(set.attributes['EntityType']?.replace(/^.*\./, '') ?? ''));
  return [
    ...all.flatMap((one) => [...checkTerm(one, aliases, vocabulary), ...checkPaths(one)]),
    ...descendants(document)
      .filter((node) => described.has(node.name) && !isDescribed(node))
      .map((node) => `${node.name} ${node.attributes['Name'] ?? node.attributes['Namespace'] ?? ''} has no description.`),
  ];
}

function checkSpecified(property: XmlNode | undefined): readonly string[] {
  const present = new Set(property?.children.map((child) => child.attributes['Name']));
  return specified
    .split(' ')
    .filter((name) => !present.has(name))
    .map((name) => `Property: the specification has ${name}, the model has not.`);
}

function isDescribed(node: XmlNode): boolean {
  const annotations = childrenNamed(node, 'Annotation').map((annotation) => annotation.attributes);
  return annotations.some(({ Term, String }) => Term === 'Core.Description' && String !== undefined && String !== '');
}

function named(document: XmlNode, kind: string): ReadonlyMap<string, XmlNode> {
  const nodes = descendants(document).filter((node) => node.name === kind);
  return new Map(nodes.map((node) => [node.attributes['Name'] ?? '', node]));
}
