import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { valueChangesOf, type NarrowedMember, type ValueChange } from './compare-values.js';
import type { Home } from './moves.js';
import type { Decisions, Step } from './step.js';
import { isDeep } from './value-members.js';

/** What no type of a column refuses: members of complex values that do not fit the facets of the new model. */
export function checkValues(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) => change.narrowed.filter(({ member, narrowing }) => narrowing.misfit !== undefined && !isDeep(change, member.path)).flatMap((one) => checks(wanted.name, change, one)));
}

// Before anything is changed, and again once no service of the old model writes.
function checks(table: string, { home, formerHome, members }: ValueChange, { member, before, narrowing: { misfit = () => 'false', why } }: NarrowedMember): readonly Step[] {
  const formerly = new Map((formerHome.column.within ?? []).map((one) => [one.path, one]));
  const name = `${home.column.name}/${member.path}`;
  const step = (phase: Step['phase'], place: Home, path: string): Step => ({
    phase,
    manner: { kind: 'transaction' },
    statements: [`do $check$declare misfit bigint; begin select min("row"."#id") into misfit from ${quote(table)} as "row", jsonb_path_query(${valueOf(place)}, ${literal(path)}) as "member" where jsonb_typeof("member") <> 'null' and ${misfit('"member"')}; if misfit is not null then raise exception using errcode = 'check_violation', message = ${literal(`${table}/${name} has values that do not fit, the first in the row with "#id" `)} || misfit; end if; end$check$;`],
    costs: [`reads the rows of ${quote(table)}`, `${name}: ${why.endsWith('stops it') ? why : 'a number with more digits stops it'}`],
  });
  return [step('expand', formerHome, jsonPath(before, formerly)), step('contract', home, jsonPath(member, members))];
}

function valueOf({ column, shared }: Home): string {
  return shared === undefined ? `"row".${quote(column.name)}` : `("row".${quote(shared)} ->> ${literal(column.name)})::jsonb`;
}

/** The way to a member's values as an SQL/JSON path, through collections too (in lax mode); a type's name in it chooses the values of that type. */
function jsonPath({ path, type, of }: ValueMember, members: ReadonlyMap<string, ValueMember>): string {
  const parts = path.split('/');
  const steps = parts.map((part, index) => {
    if (!part.includes('.')) return `.${JSON.stringify(part)}`;
    const isLast = index === parts.length - 2;
    const types = (isLast ? of : members.get(parts.slice(0, index + 2).join('/'))?.of) ?? [part];
    return ` ? (${types.map((each) => `@."@odata.type" == ${JSON.stringify(`#${each}`)}`).join(' || ')})`;
  });
  return `$${steps.join('')}${type.startsWith('Collection(') ? '[*]' : ''}`;
}
