import { complexTypeNamed, type AnyNavigation, type EntityType } from '../../../runtime/edm/index.js';
import { isArray, isObject, type Json, type JsonObject } from '../../../runtime/json/json.js';
import { printJson } from '../../../runtime/json/print-json.js';
import { ask, faultOf, full, idOf, query, readAll, textOf, type Subject } from './client.js';
import type { Filled } from './records.js';
import { isSameShown } from './shown.js';

/** What leads to records of any type: of the records, of their complex values, or of the items of their collections. */
export interface AnyWay {
  readonly path: string;
  readonly any: AnyNavigation;
}

/** All that leads to records of any type from those of a type. */
export function anyWaysOf({ anyNavigation, anyItemNavigation }: EntityType): readonly AnyWay[] {
  return Object.entries({ ...anyNavigation, ...anyItemNavigation }).map(([path, any]) => ({ path, any }));
}

/** Finds at the address of each value that leads somewhere what is shown where it is expanded. */
export async function askAny(subject: Subject, { path, rows }: Filled, { path: name, any }: AnyWay): Promise<void> {
  const address = `${path}${query({ $expand: name })}`;
  const found = await readAll(subject, address, full);
  if (found.length !== rows.length) throw new Error(`${decodeURIComponent(address)}: ${found.length} of ${rows.length} records`);
  for (const row of found) {
    for (const { at, value } of valuesAt(row, name.split('/'), '', subject)) {
      const wanted = await follow(subject, `${idOf(subject, row)}${at}`, any);
      const [shown, expected] = [listOf(value), listOf(wanted)].map((list) =>
        list
          .map((one) => (isObject(one) ? idOf(subject, one) : printJson(one)))
          .toSorted()
          .join(' '),
      );
      if (shown !== expected)
        throw new Error(`${decodeURIComponent(address)}, at ${decodeURIComponent(at)}: ${shown} instead of ${expected}`);
      if (!any.collection && !isSameShown(value, wanted))
        throw new Error(
          `${decodeURIComponent(address)}, at ${decodeURIComponent(at)}: ${printJson(value)} instead of ${printJson(wanted)}`,
        );
    }
  }
}

async function follow(subject: Subject, address: string, { collection }: AnyNavigation): Promise<Json> {
  const answer = await ask(subject, address, { headers: full });
  if (answer.status === 204) return null;
  if (answer.status !== 200 || answer.json === undefined) throw new Error(`${answer.request}: ${faultOf(answer)}`);
  return collection ? { kind: 'array', items: await readAll(subject, address, full) } : answer.json;
}

function listOf(json: Json): readonly Json[] {
  return json === null ? [] : isArray(json) ? json.items : [json];
}

// What is shown at the end of a path, and the address of each behind the record's: items by their places.
function valuesAt(
  value: Json,
  [first, ...rest]: readonly string[],
  at: string,
  subject: Subject,
): readonly { readonly at: string; readonly value: Json }[] {
  if (isArray(value))
    return value.items.flatMap((item, index) => valuesAt(item, first === undefined ? [] : [first, ...rest], `${at}/${index}`, subject));
  if (!isObject(value) || first === undefined) return [];
  const here = `${at}/${encodeURIComponent(first)}`;
  // A value of another type may have a member of that name.
  if (first.includes('.')) return isOfType(value, first, subject) ? valuesAt(value, rest, here, subject) : [];
  const inner = value.members.get(first);
  if (inner === undefined) return [];
  return rest.length === 0 ? [{ at: here, value: inner }] : valuesAt(inner, rest, here, subject);
}

function isOfType(value: JsonObject, type: string, { container }: Subject): boolean {
  return [type, ...(complexTypeNamed(container, type)?.derived ?? [])].includes((textOf(value, '@odata.type') ?? '').slice(1));
}
