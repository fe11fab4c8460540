import { anyEntity, qualify, type EntityContainer, type RecordType } from '../../edm/index.js';
import { recordTypeNamed } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { excerpt } from '../../expression/quote.js';
import type { JsonObject } from '../../json/json.js';
import { describeJson } from '../value/plan-value.js';

/** How many types a message names. */
const mostNamed = 20;

/** The type of a record that is no stored one, and whether the record says it. */
export type RecordValueType = { readonly type: RecordType; readonly said: boolean } | { readonly fault: ODataError };

/** The type of records that a parameter takes; of any type where it is Edm.EntityType, which has no properties of its own (CSDL 4.01, 3.4). */
export function declaredRecordType(container: EntityContainer, name: string): RecordType | undefined {
  return name === anyEntity ? anyRecordType(container) : recordTypeNamed(container, name);
}

const known = new WeakMap<EntityContainer, RecordType>();

function anyRecordType(container: EntityContainer): RecordType {
  const types = Object.values({ ...container.entityTypes, ...container.transientTypes });
  const type: RecordType = known.get(container) ?? {
    name: 'record of any type',
    qualifiedName: anyEntity,
    abstract: true,
    derivedTypes: [...new Set(types.map(({ qualifiedName }) => qualifiedName))],
    fields: {},
    navigation: {},
  };
  known.set(container, type);
  return type;
}

/** What a record of a parameter or an answer is of: the declared type, or the derived one that its `@odata.type` names (JSON format 4.5.3). */
export function recordValueType(path: string, declared: RecordType, { members }: JsonObject, container: EntityContainer): RecordValueType {
  const sent = members.get('@odata.type') ?? members.get('@type');
  const name = typeof sent === 'string' ? qualify(container, sent.slice(sent.lastIndexOf('#') + 1)) : '';
  if (sent === undefined || name === declared.qualifiedName)
    return isUntold(declared, members) ? { fault: untoldFault(path) } : { type: declared, said: false };
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

// Of any type is a reference alone, whose record has a type.
function isUntold({ qualifiedName }: RecordType, members: JsonObject['members']): boolean {
  return qualifiedName === anyEntity && typeof (members.get('@odata.id') ?? members.get('@id')) !== 'string';
}

function untoldFault(path: string): ODataError {
  return errors
    .missingRequired(
      `${path}/@odata.type`,
      `${path} may be of any type, so that it says its own with @odata.type, or is a reference with @id.`,
    )
    .at(path);
}
