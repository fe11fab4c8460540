import { familyNames, methods } from '../../runtime/expression/methods.js';
import { operatorExamples } from '../../runtime/expression/operators.js';
import { grouped } from '../../runtime/edm/grouped.js';
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

// oxfmt-ignore
/** An example of each function, with marks in place of names (`runtime/errors/sample-names.ts`). */
export const functionExamples: { readonly [name: string]: string } = {
  concat: "concat(‹text›,‹other›) eq 'xy'",
  contains: "contains(‹text›,'x')",
  endswith: "endswith(‹text›,'x')",
  startswith: "startswith(‹text›,'x')",
  indexof: "indexof(‹text›,'x') ge 0",
  length: 'length(‹text›) gt 5',
  substring: "substring(‹text›,0,2) eq 'xy'",
  tolower: "tolower(‹text›) eq 'x'",
  toupper: "toupper(‹text›) eq 'X'",
  trim: "trim(‹text›) eq 'x'",
  matchespattern: "matchespattern(‹text›,'^[A-M]')",
  year: 'year(‹date›) eq 2026',
  month: 'month(‹date›) eq 1',
  day: 'day(‹date›) eq 31',
  hour: 'hour(‹time›) lt 12',
  minute: 'minute(‹time›) eq 30',
  second: 'second(‹time›) eq 0',
  fractionalseconds: 'fractionalseconds(‹time›) eq 0',
  date: 'date(‹time›) eq 2026-01-31',
  time: 'time(‹time›) ge 09:00:00',
  totaloffsetminutes: 'totaloffsetminutes(‹time›) eq 0',
  totalseconds: "totalseconds(duration'PT1H') eq 3600",
  now: '‹time› le now()',
  mindatetime: '‹time› gt mindatetime()',
  maxdatetime: '‹time› lt maxdatetime()',
  ceiling: 'ceiling(‹number›) eq 5',
  floor: 'floor(‹number›) eq 5',
  round: 'round(‹number›) eq 5',
  'geo.distance': "geo.distance(‹position›,geography'SRID=4326;Point(-79.4 43.7)') lt 1000",
  'geo.intersects': "geo.intersects(‹position›,geography'SRID=4326;Polygon((-80 43,-79 43,-79 44,-80 44,-80 43))')",
  'geo.length': "geo.length(geography'SRID=4326;LineString(-79.4 43.7,-79.5 43.8)') gt 1000",
  cast: "cast(‹number›,Edm.String) eq '5'",
  isof: 'isof(‹text›,Edm.String)',
  case: "case(‹number› gt 100:'much',true:'little') eq 'much'",
  any: "‹related›/any(each:each/‹relatedText› eq 'x')",
  all: "‹related›/all(each:each/‹relatedText› ne 'x')",
};

// oxfmt-ignore
/** An example of each function of collections. */
export const collectionExamples: { readonly [name: string]: string } = {
  concat: 'length(concat(‹items›,["x"])) gt 2',
  contains: 'contains(‹items›,["x"])',
  startswith: 'startswith(‹items›,["x"])',
  endswith: 'endswith(‹items›,["x"])',
  indexof: 'indexof(‹items›,["x"]) ge 0',
  length: 'length(‹items›) gt 1',
  substring: 'length(substring(‹items›,1)) gt 0',
  hassubset: 'hassubset(‹items›,["x","y"])',
  hassubsequence: 'hassubsequence(‹items›,["x","y"])',
};
