import { container } from '../../generated/index.js';
import { targetOf, type EntityType, type Field } from '../../runtime/edm/index.js';
import { restrictedOf } from './restricted.js';
import type { Random } from './random.js';

/** A request that a caller may try to learn something by. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request of any form; half of the names in it are restricted ones. */
export function randomRequest(random: Random): RandomRequest {
  const type = random.pick(Object.values(container.entityTypes).filter(({ entitySet, name }) => entitySet !== undefined && (restrictedOf(name).length > 0 || random.chance(0.2))));
  const maker = random.pick([collection, collection, collection, record, property, count, filterSegment, write, search]);
  return maker(type, random);
}

type Maker = (type: EntityType, random: Random) => RandomRequest;

const get = (path: string, headers: Readonly<Record<string, string>> = {}): RandomRequest => ({ method: 'GET', path, headers });

const collection: Maker = (type, random) => {
  const options = [`$filter=${encodeURIComponent(condition(type, random, 3))}`, `$orderby=${fieldName(type, random)}${random.pick(['', ' desc'])}`, `$select=${fieldName(type, random)},${fieldName(type, random)}`, `$expand=${expansion(type, random)}`, '$count=true', `$top=${random.pick([1, 2, 5])}`, `$skip=${random.below(3)}`, `$compute=${encodeURIComponent(`${value(type, random, 1)} as Made`)}`, `$apply=${encodeURIComponent(transformation(type, random))}`, `$search=${random.pick(['cash', 'king', 'seller', '"in a"'])}`];
  const weights = [0.7, 0.3, 0.4, 0.3, 0.2, 0.3, 0.1, 0.1, 0.1, 0.05];
  const chosen = options.filter((_, index) => random.chance(weights[index] ?? 0));
  const headers = random.chance(0.1) ? { Accept: 'application/json;odata.metadata=full' } : {};
  return get(`/${type.entitySet}?${chosen.join('&')}`, headers);
};

const record: Maker = (type, random) => get(`/${type.entitySet}(${keyOf(type, random)})?$select=${fieldName(type, random)},*&$expand=${expansion(type, random)}`, random.chance(0.3) ? { 'If-None-Match': random.pick(['*', 'W/"1"', 'W/"2"']) } : {});

const property: Maker = (type, random) => get(`/${type.entitySet}(${keyOf(type, random)})/${fieldName(type, random)}${random.pick(['', '/$value', '/$count'])}`);

const count: Maker = (type, random) => get(`/${type.entitySet}/$count?$filter=${encodeURIComponent(condition(type, random, 3))}`);

const filterSegment: Maker = (type, random) => get(`/${type.entitySet}/$filter(${encodeURIComponent(condition(type, random, 2))})${random.pick(['', '/$count'])}`);

const search: Maker = (type, random) => get(`/${type.entitySet}?$search=${random.pick(['cash', 'seller', 'buyer', 'king OR cash', 'NOT cash'])}&$filter=${encodeURIComponent(condition(type, random, 1))}`);

const write: Maker = (type, random) => ({
  method: random.pick(['PATCH', 'POST', 'DELETE']),
  path: `/${type.entitySet}(${keyOf(type, random)})`,
  headers: { 'Content-Type': 'application/json' },
  body: `{"${fieldName(type, random)}":${random.pick(['null', '1', '"a"'])}}`,
});

function fieldName(type: EntityType, random: Random): string {
  const restricted = restrictedOf(type.name);
  return restricted.length > 0 && random.chance(0.5) ? random.pick(restricted) : random.pick(Object.keys(type.fields));
}

function keyOf(type: EntityType, random: Random): string {
  return random.pick(type.name === 'Property' ? ["'3'", "'6'", "'Draft2'", "'99'"] : ["'M1'", "'M2'", "'O1'", "'1'", '1']);
}

// Conditions that hold for some records and not for others, of restricted values too.
function condition(type: EntityType, random: Random, depth: number): string {
  if (depth > 0 && random.chance(0.4)) {
    const [left, right] = [condition(type, random, depth - 1), condition(type, random, depth - 1)];
    return random.pick([`not (${left})`, `(${left}) or (${right})`, `(${left}) and (${right})`, `((${left}) eq true)`, `((${left}) ne (${right}))`, `case(${left}:true,true:${right})`]);
  }
  if (random.chance(0.2)) return navigated(type, random, depth);
  const name = fieldName(type, random);
  return comparison(name, type.fields[name], random);
}

