import { targetOf } from '../../../runtime/edm/index.js';
import { type EntityType } from '../../../runtime/edm/entity-type.js';
import { type Navigation } from '../../../runtime/edm/navigation.js';
import type { Random } from '../../permission/random.js';
import { condition, value } from './expressions.js';
import { fieldName, type Subject } from './subject.js';

const escaped = encodeURIComponent;

/** The query options of a collection, each with its chance. */
export function collectionOptions(type: EntityType, random: Random, subject: Subject): string {
  const options: readonly (readonly [chance: number, option: () => string])[] = [
    [0.7, () => `$filter=${escaped(condition(type, random, subject, 3))}`],
    [0.3, () => `$orderby=${order(type, random, subject)}`],
    [0.4, () => `$select=${selection(type, random, subject)}`],
    [0.3, () => `$expand=${expansion(type, random, subject, 2)}`],
    [0.2, () => '$count=true'],
    [0.3, () => `$top=${random.pick([1, 2, 5])}`],
    [0.1, () => `$skip=${random.below(3)}`],
    [0.1, () => `$compute=${escaped(`${value(type, random, subject, 1)} as Made`)}`],
    [0.1, () => `$apply=${escaped(transformations(type, random, subject))}`],
    [0.05, () => `$search=${escaped(searched(random, subject))}`],
    [0.03, () => `$skiptoken=${random.pick(['a', 'AAAA', 'x'.repeat(80), '%00'])}`],
    [0.02, () => '$index=1'],
    [0.02, () => '$format=json;metadata=full'],
  ];
  return options.flatMap(([chance, option]) => (random.chance(chance) ? [option()] : [])).join('&');
}

/** A text for `$search`. */
export function searched(random: Random, { words }: Subject): string {
  const word = (): string => random.pick(words);
  return random.pick([
    word(),
    `${word()} OR ${word()}`,
    `NOT ${word()}`,
    `${word()} ${word()}`,
    `"${word()} ${word()}"`,
    `(${word()} OR NOT ${word()}) AND ${word()}`,
  ]);
}

/** The properties of an answer. */
export function selection(type: EntityType, random: Random, subject: Subject): string {
  const name = (): string => fieldName(type, random, subject);
  const complex = Object.entries(type.fields).flatMap(([field, { complex: of }]) =>
    Object.keys(subject.container.complexTypes?.[of ?? '']?.fields ?? {}).map((member) => `${field}/${member}`),
  );
  return random.pick([name(), `${name()},${name()}`, `${name()},*`, '*', ...(complex.length > 0 ? [random.pick(complex)] : [])]);
}

function order(type: EntityType, random: Random, subject: Subject): string {
  const single = Object.entries(type.navigation).find(([, { collection }]) => !collection);
  const terms = [fieldName(type, random, subject), fieldName(type, random, subject), `length(${fieldName(type, random, subject)})`];
  if (single) terms.push(`${single[0]}/${fieldName(targetOf(subject.container, single[1]), random, subject)}`);
  const many = Object.entries(type.navigation).find(([, { collection }]) => collection);
  if (many) terms.push(`${many[0]}/$count`);
  return escaped(`${random.pick(terms)}${random.pick(['', ' desc', ' asc'])}${random.chance(0.2) ? `,${random.pick(terms)}` : ''}`);
}

/** `$expand` with all that may stand in its parentheses. */
export function expansion(type: EntityType, random: Random, subject: Subject, depth: number): string {
  const entries = Object.entries(type.navigation);
  if (entries.length === 0) return '*';
  const [name, navigation] = random.pick(entries);
  if (random.chance(0.06)) return random.pick(['*', '*/$ref', `${name}/$ref`, ...(navigation.collection ? [`${name}/$count`] : [])]);
  const options = expandOptions(targetOf(subject.container, navigation), navigation, random, subject, depth);
  const one = options.length === 0 ? name : `${name}(${options.join(';')})`;
  return random.chance(0.1) ? `${one},${random.pick(entries)[0]}` : one;
}

function expandOptions(target: EntityType, { collection }: Navigation, random: Random, subject: Subject, depth: number): readonly string[] {
  const one: readonly (readonly [number, () => string])[] = [
    [0.4, () => `$select=${selection(target, random, subject)}`],
    [0.1, () => `$compute=${escaped(`${value(target, random, subject, 0)} as Made`)}`],
    [depth > 0 ? 0.2 : 0, () => `$expand=${expansion(target, random, subject, depth - 1)}`],
    [0.03, () => `$levels=${random.pick(['1', '2', 'max'])}`],
  ];
  const many: readonly (readonly [number, () => string])[] = [
    [0.4, () => `$filter=${escaped(condition(target, random, subject, 1))}`],
    [0.3, () => '$count=true'],
    [0.2, () => `$orderby=${order(target, random, subject)}`],
    [0.2, () => `$top=${1 + random.below(2)}`],
    [0.1, () => `$skip=${random.below(2)}`],
    [0.05, () => `$search=${escaped(searched(random, subject))}`],
    [0.1, () => `$apply=${escaped(transformations(target, random, subject))}`],
  ];
  return [...one, ...(collection ? many : [])].flatMap(([chance, option]) => (random.chance(chance) ? [option()] : []));
}

/** A sequence of transformations. */
function transformations(type: EntityType, random: Random, subject: Subject): string {
  const first = random.chance(0.4) ? `${subset(type, random, subject)}/` : '';
  return first + random.pick([aggregate, grouped, grouped, subset, computed, concatenated])(type, random, subject);
}

type Step = (type: EntityType, random: Random, subject: Subject) => string;

const subset: Step = (type, random, subject) => {
  const name = fieldName(type, random, subject);
  return random.pick([
    `filter(${condition(type, random, subject, 2)})`,
    `topcount(1,${name})`,
    `bottomcount(2,${name})`,
    `orderby(${name})/top(1)`,
    'skip(1)',
    `search(${searched(random, subject)})`,
    'identity',
  ]);
};

const aggregate: Step = (type, random, subject) => {
  const name = fieldName(type, random, subject);
  const method = random.pick(['min', 'max', 'sum', 'average', 'countdistinct']);
  const navigations = Object.entries(type.navigation).filter(([, { collection }]) => collection);
  const related = navigations.map(([path, navigation]) =>
    random.pick([
      `${path}/$count as Made`,
      `${path}/${fieldName(targetOf(subject.container, navigation), random, subject)} with ${method} as Made`,
    ]),
  );
  return `aggregate(${random.pick([`${name} with ${method} as Made`, `${name} with ${method} as Made,$count as Number`, '$count as Made', ...related])})`;
};

const grouped: Step = (type, random, subject) => {
  const names = [fieldName(type, random, subject), fieldName(type, random, subject)];
  const singles = Object.entries(type.navigation).filter(([, { collection }]) => !collection);
  const paths = singles.map(([path, navigation]) => `${path}/${fieldName(targetOf(subject.container, navigation), random, subject)}`);
  const by = random.pick([names[0], names.join(','), `rollup(${names.join(',')})`, ...paths]);
  return random.pick([
    `groupby((${by}))`,
    `groupby((${by}),${aggregate(type, random, subject)})`,
    `groupby((${by}),aggregate($count as Number))/filter(Number gt 1)`,
  ]);
};

const computed: Step = (type, random, subject) => `compute(${value(type, random, subject, 1)} as Made)/aggregate(Made with max as Most)`;

const concatenated: Step = (type, random, subject) =>
  `concat(${aggregate(type, random, subject)},${random.pick([subset, grouped])(type, random, subject)})`;
