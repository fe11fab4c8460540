import { type EntityContainer, type EntityType, keyColumnOf, keyFieldOf } from '../../edm/index.js';
import { entityPath } from '../../response/address.js';
import { literal } from '../../schema/identifier.js';
import { columnReference, type StatementBuilder } from '../../sql/builder.js';
import type { Change } from './read-changes.js';
import { keyValues, setLiteral, trackedTypes } from './tracked-tables.js';

/** The address of a changed record, whether it still exists or not. */
export function changeUrl({ set, key }: Pick<Change, 'set' | 'key'>, root: string, container: EntityContainer): string | undefined {
  const type = trackedTypes(container).find(({ entitySet }) => entitySet === set);
  return type && `${root}/${recordPath(type, key)}`;
}

/** The path of a record relative to the service root, by its key in the log. */
export function recordPath(type: EntityType, key: string): string {
  const columns = type.key.map((name) => ({
    name,
    column: keyColumnOf(type, name),
    field: keyFieldOf(type, name) ?? { type: 'Edm.String' as const },
  }));
  return entityPath(type, columns, keyValues(type, key));
}

/** The address of the record of a change `c`, as SQL. */
export function compileUrl(root: string, container: EntityContainer, builder: StatementBuilder): string {
  const key = columnReference('c', '#key');
  const cases = trackedTypes(container).map((type) => {
    const path = `/${encodeURIComponent(type.entitySet ?? '')}(`;
    return `when ${setLiteral(type)} then ${builder.bind(`${root}${path}`, 'text')} || ${compilePredicate(type, key)} || ')'`;
  });
  return `case c."#set" ${cases.join(' ')} end`;
}

function compilePredicate(type: EntityType, key: string): string {
  if (type.key.length === 1) return compilePart(type, type.key[0] ?? '', key);
  return type.key
    .map((name, index) => `${literal(`${encodeURIComponent(name)}=`)} || ${compilePart(type, name, `(${key}::json ->> ${index})`)}`)
    .join(` || ',' || `);
}

function compilePart(type: EntityType, name: string, text: string): string {
  return keyFieldOf(type, name)?.type === 'Edm.String' ? `'''' || ${encoded(`replace(${text}, '''', '''''')`)} || ''''` : encoded(text);
}

// As encodeURIComponent does it; most keys need no encoding.
function encoded(text: string): string {
  const plain = `[A-Za-z0-9_.!~*''()-]`;
  const character = `case when part ~ '${plain}' then part else regexp_replace(upper(encode(convert_to(part, 'UTF8'), 'hex')), '(..)', '%\\1', 'g') end`;
  return `case when ${text} ~ '^${plain}*$' then ${text} else (select string_agg(${character}, '' order by place) from regexp_split_to_table(${text}, '') with ordinality as parts(part, place)) end`;
}
