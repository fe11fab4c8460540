import { openColumn } from '../../runtime/edm/lookup.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column } from '../../runtime/schema/schema.js';
import { assignment, homesOf, type Home } from './moves.js';
import { type Step, batched, lookingFor } from './step.js';
import type { TableChange } from './table-change.js';

const open = quote(openColumn);

/**
 * Adopts dynamic properties that the model now declares: values under the name move to the new column; a value of
 * another type, and any complex value, stops the migration beforehand.
 */
export function adoptDynamic({ old, wanted, moves }: TableChange): readonly Step[] {
  const isOpen = [old, wanted].every(({ columns }) => columns.some(({ name }) => name === openColumn));
  const known = homesOf(old).map(({ column }) => column.name);
  const isAdopted = ({ name, generated }: Column): boolean =>
    isOpen && generated === undefined && !name.startsWith('#') && !known.includes(name) && !moves.some(({ to }) => to.column.name === name);
  const adopted = homesOf(wanted).filter(({ column }) => isAdopted(column));
  return [...adopted.flatMap(({ column }) => lookFor(wanted.name, column)), ...adopted.map((home) => adopt(wanted.name, home))];
}

function lookFor(table: string, column: Column): readonly Step[] {
  const name = literal(column.name);
  const value = `"row".${open} -> ${name}`;
  const fits = fitsColumn(column, value);
  if (fits === undefined) return [];
  const rows = ` where "row".${open} ? ${name} and jsonb_typeof(${value}) <> 'null' and not (${fits})`;
  return [lookingFor('backfill', { table, name: column.name, why: 'a value of another type with its name stops it' }, rows)];
}

function adopt(table: string, home: Home): Step {
  const name = literal(home.column.name);
  const type = literal(`${home.column.name}@odata.type`);
  const set = `${assignment(home, adoptedValue(home.column, name))}, ${open} = ${open} - ${name} - ${type}`;
  return batched('backfill', table, `update ${quote(table)} set ${set} where ${open} ? ${name}`);
}

const number = /^(?:smallint|integer|bigint|numeric|real|double)/;

/** The condition that a non-null value fits the column; undefined where any value fits. */
function fitsColumn(column: Column, value: string): string | undefined {
  const { type, members, within, valueTypes } = column;
  const isOf = (kind: string): string => `jsonb_typeof(${value}) = '${kind}'`;
  const fits = (test: string): string => `(${isOf('string')} and ${value} #>> '{}' ${test})`;
  if (type.endsWith('[]')) return fitsItems(column, value);
  // Several names are a value of flags; only its recorded type distinguishes it from a text.
  const isOne = `(${value} #>> '{}' not like '%,%' or "row".${open} ? ${literal(`${column.name}@odata.type`)})`;
  if (members)
    return `(${isOf('string')} and ${isOne} and not exists (select from ${parts(`(${value} #>> '{}')`)} where "part" not in (${Object.keys(members).map(literal).join(', ')})))`;
  if (type === 'boolean') return isOf('boolean');
  if (/^(?:real|double)/.test(type)) return `(${isOf('number')} or ${fits(`in ('NaN', 'INF', '-INF')`)})`;
  if (number.test(type)) return isOf('number');
  if (type === 'point') return `(${isOf('object')} and ${value} ->> 'type' = 'Point')`;
  if (type !== 'jsonb') return isOf('string');
  // Dynamic complex values have no declared type, and name the members of enumerations.
  if (within !== undefined || valueTypes !== undefined) return 'false';
  return column.default?.includes('[') === true ? isOf('array') : undefined;
}

// A null item is kept; anything but an array has no items.
function fitsItems(column: Column, value: string): string {
  const item = fitsColumn({ ...column, type: column.type.slice(0, -2) }, '"item"') ?? 'true';
  const items = `jsonb_array_elements(case jsonb_typeof(${value}) when 'array' then ${value} end)`;
  return `(jsonb_typeof(${value}) = 'array' and not exists (select from ${items} as "item" where jsonb_typeof("item") <> 'null' and not (${item})))`;
}

function adoptedValue(column: Column, name: string): string {
  const { type } = column;
  const value = `${open} -> ${name}`;
  // Null is an empty collection.
  if (type.endsWith('[]'))
    return `array(select ${fromText({ ...column, type: type.slice(0, -2) }, '"item"')} from jsonb_array_elements_text(nullif(${value}, 'null')) as "item")`;
  if (type === 'jsonb')
    return column.default === undefined ? `nullif(${value}, 'null')` : `coalesce(nullif(${value}, 'null'), ${column.default})`;
  return fromText(column, `(${open} ->> ${name})`);
}

// A value of flags combines several names.
function parts(text: string): string {
  return `regexp_split_to_table(${text}, ',') as "part"`;
}

function fromText({ type, members }: Column, text: string): string {
  if (members)
    return `(select bit_or((case "part" ${Object.entries(members)
      .map(([name, value]) => `when ${literal(name)} then ${value}`)
      .join(' ')} end)::bigint) from ${parts(text)})::${type}`;
  // PostgreSQL reads no sign before a duration.
  if (type.startsWith('interval')) return `(case when ${text} like '-%' then -(substr(${text}, 2)::${type}) else ${text}::${type} end)`;
  if (type === 'point') return `point((${text}::jsonb #>> '{coordinates,0}')::float8, (${text}::jsonb #>> '{coordinates,1}')::float8)`;
  if (type === 'bytea') return `decode(translate(${text}, '-_', '+/') || repeat('=', -length(${text}) & 3), 'base64')`;
  // An explicit cast would cut a text that is too long.
  return /^(?:text|varchar)/.test(type) ? text : `${text}::${type}`;
}
