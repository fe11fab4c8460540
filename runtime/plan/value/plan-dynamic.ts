import type { StructuredType } from '../../edm/index.js';
import { isPrimitive } from '../../edm/index.js';
import { typeInUrl } from '../../edm/lookup.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { nearestOf, suggestion } from '../../errors/suggest.js';
import type { Json, JsonObject } from '../../json/json.js';
import { typeMember } from './control-information.js';
import { describeJson, type JsonFormat, planText, planUntyped } from './plan-value.js';
import { storedValue } from './value-text.js';

/** A dynamic property in stored form: its value, and its type where JSON does not imply it. */
export interface PlannedDynamic {
  readonly members: readonly (readonly [string, Json])[];
  readonly faults: readonly ODataError[];
}

/** The position of a dynamic property. */
interface DynamicPlace {
  readonly path: string;
  readonly name: string;
  readonly members: JsonObject['members'];
  /** The name of the value's type, and the qualified name of one derived from it that declares the property. */
  readonly meant?: readonly [type: string, owner: string];
}

/** The number format of the body; whether doubts are faults, and otherwise the list that takes them. */
interface DynamicContext {
  readonly format: JsonFormat;
  readonly strict?: true | undefined;
  readonly advice?: ODataError[] | undefined;
}

/** The types that JSON implies, so that answers do not annotate them (JSON format 4.6.3). */
export const implied: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double']);

/**
 * A dynamic property of a body. A single value of a primitive type is checked against the type that the body gives it (JSON
 * format 4.6.3); any other one is stored as sent, with its type.
 */
export function planDynamic({ path, name, members, meant }: DynamicPlace, { format, strict, advice }: DynamicContext): PlannedDynamic {
  const doubt = meant && doubtOf(name, ...meant).at(path);
  if (doubt && strict) return refused(doubt);
  if (doubt && !advice?.some(({ message }) => message === doubt.message)) advice?.push(doubt);
  const json = members.get(name) ?? null;
  const sent = json === null ? undefined : (members.get(`${name}${typeMember}`) ?? members.get(`${name}@type`));
  if (sent === undefined) return asSent(path, [name, json]);
  if (typeof sent !== 'string') return refused(errors.wrongJsonType(`${path}${typeMember}`, 'a string', describeJson(sent)).at(path));
  const typeName = typeInUrl(sent).replace(/^Edm\./, '');
  const type = `Edm.${typeName}`;
  const marked = [`${name}${typeMember}`, `#${typeName}`] as const;
  if (!isPrimitive(type)) return asSent(path, [name, json], marked);
  const planned = planText(path, { type }, json, format);
  if ('fault' in planned) return refused(planned.fault);
  return { members: [...(implied.has(type) ? [] : [marked]), [name, storedValue({ type }, planned)]], faults: [] };
}

// A property of a derived type, sent without that type, is a dynamic one (JSON format 4.5.3).
function doubtOf(name: string, type: string, owner: string): ODataError {
  const hint = ` It is stored as a dynamic property; only values with "@odata.type":"#${owner}" have it as a declared one.`;
  return errors.unknownName(`declared property ${name}`, type, hint);
}

function asSent(path: string, member: readonly [string, Json], ...marks: PlannedDynamic['members']): PlannedDynamic {
  const planned = planUntyped(path, member[1]);
  return 'fault' in planned ? refused(planned.fault) : { members: [...marks, member], faults: [] };
}

function refused(fault: ODataError): PlannedDynamic {
  return { members: [], faults: [fault] };
}

/** Why a type has no property with the name, as the end of a message: an open type accepts valid names. */
export function missingNameHint(type: Pick<StructuredType, 'open' | 'fields'>, name: string, related: readonly string[] = []): string {
  const { open, fields } = type;
  if (name === '__metadata') return ' OData 4 writes a reference as NAME@odata.bind, and an ETag as @odata.etag.';
  const [end] = /@(?:odata\.)?bind$/.exec(name) ?? [];
  const meant = end === undefined ? undefined : nearestOf(name.slice(0, -end.length), related);
  if (end !== undefined) return meant === undefined ? '' : ` Did you mean ${meant}${end}?`;
  return open && !name.includes('@')
    ? ' It may have others, with names of letters, digits and underscores that do not start with a digit.'
    : suggestion(name, [...Object.keys(fields), ...related]);
}
