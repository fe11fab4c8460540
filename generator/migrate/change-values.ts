import { literal } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { changeWithin } from './change-within.js';
import type { Leaf, MemberEdit } from './member-edit.js';
import { nameIn } from './member-path.js';
import type { Decisions, Step } from './step.js';
import { valueChangesOf, type ValueChange } from './compare-values.js';

/** Changes complex values with their types: renames, fills and removes members in their JSON. */
export function changeValues(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) =>
    changeWithin(wanted.name, change, editsOf(change, wanted.name, decisions), removalsOf(change)),
  );
}

function editsOf({ home, renamed, required }: ValueChange, table: string, { fills }: Decisions): readonly MemberEdit[] {
  return [
    ...renamed.map(({ member, from }) => ({ member, leaf: renaming(from, nameIn(member.path)), isRename: true as const })),
    ...required.flatMap((member) => {
      const fill = fills.get(`${table}/${home.column.name}/${member.path}`) ?? member.fill;
      return fill === undefined ? [] : [{ member, leaf: filling(member, jsonOf(fill, member.type)) }];
    }),
  ];
}

function removalsOf({ gone }: ValueChange): readonly MemberEdit[] {
  return gone.map(({ now: member }) => ({ member, leaf: (value) => `${value} - ${literal(nameIn(member.path))}` }));
}

// A value with the new name was written by a service of the new model.
function renaming(from: string, to: string): Leaf {
  return (value) =>
    `case when ${value} ? ${literal(from)} then jsonb_build_object(${literal(to)}, ${value} -> ${literal(from)}) || (${value} - ${literal(from)}) else ${value} end`;
}

function filling({ path }: ValueMember, json: string): Leaf {
  return (value) => `jsonb_build_object(${literal(nameIn(path))}, ${json}) || ${value}`;
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
