import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { nameIn } from './member-path.js';
import type { Home } from './moves.js';
import type { Decisions, Step } from './step.js';
import { valueChangesOf, type ValueChange } from './compare-values.js';
import { isDeep } from './value-members.js';

/** Complex values follow their types: members are renamed, filled and taken away in the JSON that they lie in. */
export function changeValues(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) => {
    const { home, gone } = change;
    const at = (member: ValueMember, leaf: Leaf): string => setWithin(home, member, change, leaf);
    const renames = change.renamed.filter(({ member }) => !isDeep(change, member.path)).map(({ member, from }) => at(member, renaming(from, nameIn(member.path))));
    const fills = change.required.flatMap((member) => {
      const fill = decisions.fills.get(`${wanted.name}/${home.column.name}/${member.path}`) ?? member.fill;
      return fill === undefined || isDeep(change, member.path) ? [] : [at(member, filling(nameIn(member.path), jsonOf(fill, member.type)))];
    });
    const cuts = change.narrowed.flatMap(({ member, narrowing: { cut } }) => (cut === undefined || isDeep(change, member.path) ? [] : [at(member, cutting(member, cut))]));
    const withoutNulls = change.withoutNulls.filter(({ member }) => !isDeep(change, member.path)).map(({ member }) => at(member, takingNulls(nameIn(member.path))));
    const changes = [...renames, ...fills, ...cuts, ...withoutNulls];
    const removals = gone.filter(({ now }) => !isDeep(change, now.path)).map(({ now: member }) => at(member, (value) => `${value} - ${literal(nameIn(member.path))}`));
    const note = [`${quote(home.column.name)}: a service of the old model does not find what is renamed from here on`];
    // A service of the old model writes what it knows until it ends, so that all is done again then.
    return [
      ...changes.map((sql) => batches('backfill', wanted.name, sql, renames.includes(sql) ? note : [])),
      ...[...changes, ...removals].map((sql) => batches('contract', wanted.name, sql, removals.includes(sql) ? [`removes members of ${quote(home.column.name)}`] : [])),
    ];
  });
}

/** SQL of an object's new value, from that of the old one. */
type Leaf = (value: string) => string;

function batches(phase: Step['phase'], table: string, set: string, notes: readonly string[]): Step {
  return { phase, manner: { kind: 'batches', table }, statements: [`update ${quote(table)} set ${set} and "#id" > $1 and "#id" <= $2;`], costs: ['locks of the rows of one batch at a time', ...notes] };
}

// Whoever has the new name already has been written by a service of the new model.
function renaming(from: string, to: string): Leaf {
  return (value) => `case when ${value} ? ${literal(from)} then jsonb_build_object(${literal(to)}, ${value} -> ${literal(from)}) || (${value} - ${literal(from)}) else ${value} end`;
}

function filling(name: string, json: string): Leaf {
  return (value) => `jsonb_build_object(${literal(name)}, ${json}) || ${value}`;
}

// Of one value or of each item; what is null stays so, and so does what was a single value before its type was a collection.
function cutting({ path, type }: ValueMember, cut: Leaf): Leaf {
  const name = literal(nameIn(path));
  const kept = (value: string): string => `case jsonb_typeof(${value}) when 'null' then ${value} else ${cut(value)} end`;
  const item = '"item"."value"';
  return (value) => {
    const member = `(${value} -> ${name})`;
    const changed = isCollection(type) ? `case jsonb_typeof(${member}) when 'array' then (select coalesce(jsonb_agg(${kept(item)} order by "item"."n"), '[]') from jsonb_array_elements(${member}) with ordinality as "item"("value", "n")) else ${member} end` : kept(member);
    return `case when ${value} ? ${name} then ${value} || jsonb_build_object(${name}, ${changed}) else ${value} end`;
  };
}

function takingNulls(name: string): Leaf {
  return (value) => `case jsonb_typeof(${value} -> ${literal(name)}) when 'array' then ${value} || jsonb_build_object(${literal(name)}, jsonb_path_query_array(${value} -> ${literal(name)}, '$[*] ? (@ != null)')) else ${value} end`;
}

const bare: ReadonlySet<string> = new Set(['Edm.SByte', 'Edm.Byte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal', 'Edm.Single', 'Edm.Double', 'Edm.Boolean', 'Edm.ComplexType']);

function jsonOf(fill: string, type: string): string {
  return bare.has(type) ? `${fill}::jsonb` : `to_jsonb(${fill}::text)`;
}

function setWithin({ column, shared }: Home, member: ValueMember, { members }: ValueChange, leaf: Leaf): string {
  const stored = quote(shared ?? column.name);
  const value = shared === undefined ? stored : `(${stored} ->> ${literal(column.name)})::jsonb`;
  const changed = everywhere(value, { parts: member.path.split('/'), path: '', members, of: member.of, leaf });
  const set = shared === undefined ? changed : `${stored} || jsonb_build_object(${literal(column.name)}, (${changed})::text)`;
  return `${stored} = ${set} where ${value} is not null and ${changed} is distinct from ${value}`;
}

interface Way {
  /** What is left of the path. */
  readonly parts: readonly string[];
  /** What was gone of it, with a slash at its end. */
  readonly path: string;
  readonly members: ReadonlyMap<string, ValueMember>;
  /** The types that the last object must be of. */
  readonly of: readonly string[] | undefined;
  readonly leaf: Leaf;
}

// One value or many, of which some may be null: JSON tells, and what is known of a member keeps paths from being written twice a step.
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
