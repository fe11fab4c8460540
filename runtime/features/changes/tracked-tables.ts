import { type EntityContainer, type EntityType, keyColumnOf, keyFieldOf, primitives, targetOf } from '../../edm/index.js';
import { literal } from '../../schema/identifier.js';
import { columnReference } from '../../sql/builder.js';
import { memoized } from '../../edm/memoized.js';

/** The tracked types of a model: those of one set share a table, and the first one stands for all. */
export const trackedTypes = memoized(({ entityTypes }: EntityContainer): readonly EntityType[] => {
  const all = Object.values(entityTypes).filter(({ tracking, setType }) => tracking !== undefined && setType === undefined);
  return all.filter(({ table }, index) => all.findIndex((other) => other.table === table) === index);
});

/** Whether the model has tracked sets. */
export function isTracked(container: EntityContainer): boolean {
  return trackedTypes(container).length > 0;
}

/** The text of a row's key, as the log has it: a JSON array of texts where the key has several properties. */
export function keyText(type: EntityType, alias: string): string {
  return textOfKey(type.key.map((name) => columnReference(alias, keyColumnOf(type, name))));
}

/** The text of a key with these values, which are expressions. */
export function textOfKey(values: readonly string[]): string {
  const texts = values.map((value) => `${value}::text`);
  return texts.length === 1 ? (texts[0] ?? '') : `json_build_array(${texts.join(', ')})::text`;
}

/** The condition that a row has the key of a log's row; the unique index of the key serves it. */
export function hasKey(type: EntityType, alias: string, key: string): string {
  const parts = type.key.map((name, index) => {
    const text = type.key.length === 1 ? key : `(${key}::json ->> ${index})`;
    return `${columnReference(alias, keyColumnOf(type, name))} = ${text}::${primitives[keyFieldOf(type, name)?.type ?? 'Edm.String'].sql}`;
  });
  return parts.join(' and ');
}

/** The key's properties as texts, from the log's text. */
export function keyValues({ key }: EntityType, text: string): readonly string[] {
  return key.length === 1 ? [text] : (JSON.parse(text) as readonly string[]); // As `keyText` writes it.
}

/** Whether one of the names is part of the key. */
export function changesKey(type: EntityType, names: readonly string[]): boolean {
  const columns = new Set(type.key.map((name) => keyColumnOf(type, name)));
  return names.some((name) => type.key.includes(name) || columns.has(name)) || nestedKeyChanged(type, names);
}

// A key column within a complex value follows that value.
function nestedKeyChanged({ keyFields = {} }: EntityType, names: readonly string[]): boolean {
  return Object.values(keyFields).some(({ path }) => names.includes(path.split('/')[0] ?? ''));
}

/** A cascade of the database from rows of one table to those of another. */
export interface RowCascade {
  readonly to: EntityType;
  /** A column of the deleted row to one of the others. */
  readonly join: { readonly [column: string]: string };
}

/** The cascades of foreign keys from a table. */
export function cascadesFrom({ table }: EntityType, container: EntityContainer): readonly RowCascade[] {
  const all = Object.values(container.entityTypes).flatMap((type) =>
    Object.values(type.navigation).flatMap((navigation): readonly RowCascade[] => {
      const target = targetOf(container, navigation);
      const own: readonly RowCascade[] = navigation.contains && type.table === table ? [{ to: target, join: navigation.join }] : [];
      const dependent = navigation.cascades && target.table === table;
      return dependent
        ? [...own, { to: type, join: Object.fromEntries(Object.entries(navigation.join).map(([from, to]) => [to, from])) }]
        : own;
    }),
  );
  const names = all.map(({ to, join }) => JSON.stringify([to.table, join]));
  return all.filter((_, index) => names.indexOf(names[index] ?? '') === index);
}

/** The name of a set as a literal. */
export function setLiteral({ entitySet = '' }: EntityType): string {
  return literal(entitySet);
}
