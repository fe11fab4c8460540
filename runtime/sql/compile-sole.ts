import type { EntityType, Navigation } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import { raised } from './compile-write.js';
import type { Statement } from './statement.js';

/**
 * Locks the target of a reference, then clears other rows' references to it, if nullable. The lock comes first, so that
 * the second of two requests sees the change of the first.
 */
export function compileSole(type: EntityType, target: Pick<EntityType, 'table'>, navigation: Navigation, id: string): readonly Statement[] {
  const builder = new StatementBuilder();
  const meeting = Object.entries(navigation.join).map(([own, theirs]) => `me.${identifier(own)} = other.${identifier(theirs)}`);
  const held = builder.unfilteredStatement(
    `select other."#id" from ${identifier(target.table)} other, ${identifier(type.table)} me where ${ofRecord(id, builder)} and ${meeting.join(' and ')} for no key update of other`,
  );
  return navigation.sole === 'refuses' ? [held] : [held, compileFree(type, navigation, id)];
}

/** Another row with the same target. */
export function compileRivals(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(
    `select other."#id" from ${identifier(type.table)} other, ${identifier(type.table)} me where ${ofRivals(navigation, id, builder)} limit 1`,
  );
}

function compileFree(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  const columns = Object.keys({ ...navigation.join, ...navigation.mirrors });
  const sets = [...raised(type, columns, 'other'), ...columns.map((column) => `${identifier(column)} = null`)];
  return builder.unfilteredStatement(
    `update ${identifier(type.table)} other set ${sets.join(', ')} from ${identifier(type.table)} me where ${ofRivals(navigation, id, builder)}`,
  );
}

function ofRivals({ join }: Navigation, id: string, builder: StatementBuilder): string {
  const sharing = Object.keys(join).map((own) => `other.${identifier(own)} = me.${identifier(own)}`);
  return `${ofRecord(id, builder)} and other."#id" <> me."#id" and ${sharing.join(' and ')}`;
}

function ofRecord(id: string, builder: StatementBuilder): string {
  return `me."#id" = ${builder.bind(id, 'bigint')}`;
}
