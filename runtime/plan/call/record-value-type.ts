import { qualify, recordTypeNamed, type EntityContainer, type RecordType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { excerpt } from '../../expression/quote.js';
import type { JsonObject } from '../../json/json.js';

/** The type of a record that is no stored one, and whether the record says it. */
export type RecordValueType = { readonly type: RecordType; readonly said: boolean } | { readonly fault: ODataError };

/** What a record of a parameter or an answer is of: the declared type, or the derived one that its `@odata.type` names (JSON format 4.5.3). */
export function recordValueType(path: string, declared: RecordType, { members }: JsonObject, container: EntityContainer): RecordValueType {
  const sent = members.get('@odata.type') ?? members.get('@type');
  if (sent === undefined) return { type: declared, said: false };
  const name = typeof sent === 'string' ? qualify(container, sent.slice(sent.lastIndexOf('#') + 1)) : '';
  if (name === declared.qualifiedName) return { type: declared, said: false };
  const { derivedTypes = [] } = declared;
  const type = derivedTypes.includes(name) ? recordTypeNamed(container, name) : undefined;
  if (type && !type.abstract) return { type, said: true };
  const types = [declared, ...derivedTypes.flatMap((one) => recordTypeNamed(container, one) ?? [])].filter(({ abstract }) => !abstract);
  const known = types.map(({ qualifiedName }) => `#${qualifiedName}`);
  return { fault: errors.invalidValue(excerpt(String(sent)), `${path}/@odata.type`, `: here it can be ${known.join(', ')}`).at(path) };
}
