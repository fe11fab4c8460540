import { targetOf } from '../../../runtime/edm/index.js';
import { type EntityType } from '../../../runtime/edm/entity-type.js';
import { type Field } from '../../../runtime/edm/field.js';
import type { Random } from '../../permission/random.js';
import { fieldName, keyOf, literalOf, type Subject } from './subject.js';

/** A condition that holds for some records and not for others, of restricted values too. */
export function condition(type: EntityType, random: Random, subject: Subject, depth: number): string {
  const inner = (): string => condition(type, random, subject, depth - 1);
  if (depth > 0 && random.chance(0.4)) {
    const [left, right] = [inner(), inner()];
    return random.pick([
      `not (${left})`,
      `(${left}) or (${right})`,
      `(${left}) and (${right})`,
      `((${left}) eq true)`,
      `((${left}) ne (${right}))`,
      `case(${left}:true,true:${right})`,
    ]);
  }
  if (random.chance(0.2)) return navigated(type, random, subject, depth);
  if (random.chance(0.08)) return rooted(random, subject, depth);
  return ofField('', type, random, subject);
}

// Records of another set, whoever asks (URL conventions 5.1.1.14.4).
function rooted(random: Random, subject: Subject, depth: number): string {
  const type = random.pick(subject.types);
  const root = `$root/${type.entitySet ?? type.singleton}`;
  if (type.entitySet === undefined || random.chance(0.5))
    return ofField(`${root}${type.entitySet === undefined ? '' : `(${keyOf(type, random, subject)})`}/`, type, random, subject);
  return random.pick([
    `${root}/any(r:${ofField('r/', type, random, subject)})`,
    `${root}/$count gt ${random.below(20)}`,
    `${root}/$count($filter=${condition(type, random, subject, depth > 0 ? 1 : 0)}) gt 1`,
  ]);
}

function navigated(type: EntityType, random: Random, subject: Subject, depth: number): string {
  const navigations = Object.entries(type.navigation);
  if (navigations.length === 0) return 'true';
  const [name, navigation] = random.pick(navigations);
  const target = targetOf(subject.container, navigation);
  if (!navigation.collection)
    return random.pick([
      ofField(`${name}/`, target, random, subject),
      ofField(`${name}/`, target, random, subject),
      `${name} eq null`,
      `${name} ne null`,
      `not (${name} eq null)`,
    ]);
  const inside = depth > 0 && random.chance(0.3) ? navigatedFrom('x/', target, random, subject) : ofField('x/', target, random, subject);
  return random.pick([
    `${name}/any(x:${inside})`,
    `${name}/all(x:${inside})`,
    `${name}/any()`,
    `${name}/$count gt ${random.below(3)}`,
    `${name}/$count($filter=${condition(target, random, subject, depth > 0 ? 1 : 0)}) gt 0`,
    `${name}/$filter(${ofField('', target, random, subject)})/$count eq 1`,
    `${name}(${keyOf(target, random, subject)})/${fieldName(target, random, subject)} ne null`,
  ]);
}

function navigatedFrom(prefix: string, type: EntityType, random: Random, subject: Subject): string {
  const singles = Object.entries(type.navigation).filter(([, { collection }]) => !collection);
  if (singles.length === 0) return ofField(prefix, type, random, subject);
  const [name, navigation] = random.pick(singles);
  return ofField(`${prefix}${name}/`, targetOf(subject.container, navigation), random, subject);
}

function ofField(prefix: string, type: Pick<EntityType, 'name' | 'fields'>, random: Random, subject: Subject): string {
  const name = fieldName(type, random, subject);
  const field = type.fields[name];
  const complex = field?.complex === undefined ? undefined : subject.container.complexTypes?.[field.complex];
  if (complex && !field?.collection && Object.keys(complex.fields).length > 0 && random.chance(0.7)) {
    const member = random.pick(Object.keys(complex.fields));
    return comparison(`${prefix}${name}/${member}`, complex.fields[member], random, subject);
  }
  return comparison(`${prefix}${name}`, field, random, subject);
}

/** A comparison at the end of a path. */
function comparison(path: string, field: Field | undefined, random: Random, subject: Subject): string {
  const literal = literalOf(field, random, subject);
  if (field?.collection)
    return random.pick([
      `${path}/any(y:y eq ${literal})`,
      `${path}/all(y:y ne ${literal})`,
      `${path}/$count gt 0`,
      `${path}/any()`,
      `hassubset(${path},[])`,
    ]);
  const forms = [
    `${path} ${random.pick(['eq', 'ne', 'gt', 'ge', 'lt', 'le'])} ${literal}`,
    `${path} eq null`,
    `${path} ne null`,
    `${path} in (${literal},null)`,
    `case(${path} eq null:${literal},true:${path}) eq ${literal}`,
    `${literal} ge ${path}`,
    ...moreOf(field?.type, path, literal),
  ];
  return random.pick(forms);
}

function moreOf(type: string | undefined, path: string, literal: string): readonly string[] {
  switch (type) {
    case 'Edm.String':
      return [
        `contains(${path},'a')`,
        `startswith(${path},'b')`,
        `endswith(${path},'h')`,
        `length(${path}) gt 10`,
        `tolower(${path}) eq 'x'`,
        `matchespattern(${path},'^b')`,
        `indexof(${path},'a') ge 0`,
        `concat(${path},'a') ne 'a'`,
        `substring(${path},1) eq 'a'`,
        `trim(${path}) eq ${literal}`,
      ];
    case 'Edm.Decimal':
    case 'Edm.Double':
      return [
        `${path} add 1 gt 390000`,
        `${path} div 2 lt 200000`,
        `round(${path}) eq 390000`,
        `${path} sub ${path} eq 0`,
        `cast(${path},Edm.String) eq '390000.00'`,
        `-${path} lt 0`,
        `${path} mul 2 mod 3 eq 0`,
        `${path} divby 3 gt 1`,
      ];
    case 'Edm.DateTimeOffset':
      return [
        `year(${path}) eq 2026`,
        `date(${path}) eq 2026-03-01`,
        `${path} lt now()`,
        `${path} sub duration'P1D' lt ${literal}`,
        `hour(${path}) eq 10`,
      ];
    default:
      return [];
  }
}

/** A value to compute with. */
export function value(type: EntityType, random: Random, subject: Subject, depth: number): string {
  const name = fieldName(type, random, subject);
  return random.pick([
    name,
    `case(${name} eq null:1,true:2)`,
    `length(${name})`,
    `${name} add 1`,
    `case(${condition(type, random, subject, depth)}:1,true:0)`,
    `cast(${name},Edm.String)`,
  ]);
}
