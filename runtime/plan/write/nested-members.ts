import { isDirect, type EntityType } from '../../edm/index.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

/** What a body says within complex values of the records that these lead to, each under its whole path: `Address/Country@odata.bind`. */
export function nestedMembers(type: EntityType, body: JsonObject): readonly (readonly [name: string, json: Json])[] {
  return nestedPaths(type).flatMap((path) => {
    const value = valueAt(body, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    const said = value === undefined ? [] : [...value.members].filter(([member]) => speaksOf(member, name));
    return said.map(([member, json]) => [[...path.slice(0, -1), member].join('/'), json] as const);
  });
}

/** The body with what is stored of its complex values. */
export function withoutNested(type: EntityType, body: JsonObject): JsonObject {
  return nestedPaths(type).reduce(without, body);
}

function nestedPaths({ navigation }: EntityType): readonly (readonly string[])[] {
  return Object.keys(navigation).filter((name) => !isDirect(name)).map((name) => name.split('/'));
}

function speaksOf(member: string, name: string): boolean {
  return member === name || member.startsWith(`${name}@`);
}

function valueAt(body: JsonObject, path: readonly string[]): JsonObject | undefined {
  return path.reduce<JsonObject | undefined>((value, name) => {
    const inner = value?.members.get(name) ?? null;
    return isObject(inner) ? inner : undefined;
  }, body);
}

function without(body: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  if (rest.length === 0) return { kind: 'object', members: new Map([...body.members].filter(([member]) => !speaksOf(member, name))) };
  const inner = body.members.get(name) ?? null;
  return isObject(inner) ? { kind: 'object', members: new Map([...body.members, [name, without(inner, rest)]]) } : body;
}
