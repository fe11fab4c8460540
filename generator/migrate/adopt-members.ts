import { isPrimitive, primitives } from '../../runtime/edm/index.js';
import { lastName } from '../../runtime/edm/lookup.js';
import { literal } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { numbers, valueChangesOf, type ValueChange } from './compare-values.js';
import { memberPath, parentOf } from './moved-members.js';
import { storedValue } from './moves.js';
import { lookingFor, type Decisions, type Step } from './step.js';

/**
 * Looks in open complex values for dynamic members with a name that the model now declares: a value of another type, and any
 * value under the new name of a renamed member, stops the migration.
 */
export function lookForDynamicMembers(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) => [
    ...change.added
      .filter((member) => isWithinOpen(member, change))
      .map((member) => lookFor(wanted.name, change, member, fitsMember(member))),
    ...change.renamed
      .filter(({ member }) => isWithinOpen(member, change))
      .map(({ member }) => lookFor(wanted.name, change, member, 'false')),
  ]);
}

function isWithinOpen({ path }: ValueMember, { home: { column }, members }: ValueChange): boolean {
  const around = memberPath(parentOf(path));
  return (around === '' ? column : members.get(around))?.complex?.open === true;
}

function lookFor(table: string, { former }: ValueChange, member: ValueMember, fits: string): Step {
  const values = `jsonb_path_query((${storedValue(former, '"row".')})::jsonb, ${literal(jsonPathOf(member))}) as "in"`;
  const name = literal(lastName(member.path));
  const misfit = `jsonb_typeof("in") = 'object' and jsonb_typeof("in" -> ${name}) <> 'null' and not (${fits})`;
  const why = 'a dynamic value that does not fit stops it';
  const looked = { table, name: `${former.column.name}/${member.path}`, why };
  return lookingFor('expand', looked, ` where exists (select from ${values} where ${misfit})`);
}

// The values that have the member: of collections every item, of derived types only values of that type.
function jsonPathOf({ path, of }: ValueMember): string {
  const names = parentOf(path)
    .split('/')
    .filter((name) => name !== '' && !name.includes('.'));
  const types = of?.map((type) => `@."@odata.type" == ${JSON.stringify(`#${type}`)}`).join(' || ');
  return `$${names.map((name) => `.${JSON.stringify(name)}`).join('')}[*]${types === undefined ? '' : ` ? (${types})`}`;
}

// The condition that a dynamic value has the form of the declared one. Values that JSON cannot tell from texts have a type.
function fitsMember({ path, type }: ValueMember): string {
  const value = `"in" -> ${literal(lastName(path))}`;
  const isOf = (kind: string): string => `jsonb_typeof(${value}) = '${kind}'`;
  if (type === 'Edm.Untyped') return 'true';
  if (type === 'Edm.String') return isOf('string');
  if (type === 'Edm.Boolean') return isOf('boolean');
  if (numbers.includes(type)) return `case when ${isOf('number')} then ${inRange(type, `(${value})::numeric`)} else false end`;
  if (!isPrimitive(type) || !primitives[type].ordered) return 'false';
  return `coalesce("in" ->> ${literal(`${lastName(path)}@odata.type`)} = ${literal(type.replace('Edm.', '#'))}, false)`;
}

function inRange(type: string, number: string): string {
  const range = isPrimitive(type) ? primitives[type].range : undefined;
  return range === undefined ? 'true' : `${number} = trunc(${number}) and ${number} between ${range.join(' and ')}`;
}
