import { familyNames, methods } from '../../runtime/expression/methods.js';
import { operatorExamples } from '../../runtime/expression/operators.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { collectionExamples, functionExamples } from './function-examples.js';
import { exampleFor, namesOf, richest } from './sample-site.js';
import { hrefFrom, type Page, type Site } from './site.js';

const path = 'functions.html';

// Most of them have the name of a function of texts, which has the anchor.
const ofCollections = 'Functions of collections';

/** The page of operators and functions, with an example of each. */
export function functionsPage(site: Site): Page {
  const rows = functionRows(site);
  const groups = ['Operators', 'Functions', ofCollections, 'Related records'].map((title) => ({
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    column: title === 'Operators' ? 'Operator' : 'Function',
    rows: rows.filter(({ group }) => group === title).map((row) => ({ ...row, id: title === ofCollections ? undefined : `f-${row.name}` })),
  }));
  const set = richest(site);
  return {
    path,
    title: 'Operators and functions',
    template: 'functions',
    terms: { kind: 'function', names: rows.filter(({ group }) => group !== ofCollections).map(({ name }) => name), anchor: 'f-' },
    view: { set: set?.view.set, href: set && hrefFrom(path, set.path), groups: groups.filter((group) => group.rows.length > 0) },
  };
}

interface FunctionRow {
  readonly group: string;
  readonly name: string;
  readonly takes: string;
  readonly gives: string;
  readonly example: string;
  /** The model has every name that the example needs. */
  readonly isReal: boolean;
}

/** A row for each operator and function that the model permits. */
export function functionRows(site: Site): readonly FunctionRow[] {
  const names = namesOf(site);
  const permitted = site.graph.filterFunctions;
  const operators = Object.entries({ ...operatorExamples, not: "not (‹text› eq 'x')" }).map(([name, example]) => ({
    group: 'Operators',
    name,
    takes: operandsOf(name),
    gives: arithmetic.has(name) ? 'Number' : 'Boolean',
    ...exampleFor(name === 'has' ? example.replace("'x'", `'${firstMember(site, names.flags)}'`) : example, names),
  }));
  const functions = [...grouped(methods, ({ name, parameters }) => `${name} ${parameters[0] === 'collection'}`).values()].flatMap(
    (overloads) => {
      const [first] = overloads;
      if (first === undefined || (permitted !== undefined && !permitted.includes(first.name))) return [];
      const ofItems = first.parameters[0] === 'collection';
      const example = (ofItems ? collectionExamples : functionExamples)[first.name];
      return [
        {
          group: ofItems ? ofCollections : 'Functions',
          name: first.name,
          takes: overloads.map(({ parameters }) => parameters.map((family) => familyNames[family]).join(', ')).join('; or ') || 'nothing',
          gives: resultText(first.result),
          ...exampleFor(example ?? '', names),
        },
      ];
    },
  );
  return [
    ...operators,
    ...functions,
    ...special
      .filter(({ name }) => permitted === undefined || permitted.includes(name) || name.length === 3)
      .map((row) => ({ ...row, ...exampleFor(functionExamples[row.name] ?? '', names) })),
  ];
}

// The first member of the enumeration of a property.
function firstMember(site: Site, property: string | undefined): string {
  const field = richest(site)?.entity.fields.find(({ name }) => name === property)?.field;
  return field?.enumeration?.members[0]?.[0] ?? 'x';
}

const arithmetic: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'div', 'divby', 'mod']);

function operandsOf(name: string): string {
  if (name === 'and' || name === 'or') return 'two conditions';
  if (name === 'not') return 'a condition';
  if (name === 'in') return 'a value, and a list';
  if (name === 'has') return 'flags, and a member';
  return arithmetic.has(name) ? 'two numbers, or a time and a duration' : 'two values of one kind';
}

function resultText(result: string): string {
  if (result === 'same') return 'Number';
  return result === 'collection' ? 'Collection' : result.slice('Edm.'.length);
}

// oxfmt-ignore
const special = [
  { group: 'Functions', name: 'cast', takes: 'a value, a type', gives: 'the type' },
  { group: 'Functions', name: 'isof', takes: 'a value, a type', gives: 'Boolean' },
  { group: 'Functions', name: 'case', takes: 'conditions with their values', gives: 'a value' },
  { group: 'Related records', name: 'any', takes: 'a condition on a related record or an item', gives: 'Boolean' },
  { group: 'Related records', name: 'all', takes: 'a condition on a related record or an item', gives: 'Boolean' },
];
