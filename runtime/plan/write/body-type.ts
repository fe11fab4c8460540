import type { EntityContainer, EntityType } from '../../edm/index.js';
import { entityTypeNamed, isTypeOrBase, typesWithin } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail, ODataError } from '../../errors/odata-error.js';
import { excerpt, withArticle } from '../../errors/suggest.js';
import type { JsonObject } from '../../json/json.js';
import { describeJson } from '../value/plan-value.js';

/** The type of a new entity: its `@odata.type`, or else the declared type (JSON format 4.5.3). */
export function createdType(
  declared: EntityType,
  body: JsonObject,
  container: EntityContainer,
): { readonly type: EntityType; readonly faults: readonly ErrorDetail[] } {
  const { type = declared, fault } = statedType(declared, body, container);
  const why = fault ?? (type.abstract ? abstractFault(type, container) : undefined);
  return { type, faults: detailOf(why) };
}

/** The fault of an update with another type than the entity's, which cannot change. */
export function statedFaults(actual: EntityType, body: JsonObject, container: EntityContainer): readonly ErrorDetail[] {
  const { type, fault } = statedType(actual, body, container);
  const changed =
    type !== undefined && type !== actual
      ? errors.readOnly('@odata.type', `the record is ${withArticle(actual.qualifiedName)}, and its type cannot change`)
      : undefined;
  return detailOf(fault ?? changed);
}

function detailOf(why: ODataError | undefined): readonly ErrorDetail[] {
  return why === undefined ? [] : [why.at('@odata.type').asDetail()];
}

interface Stated {
  readonly type?: EntityType;
  readonly fault?: ODataError;
}

function statedType(declared: EntityType, { members }: JsonObject, container: EntityContainer): Stated {
  const sent = members.get('@odata.type') ?? members.get('@type');
  if (sent === undefined) return {};
  if (typeof sent !== 'string') return { fault: errors.wrongJsonType('@odata.type', 'a string', describeJson(sent)) };
  // The fragment of a context URL, in 4.01 optionally without its number sign.
  const name = sent.slice(sent.lastIndexOf('#') + 1);
  const type = entityTypeNamed(container, name, declared);
  if (type && isTypeOrBase(type, declared.qualifiedName)) return { type };
  // A base type is consistent with the known type.
  if (type ? isTypeOrBase(declared, type.qualifiedName) : declared.baseTypes?.includes(name)) return {};
  const names = typesWithin(declared, container).map(({ qualifiedName }) => `#${qualifiedName}`);
  return { fault: errors.invalidValue(excerpt(sent), '@odata.type', `: here it can be ${names.join(', ')}`) };
}

function abstractFault(type: EntityType, container: EntityContainer): ODataError {
  const names = typesWithin(type, container).map(({ qualifiedName }) => `#${qualifiedName}`);
  const what =
    names.length === 0
      ? 'and has no derived type, so no record can have it'
      : `so @odata.type must specify the type of the record: ${names.join(', ')}`;
  return errors.missingRequired('@odata.type', `${type.qualifiedName} is abstract, ${what}.`);
}
