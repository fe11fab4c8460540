import { isDirect, type EntityContainer, type EntityType } from '../../edm/index.js';
import { stepsOf } from '../path/nested-path.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { valueAlong } from '../value/value-along.js';

/** The members of complex values for navigation properties, by their full path: `Address/Country@odata.bind`. */
export function nestedMembers(
  type: EntityType,
  body: JsonObject,
  container: EntityContainer,
): readonly (readonly [name: string, json: Json])[] {
  return nestedPaths(type).flatMap((path) => {
    const { steps, name } = stepsOf(path);
    const value = valueAlong(body, steps, container);
    const said = value === undefined ? [] : [...value.members].filter(([member]) => speaksOf(member, name));
    return said.map(([member, json]) => [path.slice(0, path.length - name.length) + member, json] as const);
  });
}

/** The body without members for nested navigation properties. */
export function withoutNested(type: EntityType, body: JsonObject, container: EntityContainer): JsonObject {
  return nestedPaths(type).reduce((before, path) => {
    const { steps, name } = stepsOf(path);
    return valueAlong(body, steps, container) === undefined ? before : without(before, [...steps.map((step) => step.name), name]);
  }, body);
}

const paths = new WeakMap<EntityType, readonly string[]>();

// Computed once per type; most have none.
function nestedPaths(type: EntityType): readonly string[] {
  const known = paths.get(type) ?? Object.keys(type.navigation).filter((name) => !isDirect(name));
  paths.set(type, known);
  return known;
}

function speaksOf(member: string, name: string): boolean {
  return member === name || member.startsWith(`${name}@`);
}

function without(body: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  if (rest.length === 0) return { kind: 'object', members: new Map([...body.members].filter(([member]) => !speaksOf(member, name))) };
  const inner = body.members.get(name) ?? null;
  return isObject(inner) ? { kind: 'object', members: new Map([...body.members, [name, without(inner, rest)]]) } : body;
}
