import type { JsonObject } from '../../json/json.js';
import { printJson } from '../../json/print-json.js';

const names = ['@Core.ContentID', '@Org.OData.Core.V1.ContentID'] as const;

/** The full name of the term, as a preference for annotations says it. */
export const contentIdTerm = 'Org.OData.Core.V1.ContentID';

/** What a request calls a record (protocol 11.4.2.2, JSON format 15.7), as a member of an object. */
export function contentIdOf({ members }: JsonObject): string | undefined {
  const name = names.find((one) => members.has(one));
  return name && `${JSON.stringify(name)}:${printJson(members.get(name) ?? null)}`;
}
