import { targetOf } from '../../../runtime/edm/index.js';
import { type EntityType } from '../../../runtime/edm/entity-type.js';
import { type Field } from '../../../runtime/edm/field.js';
import { type Navigation } from '../../../runtime/edm/navigation.js';
import type { Random } from '../../permission/random.js';
import { fieldName, keyOf, type Subject } from './subject.js';

/** The context of values. */
type Values = Pick<Subject, 'container' | 'literals'>;

/** A value of a property or parameter, as JSON. */
export function jsonOf(field: Field | undefined, random: Random, subject: Values): string {
  if (field?.collection) return `[${random.below(2) === 0 ? '' : single(field, random, subject)}]`;
  return field?.nullable && random.chance(0.2) ? 'null' : single(field, random, subject);
}

function single(field: Field | undefined, random: Random, subject: Values): string {
  if (field?.enumeration) return `"${random.pick(field.enumeration.members)[0]}"`;
  if (field?.complex !== undefined) return complexJson(field.complex, random, subject);
  const literal = random.pick(subject.literals[field?.type ?? ''] ?? ['0', '1', '2']);
  const quoted = /^(?:[a-z]+)?'(.*)'$/.exec(literal)?.[1];
  if (quoted !== undefined) return JSON.stringify(quoted.replaceAll("''", "'"));
  return /^-?[\d.]+(e\d+)?$/.test(literal) || ['true', 'false', 'null'].includes(literal) ? literal : JSON.stringify(literal);
}

function complexJson(name: string, random: Random, subject: Values): string {
  const complex = subject.container.complexTypes?.[name];
  const members = Object.entries(complex?.fields ?? {}).filter(() => random.chance(0.5));
  return `{${members.map(([member, field]) => `"${member}":${field.complex === undefined ? jsonOf(field, random, subject) : 'null'}`).join(',')}}`;
}

/** An entity's body with some properties and nested entities. */
export function recordBody(type: EntityType, random: Random, subject: Subject, depth = 1): string {
  return `{${recordMembers(type, random, subject, depth).join(',')}}`;
}

/** Some members of a record, each property at most once; now and then with one twice. */
function recordMembers(type: EntityType, random: Random, subject: Subject, depth: number): readonly string[] {
  const required = [...type.rules.requiredOnCreate, ...type.rules.requiredOnUpdate].filter(() => random.chance(0.9));
  const names = new Set([
    ...type.key.filter((name) => type.fields[name] && random.chance(0.6)),
    ...required,
    ...Array.from({ length: random.below(3) }, () => fieldName(type, random, subject)),
  ]);
  const members = [...names].map(
    (name) => `"${name}":${type.key.includes(name) ? keyJson(type, random, subject) : jsonOf(type.fields[name], random, subject)}`,
  );
  const navigations = Object.entries(type.navigation);
  if (navigations.length > 0 && random.chance(0.3)) members.push(relatedMember(random.pick(navigations), random, subject, depth));
  return random.chance(0.02) ? [...members, ...members] : members;
}

function keyJson(type: EntityType, random: Random, subject: Subject): string {
  const key = keyOf(type, random, subject);
  return key.startsWith("'") ? JSON.stringify(key.slice(1, -1)) : /^-?\d+$/.test(key) ? key : `"${key.replaceAll('"', '')}"`;
}

function relatedMember([name, navigation]: readonly [string, Navigation], random: Random, subject: Subject, depth: number): string {
  const target = targetOf(subject.container, navigation);
  const id = (): string => `"${addressOf(target, random, subject)}"`;
  const nested = (): string => (depth > 0 ? recordBody(target, random, subject, depth - 1) : `{"@id":${id()}}`);
  if (!navigation.collection)
    return random.pick([`"${name}@odata.bind":${id()}`, `"${name}":{"@id":${id()}}`, `"${name}":${nested()}`, `"${name}":null`]);
  return random.pick([
    `"${name}@odata.bind":[${id()}]`,
    `"${name}":[{"@id":${id()}},${nested()}]`,
    `"${name}":[${nested()}]`,
    `"${name}":[]`,
    `"${name}@delta":[${deltaItem(target, random, subject)}]`,
  ]);
}

/** The address of a record below the service root. */
export function addressOf(type: EntityType, random: Random, subject: Subject): string {
  if (type.singleton !== undefined) return type.singleton;
  return `${type.entitySet ?? 'Nowhere'}(${keyOf(type, random, subject)})`;
}

/** A delta of a collection (JSON format 15). */
export function deltaBody(type: EntityType, random: Random, subject: Subject): string {
  const items = Array.from({ length: 1 + random.below(3) }, () => deltaItem(type, random, subject));
  return `{"@context":"#$delta","value":[${items.join(',')}]}`;
}

function deltaItem(type: EntityType, random: Random, subject: Subject): string {
  const id = `"@id":"${addressOf(type, random, subject)}"`;
  const record = recordBody(type, random, subject).slice(1);
  return random.pick([
    `{${id}${record === '}' ? '}' : `,${record}`}`,
    `{${record}`,
    `{"@removed":{"reason":"${random.pick(['deleted', 'changed'])}"},${id}}`,
  ]);
}
