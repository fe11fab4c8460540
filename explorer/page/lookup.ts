import { send } from './service.js';
import { tables, token } from './state.js';

const known = new Map<string, Promise<readonly string[]>>();

/** The values of a lookup as literals, where the service has them as records (RESO's Lookup resource). */
export function lookupValues(name: string): Promise<readonly string[]> {
  const found = known.get(name) ?? readValues(name);
  known.set(name, found);
  return found;
}

async function readValues(name: string): Promise<readonly string[]> {
  if (tables.value?.container.entitySets['Lookup'] === undefined) return [];
  const filter = encodeURIComponent(`LookupName eq '${name}'`);
  const { body } = await send(`/Lookup?$filter=${filter}&$select=LookupValue&$top=500`, { token: token.value });
  const { value = [] } = body as { readonly value?: readonly { readonly LookupValue?: string }[] };
  return value.flatMap(({ LookupValue: text }) => (text === undefined ? [] : [`'${text.replaceAll("'", "''")}'`]));
}
