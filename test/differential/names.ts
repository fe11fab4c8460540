import type { TypeName } from './values.js';

type Path = readonly string[];

/** The names that an expression may use where it stands. */
export interface Names {
  readonly paths: { readonly [Type in TypeName]?: readonly Path[] };
  /** To-one navigation, which may be compared with null. */
  readonly records: readonly Path[];
  readonly points: readonly Path[];
  /** Properties that the model does not declare. */
  readonly dynamics: readonly Path[];
  /** Complex values, which are compared with each other and with null. */
  readonly complexes: readonly Path[];
  /** Flags of an enumeration. */
  readonly flags: readonly Path[];
  /** Collections of values of the record itself, by the type of their items. */
  readonly lists: readonly { readonly path: Path; readonly type: 'string' | 'int' }[];
  readonly counts: readonly Path[];
  /** Collections of which some may be counted, or all aggregated, and the names in the condition. */
  readonly members: readonly { readonly path: Path; readonly within: Names }[];
  readonly collections: readonly Collection[];
}

/** A collection, and the names inside of its lambda. */
interface Collection {
  readonly path: Path;
  readonly variable: string;
  readonly within: Names;
}

type Columns = { readonly [Type in TypeName]?: readonly string[] };

const item: Columns = {
  string: ['S', 'U'],
  int: ['I', 'J', 'L', 'Id', 'OtherId'],
  decimal: ['N', 'M'],
  double: ['R'],
  boolean: ['B', 'C'],
  date: ['D', 'E'],
  time: ['H'],
  timestamp: ['T', 'X'],
  guid: ['G'],
};

const part: Columns = { string: ['Text'], int: ['No', 'ItemId'], decimal: ['Amount'], boolean: ['Flag'] };

const seat: Columns = { string: ['Town'], int: ['Zip'], decimal: ['Size'], date: ['Since'] };
const inside: Columns = { int: ['Floor'], boolean: ['Open'] };
const complexPaths = merge(columnsAt(seat, ['Seat'], ['Other', 'Seat']), columnsAt(inside, ['Seat', 'Inner'], ['Other', 'Seat', 'Inner']));
const complexes = [['Seat'], ['Other', 'Seat']];
const inners = [
  ['Seat', 'Inner'],
  ['Other', 'Seat', 'Inner'],
];
const lists = [
  { path: ['Tags'], type: 'string' },
  { path: ['Nums'], type: 'int' },
  { path: ['Seat', 'Marks'], type: 'string' },
  { path: ['Other', 'Seat', 'Marks'], type: 'string' },
] as const;

const itemPaths = merge(columnsAt(item, [], [], ['Other'], ['$it'], ['Other', 'Other']), complexPaths);

// oxfmt-ignore
/** The names in an expression over an item. */
export const rootNames: Names = {
  paths: itemPaths,
  records: [['Other'], ['Other', 'Other']],
  points: [['P'], ['Other', 'P']],
  dynamics: [['Da'], ['Db'], ['Da'], ['Other', 'Da'], ['$it', 'Db']],
  complexes: [complexes, inners].flat(),
  flags: [['K'], ['Other', 'K'], ['$it', 'K']],
  lists,
  counts: [['Tags', '$count'], ['Nums', '$count'], ['Seat', 'Marks', '$count'], ['Parts', '$count'], ['Other', 'Tags', '$count'], ['Other', 'Parts', '$count'], ['Other', 'Other', 'Parts', '$count']],
  members: [
    ...[['Parts'], ['Other', 'Parts']].map((path) => ({ path, within: memberNames() })),
    ...[['Tags'], ['Other', 'Tags']].map((path) => ({ path, within: valueNames('string') })),
    ...[['Nums'], ['Other', 'Nums']].map((path) => ({ path, within: valueNames('int') })),
  ],
  collections: collectionsOf(['p', 'q'], []),
};

/** The names that `$orderby` may use: dynamic properties have an order of several types, which is no expression's. */
export const sortableNames: Names = { ...rootNames, dynamics: [] };

/** The names of a part and of its item, in the options of an expansion. */
export const expandedNames: Names = {
  paths: merge(columnsAt(part, []), columnsAt(item, ['Item'])),
  records: [['Item'], ['Item', 'Other']],
  points: [['Item', 'P']],
  dynamics: [
    ['Item', 'Da'],
    ['Item', 'Db'],
  ],
  complexes: [['Item', 'Seat']],
  flags: [['Item', 'K']],
  lists: [],
  counts: [['Item', 'Parts', '$count']],
  members: [],
  collections: collectionsOfPart(),
};

/** The same names for its order. */
export const sortablePartNames: Names = { ...expandedNames, dynamics: [] };

/** The paths to a value of a type. */
export function pathsTo(type: TypeName, names: Names): readonly Path[] {
  return names.paths[type] ?? [];
}

