import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { changeDeep, isDeep } from './change-deep.js';
import { batches, setStored, type Leaf, type MemberEdit } from './member-edit.js';
import { nameIn } from './member-path.js';
import type { Decisions, Step } from './step.js';
import { valueChangesOf, type ValueChange } from './compare-values.js';

/** Changes complex values with their types: renames, fills and removes members in their JSON. */
export function changeValues(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) => {
    const isFlat = ({ member: { path } }: MemberEdit): boolean => !isDeep(change, path);
    const [changes, removals] = [editsOf(change, wanted.name, decisions), removalsOf(change)];
    const flat = changes.filter(isFlat);
    const note = [`${quote(change.home.column.name)}: a service with the old model does not find renamed members from this step on`];
    const step = (phase: Step['phase'], edit: MemberEdit, notes: readonly string[]): Step =>
      batches(phase, wanted.name, setFlat(change, edit), notes);
    // A service of the old model writes until it ends, so everything is repeated afterwards.
    return [
      ...flat.map((edit) => step('backfill', edit, edit.isRename ? note : [])),
      ...[
        ...flat.map((edit) => step('contract', edit, [])),
        ...removals.filter(isFlat).map((edit) => step('contract', edit, [`removes members of ${quote(change.home.column.name)}`])),
      ],
      ...changeDeep(
        wanted.name,
        change,
        changes.filter((edit) => !isFlat(edit)),
        removals.filter((edit) => !isFlat(edit)),
      ),
    ];
  });
}

