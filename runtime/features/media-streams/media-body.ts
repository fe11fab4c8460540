import { randomUUID } from 'node:crypto';
import { type EntityType, type Field, primitives } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { type Json, type JsonObject, jsonObject } from '../../json/json.js';
import { accessTo, type Caller, rootOf } from '../../plan/caller.js';
import type { StreamTarget } from '../../plan/path/path-target.js';
import { storedJson } from '../../plan/value/value-text.js';
import { requireWritable } from '../../plan/write/plan-write.js';

/**
 * The properties that the service sets in a media entity created by its bytes: clients can send no properties with them
 * (protocol 11.4.7.1). A key is generated where it can be unique; states, references and patterns are omitted, and so
 * rejected if required.
 */
export function mediaBody({ key, fields, rules, transitions }: EntityType, given: ReadonlySet<string>): JsonObject {
  const chosen = new Set([...given, ...Object.keys(rules.references), transitions?.property]);
  const members = rules.requiredOnCreate.flatMap((name): readonly (readonly [string, Json])[] => {
    const field = fields[name];
    const value = chosen.has(name) || field === undefined ? undefined : key.includes(name) ? keyValue(field) : nothing(field);
    return value === undefined ? [] : [[name, value]];
  });
  return jsonObject(members);
}

function keyValue({ type, maxLength = 36 }: Field): Json | undefined {
  return type === 'Edm.Guid' || (type === 'Edm.String' && maxLength >= 36) ? randomUUID() : undefined;
}

function nothing({ type, enumeration, allowedValues, pattern, lookup }: Field): Json | undefined {
  const value = enumeration || allowedValues || pattern || lookup ? undefined : primitives[type].nothing;
  if (value?.kind === 'constant') return storedJson({ type }, value.value);
  return value && (type === 'Edm.Date' ? nowText().slice(0, 10) : nowText());
}

function nowText(): string {
  return new Date().toISOString().replace(/\.\d+/, '');
}

/** Refuses to change a stream that none of the caller's scopes lets change. */
export function requireWritableStream({ type, name }: StreamTarget, caller: Caller): void {
  requireWritable(type, 'update', caller);
  const access = accessTo(type, 'update', caller);
  if (access.allowed && access.restricted.has(rootOf(name))) throw errors.notPermitted(name).at(name);
}
