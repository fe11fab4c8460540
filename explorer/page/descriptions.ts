import { signal } from '@preact/signals';
import { send } from './service.js';
import { token } from './state.js';

/** Descriptions of properties from `$metadata`, by the qualified name of the type and the property. */
export const descriptions = signal<ReadonlyMap<string, string>>(new Map());

let isLoading = false;

/** Reads the descriptions once, after the first view. */
export async function loadDescriptions(): Promise<void> {
  if (isLoading) return;
  isLoading = true;
  const { body } = await send('/$metadata?$format=json', { token: token.value });
  descriptions.value = new Map(Object.entries(body as Json).flatMap(([namespace, schema]) => ofSchema(namespace, schema)));
}

type Json = Readonly<Record<string, unknown>>;

function ofSchema(namespace: string, schema: unknown): readonly (readonly [string, string])[] {
  if (namespace.startsWith('$') || typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([type, members]) => ofMembers(`${namespace}.${type}`, members));
}

function ofMembers(type: string, members: unknown): readonly (readonly [string, string])[] {
  if (typeof members !== 'object' || members === null) return [];
  return Object.entries(members as Json).flatMap(([name, member]) => {
    const found = typeof member === 'object' && member !== null ? descriptionOf(member as Json) : undefined;
    return found === undefined ? [] : [[`${type}/${name}`, found] as const];
  });
}

function descriptionOf(member: Json): string | undefined {
  const [, text] = Object.entries(member).find(([term]) => /^@(?:.*\.)?(?:Core\.V1|Core)\.Description$/.test(term)) ?? [];
  return typeof text === 'string' ? text : undefined;
}