function editsOf(
  { home, renamed, wrapped, unwrapped, spelled, required, narrowed, relisted, withoutNulls }: ValueChange,
  table: string,
  { fills }: Decisions,
): readonly MemberEdit[] {
  return [
    ...renamed.map(({ member, from }) => ({ member, leaf: renaming(from, nameIn(member.path)), isRename: true as const })),
    ...wrapped.map(({ member }) => ({ member, leaf: wrapping(nameIn(member.path)) })),
    ...unwrapped.map(({ member }) => ({ member, leaf: unwrapping(nameIn(member.path)) })),
    ...spelled.map(({ member, before }) => ({ member, leaf: cutting(member, spelling(before)) })),
    ...required.flatMap((member) => {
      const fill = fills.get(`${table}/${home.column.name}/${member.path}`) ?? member.fill;
      return fill === undefined ? [] : [{ member, leaf: filling(member, jsonOf(fill, member.type)) }];
    }),
    ...narrowed.flatMap(({ member, narrowing: { cut } }) => (cut === undefined ? [] : [{ member, leaf: cutting(member, cut) }])),
    ...relisted.map(({ member, values }) => ({ member, leaf: cutting(member, relisting(values)) })),
    ...withoutNulls.map(({ member }) => ({ member, leaf: takingNulls(nameIn(member.path)) })),
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

// Cuts one value or each item; nulls stay, and so do single values written before the type was a collection.
function cutting({ path, type }: ValueMember, cut: Leaf): Leaf {
  const name = literal(nameIn(path));
  const kept = (value: string): string => `case jsonb_typeof(${value}) when 'null' then ${value} else ${cut(value)} end`;
  const item = '"item"."value"';
  return (value) => {
    const member = `(${value} -> ${name})`;
    const changed = isCollection(type)
      ? `case jsonb_typeof(${member}) when 'array' then (select coalesce(jsonb_agg(${kept(item)} order by "item"."n"), '[]') from jsonb_array_elements(${member}) with ordinality as "item"("value", "n")) else ${member} end`
      : kept(member);
    return `case when ${value} ? ${name} then ${value} || jsonb_build_object(${name}, ${changed}) else ${value} end`;
  };
}

// Applied only to values that are not yet arrays.
function wrapping(name: string): Leaf {
  return (value) => {
    const member = `(${value} -> ${literal(name)})`;
    const many = `${value} || jsonb_build_object(${literal(name)}, jsonb_build_array(${member}))`;
    return `case when not ${value} ? ${literal(name)} or jsonb_typeof(${member}) = 'array' then ${value} when jsonb_typeof(${member}) = 'null' then ${value} - ${literal(name)} else ${many} end`;
  };
}

function unwrapping(name: string): Leaf {
  return (value) => {
    const member = `(${value} -> ${literal(name)})`;
    const first = `coalesce(nullif(${value} || jsonb_build_object(${literal(name)}, ${member} -> 0), ${value} || jsonb_build_object(${literal(name)}, null)), ${value} - ${literal(name)})`;
    return `case jsonb_typeof(${member}) when 'array' then ${first} else ${value} end`;
  };
}

// A combination without a name keeps its number, which is valid as well (ABNF rule enumValue).
function spelling({ members = {} }: ValueMember): Leaf {
  const cases = Object.entries(members).map(([name, number]) => `when ${literal(number)} then to_jsonb(${literal(name)}::text)`);
  return (value) =>
    `case jsonb_typeof(${value}) when 'number' then case ${value} #>> '{}' ${cases.join(' ')} else to_jsonb(${value} #>> '{}') end else ${value} end`;
}

function relisting(values: ReadonlyMap<string, string>): Leaf {
  const cases = [...values].map(([from, to]) => `when ${literal(from)} then to_jsonb(${literal(to)}::text)`);
  return (value) => `case ${value} #>> '{}' ${cases.join(' ')} else ${value} end`;
}

function takingNulls(name: string): Leaf {
  return (value) =>
    `case jsonb_typeof(${value} -> ${literal(name)}) when 'array' then ${value} || jsonb_build_object(${literal(name)}, jsonb_path_query_array(${value} -> ${literal(name)}, '$[*] ? (@ != null)')) else ${value} end`;
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

function setFlat({ home, members }: ValueChange, { member, leaf }: MemberEdit): string {
  return setStored(home, (value) => everywhere(value, { parts: member.path.split('/'), path: '', members, of: member.of, leaf }));
}

interface Way {
  /** The remaining segments of the path. */
  readonly parts: readonly string[];
  /** The path so far, with a slash at its end. */
  readonly path: string;
  readonly members: ReadonlyMap<string, ValueMember>;
  /** The types that the last object must have. */
  readonly of: readonly string[] | undefined;
  readonly leaf: Leaf;
}

// One value or several, of which some may be null: the JSON decides, unless the schema does, which keeps the statement
// short.
function everywhere(value: string, way: Way): string {
  const known = way.members.get(way.path.slice(0, -1))?.type;
  const item = `"i${way.path.split('/').length}"`;
  const one = `when 'object' then ${inside(value, way)}`;
  if (known !== undefined && !isCollection(known)) return `case jsonb_typeof(${value}) ${one} else ${value} end`;
  const each = `case jsonb_typeof(${item}."value") when 'object' then ${inside(`${item}."value"`, way)} else ${item}."value" end`;
  const many = `when 'array' then (select coalesce(jsonb_agg(${each} order by ${item}."n"), '[]') from jsonb_array_elements(${value}) with ordinality as ${item}("value", "n"))`;
  return `case jsonb_typeof(${value}) ${known === undefined ? `${one} ` : ''}${many} else ${value} end`;
}

function isCollection(type: string): boolean {
  return type.startsWith('Collection(');
}

function inside(value: string, { parts, path, members, of, leaf }: Way): string {
  const [first = '', ...rest] = parts;
  if (first.includes('.')) {
    const types = of !== undefined && rest.length === 1 ? of : (members.get(`${path}${first}/${rest[0] ?? ''}`)?.of ?? [first]);
    const within = inside(value, { parts: rest, path: `${path}${first}/`, members, of, leaf });
    return `case when ${value} ->> '@odata.type' in (${types.map((type) => literal(`#${type}`)).join(', ')}) then ${within} else ${value} end`;
  }
  if (rest.length === 0) return leaf(value);
  const member = `(${value} -> ${literal(first)})`;
  return `case when ${value} ? ${literal(first)} then ${value} || jsonb_build_object(${literal(first)}, ${everywhere(member, { parts: rest, path: `${path}${first}/`, members, of, leaf })}) else ${value} end`;
}
