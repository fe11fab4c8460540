import { type EntityContainer, type Field, type FieldTable, own, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt } from '../../errors/suggest.js';
import type { ODataError } from '../../errors/odata-error.js';
import type { Json, JsonObject } from '../../json/json.js';
import { declaredText, typeInUrl } from '../../edm/lookup.js';

/** The member with the type of a value, in stored form. */
export const typeMember = '@odata.type';

/** Types whose values have types of their own. */
const abstractTypes: readonly string[] = ['Edm.Untyped', 'Edm.Geography', 'Edm.Geometry'];

/**
 * The fault of a member such as `City@odata.type` that contradicts the declared type of its property (JSON format 4.6.3);
 * a complex value of a derived type has its type within it.
 */
export function statedTypeFault(member: string, sent: Json, fields: FieldTable, container: EntityContainer): ODataError | undefined {
  const [, name = ''] = /^([^@]+)@(?:odata\.)?type$/.exec(member) ?? [];
  const field = own(fields, name);
  if (field === undefined || typeof sent !== 'string' || abstractTypes.includes(field.shape ?? field.type)) return undefined;
  const [, list, stated = ''] = /^(Collection\()?(.*?)\)?$/s.exec(typeInUrl(sent)) ?? [];
  const qualified = stated.includes('.') ? qualify(container, stated) : `Edm.${stated}`;
  if (typesOf(field).includes(qualified) && (list !== undefined) === (field.collection === true)) return undefined;
  return errors.invalidValue(excerpt(sent), member, `: the type of ${name} is ${declaredText(field)}`).at(member);
}

// A value of an enumeration or a type definition may be stated with the underlying type.
function typesOf({ type, shape, definition, enumeration, complex }: Field): readonly (string | undefined)[] {
  return [shape ?? type, definition, enumeration?.qualifiedName, complex];
}

/** The type that an object states for itself: 4.01 writes `@type`. */
export function statedType(members: JsonObject['members']): Json | undefined {
  return members.get('@odata.type') ?? members.get('@type');
}

/** Whether a member is a delta (JSON format 14). */
export function isDelta(name: string): boolean {
  return name.endsWith('@odata.delta') || name.endsWith('@delta');
}

/** Values have no identity, so deltas apply only to entities. */
export function deltaFault(name: string, path: string): ODataError {
  const property = name.slice(0, name.indexOf('@'));
  return errors
    .readOnly(path, `values have no key that a change could name; write ${property}`)
    .at(path.slice(0, path.length - name.length) + property);
}