function navigated(type: EntityType, random: Random, depth: number): string {
  const navigations = Object.entries(type.navigation);
  if (navigations.length === 0) return 'true';
  const [name, navigation] = random.pick(navigations);
  const target = targetOf(container, navigation);
  if (!navigation.collection) {
    const inner = fieldName(target, random);
    return comparison(`${name}/${inner}`, target.fields[inner], random);
  }
  const inner = fieldName(target, random);
  const test = comparison(`x/${inner}`, target.fields[inner], random);
  return random.pick([`${name}/any(x:${test})`, `${name}/all(x:${test})`, `${name}/$count($filter=${condition(target, random, depth > 0 ? 1 : 0)}) gt 0`]);
}

function comparison(path: string, field: Field | undefined, random: Random): string {
  if (field?.collection) return random.pick([`${path}/any(y:y eq 'Brick')`, `${path}/$count gt 0`, `${path}/any()`]);
  const literal = random.pick(literals[field?.type ?? ''] ?? ['null']);
  const forms = [`${path} ${random.pick(['eq', 'ne', 'gt', 'ge', 'lt', 'le'])} ${literal}`, `${path} eq null`, `${path} ne null`, `${path} in (${literal},null)`, `case(${path} eq null:${literal},true:${path}) eq ${literal}`, `${literal} ge ${path}`];
  if (field?.type === 'Edm.String') forms.push(`contains(${path},'a')`, `startswith(${path},'b')`, `length(${path}) gt 10`, `tolower(${path}) eq 'x'`, `${path} eq City`, `matchespattern(${path},'^b')`, `indexof(${path},'a') ge 0`, `concat(${path},'a') ne 'a'`);
  if (field?.type === 'Edm.Decimal') forms.push(`${path} add 1 gt 390000`, `${path} div 2 lt 200000`, `round(${path}) eq 390000`, `${path} eq ListPrice`, `${path} sub ${path} eq 0`, `cast(${path},Edm.String) eq '390000.00'`);
  return random.pick(forms);
}

const literals: { readonly [type: string]: readonly string[] } = {
  'Edm.String': ["'King'", "'buyer paid cash'", "'anna@example.org'", "''", "'400000.00'"],
  'Edm.Decimal': ['390000', '0', '1e6', 'null'],
  'Edm.Int32': ['0', '2', '2025'],
  'Edm.Int64': ['0', '300'],
  'Edm.Boolean': ['true', 'false'],
  'Edm.Date': ['2026-04-01'],
  'Edm.DateTimeOffset': ['2026-03-01T10:00:00Z'],
};

function value(type: EntityType, random: Random, depth: number): string {
  const name = fieldName(type, random);
  return random.pick([name, `case(${name} eq null:1,true:2)`, `length(${name})`, `${name} add 1`, `case(${condition(type, random, depth)}:1,true:0)`]);
}

function transformation(type: EntityType, random: Random): string {
  const name = fieldName(type, random);
  return random.pick([
    `aggregate(${name} with ${random.pick(['min', 'max', 'sum', 'average', 'countdistinct'])} as Made)`, `groupby((${name}),aggregate($count as Made))`, `filter(${condition(type, random, 2)})/aggregate($count as Made)`,
    `compute(${value(type, random, 1)} as Made)/aggregate(Made with max as Most)`, `topcount(1,${name})`, `orderby(${name})/top(1)`, `groupby((${fieldName(type, random)}))`,
  ]);
}

function expansion(type: EntityType, random: Random): string {
  const entries = Object.entries(type.navigation);
  if (entries.length === 0) return '*';
  const [name, navigation] = random.pick(entries);
  const target = targetOf(container, navigation);
  const options = random.pick([[], [`$select=${fieldName(target, random)}`], [`$select=${fieldName(target, random)},*`], ...(navigation.collection ? [[`$filter=${encodeURIComponent(condition(target, random, 1))}`, '$count=true'], [`$orderby=${fieldName(target, random)}`]] : [])]);
  return options.length === 0 ? name : `${name}(${options.join(';')})`;
}
