import type { ComplexNode, EnumNode } from '../graph/model-graph.js';
import { fieldRows } from './field-rows.js';
import { hrefFrom, linksFrom, type Page, type Site } from './site.js';

/** The pages of complex types, enumerations and operations, where the model has some. */
export function typePages(site: Site): readonly Page[] {
  const { graph, reference } = site;
  const own = [
    ...graph.complexTypes.map((node) => complexPage(node, site)),
    ...graph.enumerations.map((node) => enumerationPage(node, site)),
  ];
  return [...(own.length === 0 ? [] : [typesPage(site), ...own]), ...(reference.operations.length === 0 ? [] : [operationsPage(site)])];
}

const typesPath = 'types.html';

function typesPage({ graph, pageOf }: Site): Page {
  const entry = (qualifiedName: string, description: string | undefined) => ({
    name: shortName(qualifiedName),
    href: hrefFrom(typesPath, pageOf(qualifiedName) ?? ''),
    description,
  });
  return {
    path: typesPath,
    title: 'Types',
    template: 'types',
    view: {
      complexTypes: graph.complexTypes.map(({ qualifiedName, description }) => entry(qualifiedName, description)),
      enumerations: graph.enumerations.map(({ table, description }) => ({
        ...entry(table.qualifiedName, description),
        count: table.members.length,
      })),
    },
  };
}

function complexPage({ qualifiedName, fields: nodes }: ComplexNode, site: Site): Page {
  const { graph, reference, pageOf } = site;
  const path = pageOf(qualifiedName) ?? '';
  const view = reference.complexTypes[graph.complexTypes.findIndex((node) => node.qualifiedName === qualifiedName)];
  const fields = fieldRows(view?.fields ?? [], new Map(nodes.map((node) => [node.name, node])), linksFrom(path, site), () => ({
    isKey: false,
    required: false,
    notes: [],
  }));
  return {
    path,
    title: shortName(qualifiedName),
    template: 'complex-type',
    terms: { kind: shortName(qualifiedName), names: fields.map(({ name }) => name), anchor: 'f-' },
    view: { ...view, name: shortName(qualifiedName), fields, count: fields.length },
  };
}

function enumerationPage({ table, description }: EnumNode, { pageOf }: Site): Page {
  const name = shortName(table.qualifiedName);
  const [first, second] = table.members.map(([member]) => member);
  return {
    path: pageOf(table.qualifiedName) ?? '',
    title: name,
    template: 'enumeration',
    view: {
      name,
      description,
      flags: table.flags,
      sample: `'${[first, ...(table.flags && second !== undefined ? [second] : [])].join(',')}'`,
      count: table.members.length,
      members: table.members.map(([member, value]) => ({ name: member, value })),
    },
  };
}

function operationsPage({ reference }: Site): Page {
  return {
    path: 'operations.html',
    title: 'Actions and functions',
    template: 'operations',
    terms: { kind: 'operation', names: reference.operations.map(({ path }) => path), anchor: 'f-' },
    view: { operations: reference.operations },
  };
}

function shortName(qualifiedName: string): string {
  return qualifiedName.replace(/^.*\./, '');
}
