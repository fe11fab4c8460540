import {
  complexTypeNamed,
  fieldOf,
  navigationOf,
  targetOf,
  type EntityContainer,
  type EntityType,
  type Field,
  type StoredRecord,
} from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isArray, isObject, type Json } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';
import { typeMember } from '../plan/value/plan-complex.js';
import { asTarget } from '../plan/write/plan-link.js';
import type { Link, WritePlan } from '../plan/write/write-plan.js';
import type { LockedRecord } from './stored-record.js';

/**
 * Re-plans a change of an entity of a derived type that was planned for its base type: redefined navigation properties
 * have narrower targets (CSDL XML 4.01, 8).
 */
export function asOwnType(plan: WritePlan, { type }: LockedRecord, container: EntityContainer): WritePlan {
  if (type === plan.type || plan.links === undefined) return plan;
  return { ...plan, links: plan.links.map((link) => narrowedLink(link, type, container)) };
}

function narrowedLink(link: Link, type: EntityType, container: EntityContainer): Link {
  const navigation = navigationOf(type, link.name);
  if (navigation === undefined || navigation.target === link.navigation.target) return link;
  const target = targetOf(container, navigation);
  return { ...link, navigation, target, place: link.place && (asTarget(link.place, target) ?? link.place) };
}

/** The faults of complex values for which the entity's own type requires a narrower type (CSDL XML 4.01, 7). */
export function narrowedFaults(
  { type: planned }: WritePlan,
  { type }: LockedRecord,
  values: StoredRecord,
  container: EntityContainer,
): readonly ErrorDetail[] {
  if (type === planned) return [];
  return [...values].flatMap(([name, value]) => {
    const field = fieldOf(type, name);
    return field?.narrows && typeof value === 'string' ? faultsWithin(name, field, parseValue(value), container) : [];
  });
}

function faultsWithin(path: string, field: Field, json: Json, container: EntityContainer): readonly ErrorDetail[] {
  if (isArray(json)) return json.items.flatMap((item, index) => faultsWithin(`${path}[${index}]`, field, item, container));
  const { complex = '' } = field;
  const said = isObject(json) ? json.members.get(typeMember) : complex;
  const name = typeof said === 'string' ? said.slice(said.lastIndexOf('#') + 1) : undefined;
  const types = [complex, ...(complexTypeNamed(container, complex)?.derived ?? [])];
  if (name !== undefined && types.includes(name)) return [];
  const fault =
    name === undefined
      ? errors.missingRequired(
          `${path}/${typeMember}`,
          `${path} must say its type with @odata.type, since the record's own type gives it a narrower one: ${types.join(', ')}.`,
        )
      : errors.invalidValue(name, `${path}/${typeMember}`, `: the types are ${types.join(', ')}`);
  return [fault.at(path).asDetail()];
}
