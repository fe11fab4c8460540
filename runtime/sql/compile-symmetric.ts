import type { EntityType, Navigation } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import { raised } from './compile-write.js';
import type { Statement } from './statement.js';

/**
 * Makes the record that a stored one leads to lead back, and everybody else that led to one of the two lead nowhere. Three
 * statements, since each has to see what the one before has done, and what another transaction had done that it waited for.
 */
export function compileReturns(
  type: EntityType,
  navigation: Navigation,
  id: string,
): Readonly<Record<'hold' | 'free' | 'back', Statement>> {
  const free = `(${meeting('other', 'me', navigation)} or ${sharing(navigation)}) and (${meeting('me', 'other', navigation)}) is not true`;
  return {
    hold: compileHold(type, navigation, id),
    free: compileFree(type, navigation, id, free),
    back: compileReturn(type, navigation, id),
  };
}

/**
 * Makes everybody else that leads to the same record lead nowhere, where records may; the record that they lead to is held
 * first, so that of two requests the second one sees what the first has done.
 */
export function compileSole(type: EntityType, target: Pick<EntityType, 'table'>, navigation: Navigation, id: string): readonly Statement[] {
  const builder = new StatementBuilder();
  const held = builder.wholeStatement(
    `select other."#id" from ${identifier(target.table)} other, ${identifier(type.table)} me where ${ofRecord(id, builder)} and ${meeting('me', 'other', navigation)} for no key update of other`,
  );
  return navigation.sole === 'refuses' ? [held] : [held, compileFree(type, navigation, id, sharing(navigation))];
}

/** Holds what the records of a table lead back by: others that would change it wait until the transaction ends. */
export function compileTurn(table: string): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `select pg_advisory_xact_lock(hashtextextended(${builder.bind(JSON.stringify([table, '#partners']), 'text')}, 0))`,
  );
}

/** The first of these records, by number, that has nothing in one of the columns; one that has gone lacks nothing. */
export function compileLacking(table: string, columns: readonly string[], numbers: readonly string[]): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `select "#id" from ${identifier(table)} where "#id" = any(${builder.bind(numbers, 'bigint[]')}) and num_nulls(${columns.map(identifier).join(', ')}) > 0 order by 1 limit 1`,
  );
}

/** Everybody else that leads to the same record. */
export function compileRivals(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `select other."#id" from ${identifier(type.table)} other, ${identifier(type.table)} me where ${ofRecord(id, builder)} and other."#id" <> me."#id" and ${sharing(navigation)} limit 1`,
  );
}

// In the order of their numbers, so that two requests do not wait for each other.
function compileHold(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `select other."#id" from ${identifier(type.table)} other, ${identifier(type.table)} me where ${ofRecord(id, builder)} and (${meeting('other', 'me', navigation)} or ${meeting('me', 'other', navigation)} or ${sharing(navigation)}) order by 1 for update of other`,
  );
}

function compileFree(type: EntityType, navigation: Navigation, id: string, free: string): Statement {
  const builder = new StatementBuilder();
  const columns = columnsOf(navigation).map(([own]) => own);
  const sets = [...raised(type, columns, 'other'), ...columns.map((column) => `${identifier(column)} = null`)];
  return builder.wholeStatement(
    `update ${identifier(type.table)} other set ${sets.join(', ')} from ${identifier(type.table)} me where ${ofRecord(id, builder)} and other."#id" <> me."#id" and ${free} returning other."#id"`,
  );
}

function compileReturn(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  const pairs = columnsOf(navigation);
  const sets = [
    ...raised(
      type,
      pairs.map(([own]) => own),
      'other',
    ),
    ...pairs.map(([own, other]) => `${identifier(own)} = me.${identifier(other)}`),
  ];
  const where = `${meeting('me', 'other', navigation)} and (${meeting('other', 'me', navigation)}) is not true`;
  return builder.wholeStatement(
    `update ${identifier(type.table)} other set ${sets.join(', ')} from ${identifier(type.table)} me where ${ofRecord(id, builder)} and ${where}`,
  );
}

function ofRecord(id: string, builder: StatementBuilder): string {
  return `me."#id" = ${builder.bind(id, 'bigint')}`;
}

function columnsOf({ join, repeats }: Navigation): readonly (readonly [own: string, other: string])[] {
  return Object.entries({ ...join, ...repeats });
}

// The one leads to the other.
function meeting(one: string, other: string, { join }: Navigation): string {
  return Object.entries(join)
    .map(([own, theirs]) => `${one}.${identifier(own)} = ${other}.${identifier(theirs)}`)
    .join(' and ');
}

// Both lead to the same record.
function sharing({ join }: Navigation): string {
  return `(${Object.keys(join)
    .map((own) => `other.${identifier(own)} = me.${identifier(own)}`)
    .join(' and ')})`;
}