function collectionsOf([variable = '', ...further]: readonly string[], from: Path): readonly Collection[] {
  if (variable === '') return [];
  const elements = (['t', 'n'] as const).map((name) => ({
    path: [...from, name === 't' ? 'Tags' : 'Nums'],
    variable: name,
    within: { ...outer(further), paths: merge(itemPaths, { [name === 't' ? 'string' : 'int']: [[name], [name], [name]] }) },
  }));
  const parts = [[...from, 'Parts'], ...(from.length > 0 ? [] : [['Other', 'Parts']])];
  const others = from.length > 0 ? [] : elements.map((one) => ({ ...one, path: ['Other', ...one.path] }));
  const marks = elements.slice(0, 1).map((one) => ({ ...one, path: [...from, 'Seat', 'Marks'] }));
  return [...elements, ...others, ...marks, ...parts.map((path) => ({ path, variable, within: insidePart(variable, further) }))];
}

function insidePart(variable: string, further: readonly string[]): Names {
  const own = columnsAt(part, [variable], [variable], [variable]);
  return {
    paths: merge(own, merge(columnsAt(item, [variable, 'Item'], [variable, 'Item', 'Other']), itemPaths)),
    records: [
      [variable, 'Item'],
      [variable, 'Item', 'Other'],
    ],
    points: [['P'], [variable, 'Item', 'P']],
    dynamics: [[variable, 'Item', 'Da'], ['Db']],
    complexes: [[variable, 'Item', 'Seat'], ['Seat']],
    flags: [[variable, 'Item', 'K'], ['K']],
    lists,
    counts: [
      [variable, 'Item', 'Parts', '$count'],
      ['Tags', '$count'],
    ],
    members: [],
    collections: collectionsOf(further, [variable, 'Item']).concat(collectionsOf(further, [])),
  };
}

// With a variable, names are those of the part.
function collectionsOfPart(): readonly Collection[] {
  const own = columnsAt(part, [], ['p'], ['p']);
  const around = {
    records: [['Item']],
    points: [['Item', 'P']],
    dynamics: [['Item', 'Da']],
    complexes: [['Item', 'Seat']],
    flags: [['Item', 'K']],
    lists: [],
    counts: [['Item', 'Parts', '$count']],
    members: [],
    collections: [],
  } as const;
  const within: Names = { ...around, paths: merge(own, columnsAt(item, ['Item'], ['p', 'Item'])) };
  const tags: Names = { ...around, paths: merge(columnsAt(part, []), { string: [['t'], ['t'], ['Item', 'S']] }) };
  return [
    { path: ['Item', 'Parts'], variable: 'p', within },
    { path: ['Item', 'Tags'], variable: 't', within: tags },
  ];
}

// In the condition of a count the names are the member's, and `$it` is the item around it.
function memberNames(): Names {
  return {
    paths: merge(columnsAt(part, [], ['$this']), columnsAt(item, ['Item'], ['$it'], ['$it', 'Other'])),
    records: [['Item'], ['Item', 'Other'], ['$it', 'Other']],
    points: [
      ['$it', 'P'],
      ['Item', 'P'],
    ],
    dynamics: [
      ['Item', 'Da'],
      ['$it', 'Db'],
    ],
    complexes: [
      ['$it', 'Seat'],
      ['Item', 'Seat'],
    ],
    flags: [
      ['Item', 'K'],
      ['$it', 'K'],
    ],
    lists: [],
    counts: [
      ['Item', 'Parts', '$count'],
      ['$it', 'Tags', '$count'],
    ],
    members: [],
    collections: [],
  };
}

// Of a collection of values the member is `$this`, and has no names.
function valueNames(type: 'string' | 'int'): Names {
  const paths = merge(columnsAt(item, ['$it'], ['$it', 'Other']), { [type]: Array.from({ length: 12 }, () => ['$this']) });
  return {
    ...memberNames(),
    paths,
    records: [['$it', 'Other']],
    points: [['$it', 'P']],
    dynamics: [['$it', 'Db']],
    complexes: [['$it', 'Seat']],
    flags: [['$it', 'K']],
    counts: [['$it', 'Tags', '$count']],
  };
}

function outer(further: readonly string[]): Omit<Names, 'paths'> {
  return {
    records: [['Other']],
    points: [['P']],
    dynamics: [['Da']],
    complexes,
    flags: [['K']],
    lists,
    counts: [['Tags', '$count']],
    members: [],
    collections: collectionsOf(further, []),
  };
}

function columnsAt(columns: Columns, ...prefixes: readonly Path[]): Names['paths'] {
  return Object.fromEntries(
    Object.entries(columns).map(([type, names]) => [type, prefixes.flatMap((prefix) => names.map((name) => [...prefix, name]))]),
  );
}

function merge(left: Names['paths'], right: Names['paths']): Names['paths'] {
  const types = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<TypeName>; // The keys are the types of the two.
  return Object.fromEntries([...types].map((type) => [type, [...(left[type] ?? []), ...(right[type] ?? [])]]));
}
