import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { changeWithin } from './change-within.js';
import type { Leaf, MemberEdit } from './member-edit.js';
import { renamedValues } from './removed-values.js';
import { inTransaction, type Decisions, type Step } from './step.js';
import { isOfOtherKind, valueChangesOf, type ValueChange } from './compare-values.js';
import { lastName } from '../../runtime/edm/lookup.js';

/** Changes complex values with their types: renames, fills and removes members, and renames values of their closed lists. */
export function changeValues(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) => [
    ...noteTypes(change, wanted.name),
    ...changeWithin(wanted.name, change, editsOf(change, wanted.name, decisions), removalsOf(change)),
  ]);
}

// A step without a statement, for the plan: values keep their JSON, but services write another type from here on.
function noteTypes({ home, kept }: ValueChange, table: string): readonly Step[] {
  const changed = kept.filter(isOfOtherKind).map((one) => ({ ...one, name: quote(`${home.column.name}/${one.member.path}`) }));
  if (changed.length === 0) return [];
  const statements = changed.map(
    ({ name, before, member }) => `-- ${name} of the table ${quote(table)} changes from ${before.type} to ${member.type}; its values stay.`,
  );
  const note = `a service with the old model fails on ${changed.map(({ name }) => name).join(', ')} from this step on`;
  return [inTransaction('expand', statements, ['no lock that anyone waits for', note])];
}

const unfoundMembers = 'a service with the old model does not find renamed members from this step on';
const unknownValues = 'a service with the old model does not know these values from this step on';

function editsOf({ home, renamed, kept, required }: ValueChange, table: string, decisions: Decisions): readonly MemberEdit[] {
  const pathOf = ({ path }: ValueMember): string => `${table}/${home.column.name}/${path}`;
  return [
    ...renamed.map(({ member, from }) => ({ member, leaf: renaming(from, lastName(member.path)), note: unfoundMembers })),
    ...kept.flatMap(({ member, before }) => {
      const values = renamedValues(pathOf(member), before, member, decisions);
      return values.size === 0 ? [] : [{ member, leaf: replacing(member, values), note: unknownValues }];
    }),
    ...required.flatMap((member) => {
      const fill = decisions.fills.get(pathOf(member)) ?? member.fill;
      return fill === undefined ? [] : [{ member, leaf: filling(member, jsonOf(fill, member.type)) }];
    }),
  ];
}

function removalsOf({ gone }: ValueChange): readonly MemberEdit[] {
  return gone.map(({ now: member }) => ({ member, leaf: (value) => `${value} - ${literal(lastName(member.path))}` }));
}

// A value with the new name was written by a service of the new model.
function renaming(from: string, to: string): Leaf {
  return (value) =>
    `case when ${value} ? ${literal(from)} then jsonb_build_object(${literal(to)}, ${value} -> ${literal(from)}) || (${value} - ${literal(from)}) else ${value} end`;
}

// A collection may be null where its value was written before it was one.
function replacing({ path, type }: ValueMember, values: ReadonlyMap<string, string>): Leaf {
  const name = literal(lastName(path));
  const cases = [...values].map(([from, to]) => `when ${literal(from)} then to_jsonb(${literal(to)}::text)`).join(' ');
  const replaced = (one: string): string => `case ${one} #>> '{}' ${cases} else ${one} end`;
  const items = (all: string): string =>
    `case jsonb_typeof(${all}) when 'array' then (select coalesce(jsonb_agg(${replaced('"item"."value"')} order by "item"."n"), '[]') from jsonb_array_elements(${all}) with ordinality as "item"("value", "n")) else ${all} end`;
  return (value) => {
    const member = `(${value} -> ${name})`;
    return `case when ${value} ? ${name} then ${value} || jsonb_build_object(${name}, ${type.startsWith('Collection(') ? items(member) : replaced(member)}) else ${value} end`;
  };
}

function filling({ path }: ValueMember, json: string): Leaf {
  return (value) => `jsonb_build_object(${literal(lastName(path))}, ${json}) || ${value}`;
}

const bare: ReadonlySet<string> = new Set([
  'Edm.SByte',
  'Edm.Byte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
  'Edm.Decimal',
  'Edm.Single',
  'Edm.Double',
  'Edm.Boolean',
  'Edm.ComplexType',
]);

function jsonOf(fill: string, type: string): string {
  // A default for a member that may refer to several tables names the table.
  return bare.has(type.replace(/ of .*/s, '')) ? `${fill}::jsonb` : `to_jsonb(${fill}::text)`;
}
