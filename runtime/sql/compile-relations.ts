import { type EntityType, fieldOf, type JoinTable, type Navigation, primitives, propertyOf } from '../edm/index.js';
import { quote } from '../schema/identifier.js';
import { StatementBuilder } from './builder.js';
import { raised } from './compile-write.js';
import { withFollowers } from './followers.js';
import type { Statement } from './statement.js';

/** Relates a row to others by their ids; no effect where they are related already. */
export function compileLink(through: JoinTable, own: string, ...others: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const record = builder.bind(own, 'bigint');
  const rows =
    others.length === 1
      ? `values (${record}, ${builder.bind(others[0] ?? null, 'bigint')})`
      : `select ${record}, other from unnest(${builder.bind(others, 'bigint[]')}) as others(other)`;
  return builder.unfilteredStatement(
    `insert into ${quote(through.table)} (${quote(through.own)}, ${quote(through.other)}) ${rows} on conflict do nothing`,
  );
}

/** Removes one relation, or all relations of a row; returns a row for each. */
export function compileUnlink(through: JoinTable, own: string, other?: string): Statement {
  const builder = new StatementBuilder();
  const given = other === undefined ? '' : ` and ${quote(through.other)} = ${builder.bind(other, 'bigint')}`;
  return builder.unfilteredStatement(
    `delete from ${quote(through.table)} where ${quote(through.own)} = ${builder.bind(own, 'bigint')}${given} returning 1`,
  );
}

/** Empties columns of the rows that reference a row, and raises their version if a representation includes the columns. */
export function compileDetach(
  type: EntityType,
  key: readonly { readonly column: string; readonly value: string }[],
  columns: readonly string[],
): Statement {
  const builder = new StatementBuilder();
  const sets = [...raised(type, columns), ...columns.map((column) => `${quote(column)} = null`)];
  const terms = key.map(({ column, value }) => {
    const field = fieldOf(type, propertyOf(type, column));
    return `${quote(column)} = ${builder.bind(value, field === undefined ? 'bigint' : primitives[field.type].sql)}`;
  });
  const where = terms.join(' and ');
  const text = `update ${quote(type.table)} as t0 set ${sets.join(', ')} where ${where}`;
  const names = columns.map((column) => propertyOf(type, column));
  return builder.unfilteredStatement(withFollowers({ kind: 'update', type, names, where }, text, 't0'));
}

/**
 * Locks the target of a reference, then clears other rows' references to it, if nullable. The lock comes first, so that
 * the second of two requests sees the change of the first.
 */
export function compileSole(type: EntityType, target: Pick<EntityType, 'table'>, navigation: Navigation, id: string): readonly Statement[] {
  const builder = new StatementBuilder();
  const meeting = Object.entries(navigation.join).map(([own, theirs]) => `me.${quote(own)} = other.${quote(theirs)}`);
  const held = builder.unfilteredStatement(
    `select other."#id" from ${quote(target.table)} other, ${quote(type.table)} me where ${ofRecord(id, builder)} and ${meeting.join(' and ')} for no key update of other`,
  );
  return navigation.sole === 'refuses' ? [held] : [held, compileFree(type, navigation, id)];
}

/** Another row with the same target. */
export function compileRivals(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(
    `select other."#id" from ${quote(type.table)} other, ${quote(type.table)} me where ${ofRivals(navigation, id, builder)} limit 1`,
  );
}

function compileFree(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  const columns = Object.keys({ ...navigation.join, ...navigation.mirrors });
  const sets = [...raised(type, columns, 'other'), ...columns.map((column) => `${quote(column)} = null`)];
  const text = `update ${quote(type.table)} other set ${sets.join(', ')} from ${quote(type.table)} me where ${ofRivals(navigation, id, builder)}`;
  const names = columns.map((column) => propertyOf(type, column));
  return builder.unfilteredStatement(withFollowers({ kind: 'update', type, names }, text, 'other'));
}

function ofRivals({ join }: Navigation, id: string, builder: StatementBuilder): string {
  const sharing = Object.keys(join).map((own) => `other.${quote(own)} = me.${quote(own)}`);
  return `${ofRecord(id, builder)} and other."#id" <> me."#id" and ${sharing.join(' and ')}`;
}

function ofRecord(id: string, builder: StatementBuilder): string {
  return `me."#id" = ${builder.bind(id, 'bigint')}`;
}

/** A cascade of deletions from the rows of a table to those of a type. */
interface CascadeStep {
  readonly from: string;
  readonly to: EntityType;
  /** A column of the deleted row to one of the others. */
  readonly join: { readonly [column: string]: string };
  readonly through?: JoinTable;
}

/** The ids of the rows to which the deletion of others cascades; these others are locked. */
export function compileCascade({ from, to, join, through }: CascadeStep, ids: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const pairs = through && `join ${quote(through.table)} p on p.${quote(through.own)} = f."#id" `;
  const on = through
    ? [`t."#id" = p.${quote(through.other)}`]
    : Object.entries(join).map(([column, other]) => `t.${quote(other)} = f.${quote(column)}`);
  const text = `select t."#id" from ${quote(from)} f ${pairs ?? ''}join ${quote(to.table)} t on ${on.join(' and ')}`;
  return builder.unfilteredStatement(`${text} where f."#id" = any(${builder.bind(ids, 'bigint[]')}) order by 1 for update of f`);
}
