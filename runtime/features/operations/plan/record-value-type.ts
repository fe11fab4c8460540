import { qualify } from '../../../edm/index.js';
import { type EntityContainer } from '../../../edm/entity-container.js';
import { type RecordType } from '../../../edm/entity-type.js';
import { recordTypeNamed } from '../../../plan/path/derivation.js';
import { errors } from '../../../errors/catalogue.js';
import type { ODataError } from '../../../errors/odata-error.js';
import { excerpt } from '../../../errors/suggest.js';
import type { JsonObject } from '../../../json/json.js';
import { describeJson } from '../../../plan/value/plan-value.js';

/** The most types that a message names. */
const mostNamed = 20;

/** The type of a transient entity, and whether it has its own `@odata.type`. */
export type RecordValueType = { readonly type: RecordType; readonly said: boolean } | { readonly fault: ODataError };

/**
 * The type of an entity in a parameter or a result: the declared type, or the derived one in its `@odata.type` (JSON
 * format 4.5.3).
 */
export function recordValueType(path: string, declared: RecordType, { members }: JsonObject, container: EntityContainer): RecordValueType {
  const sent = members.get('@odata.type') ?? members.get('@type');
  const name = typeof sent === 'string' ? qualify(container, sent.slice(sent.lastIndexOf('#') + 1)) : '';
  if (sent === undefined || name === declared.qualifiedName) return { type: declared, said: false };
  if (typeof sent !== 'string') return { fault: errors.wrongJsonType(`${path}/@odata.type`, 'a string', describeJson(sent)).at(path) };
  const { derivedTypes = [] } = declared;
  const type = derivedTypes.includes(name) ? recordTypeNamed(container, name) : undefined;
  if (type && !type.abstract) return { type, said: true };
  const types = [declared, ...derivedTypes.flatMap((one) => recordTypeNamed(container, one) ?? [])].filter(({ abstract }) => !abstract);
  const names = types.slice(0, mostNamed).map(({ qualifiedName }) => `#${qualifiedName}`);
  return {
    fault: errors
      .invalidValue(
        excerpt(sent),
        `${path}/@odata.type`,
        `: here it can be ${names.join(', ')}${types.length > mostNamed ? ' and others' : ''}`,
      )
      .at(path),
  };
}
