import { copyCell, type CopyClient, copyLines, type CopyValue } from '../../../database/copy.js';
import { columnOf, type EntityContainer, type EntityType, own } from '../../../edm/index.js';
import { quote } from '../../../schema/identifier.js';
import { firstVersion } from '../../../sql/stored-cells.js';
import { ConfigError } from '../../../config/config.js';
import type { Row, SeedType } from './columns.js';

/** Fills tables with COPY. */
export interface Loader {
  /** Writes rows, which get the next numbers of their table; dependent ones with the number of their listing. */
  readonly load: <Type extends SeedType>(type: Type, rows: Iterable<readonly [row: Row<Type>, listing?: number]>) => Promise<void>;
  /** The number of rows so far by table. */
  readonly counts: ReadonlyMap<string, number>;
}

/** A loader of the model's tables. */
export function loaderOf(client: CopyClient, { entityTypes }: EntityContainer): Loader {
  const counts = new Map<string, number>();
  return {
    counts,
    load: async (name, rows) => {
      const type = own(entityTypes, name);
      if (type === undefined) throw new ConfigError(`The sample data needs the entity type ${name}, but this model has none.`);
      const { text, line } = copyTarget(type);
      let id = counts.get(name) ?? 0;
      function* lines(): Generator<string> {
        for (const [row, listing] of rows) yield line(++id, row, listing);
      }
      await copyLines(client, text, lines());
      counts.set(name, id);
    },
  };
}

interface CopyTarget {
  /** The COPY statement. */
  readonly text: string;
  readonly line: (id: number, row: { readonly [name: string]: CopyValue }, listing?: number) => string;
}

function copyTarget(type: EntityType): CopyTarget {
  const names = Object.keys(type.fields);
  const link = linkColumn(type);
  const columns = ['#id', '#version', ...(link === undefined ? [] : [link]), ...names.map((name) => columnOf(type, name))];
  return {
    text: `copy ${quote(type.table)} (${columns.map(quote).join(', ')}) from stdin`,
    line: (id, row, listing) => {
      let line = `${id}\t${firstVersion(id)}`;
      if (link !== undefined) line += `\t${listing ?? '\\N'}`;
      for (const name of names) line += `\t${copyCell(row[name] === undefined ? generatedValue(type, name, id) : row[name])}`;
      return `${line}\n`;
    },
  };
}

// As the service sets a property: a key made of the number, a constant, or the default.
function generatedValue({ key, keyGeneration, rules, fields }: EntityType, name: string, id: number): CopyValue {
  if (keyGeneration && key.includes(name)) return `${keyGeneration.prefix}${id}`;
  const generated = own(rules.onInsert, name);
  return generated?.kind === 'constant' ? generated.value : (fields[name]?.default ?? null);
}

// The column with the number of the listing.
function linkColumn(type: EntityType): string | undefined {
  const join = own(type.navigation, 'Property')?.join ?? {};
  return Object.keys(join).find((column) => column.startsWith('#') && join[column] === '#id');
}
