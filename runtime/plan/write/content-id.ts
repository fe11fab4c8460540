import { type JsonObject, printJson } from '../../json/json.js';

const names = ['@Core.ContentID', '@Org.OData.Core.V1.ContentID'] as const;

/** The qualified name of the term, as in a preference for annotations. */
export const contentIdTerm = 'Org.OData.Core.V1.ContentID';

/** The ContentID of an object (protocol 11.4.2.2, JSON format 15.7). */
export function contentIdOf({ members }: JsonObject): string | undefined {
  const name = names.find((one) => members.has(one));
  return name && `${JSON.stringify(name)}:${printJson(members.get(name) ?? null)}`;
}
