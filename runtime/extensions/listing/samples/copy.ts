import { copyCell } from '../../../database/copy.js';
import { columnOf, type EntityContainer, type EntityType, type Field, own } from '../../../edm/index.js';
import { quote } from '../../../schema/identifier.js';
import { type Row, seedColumns, type SeedType, SeedError } from './columns.js';

/** A table to fill with COPY. */
export interface CopyTarget<Type extends SeedType> {
  /** The COPY statement, with ordered columns. */
  readonly text: string;
  /** One line of input. `parent` is the `#id` of the listing, for dependent tables. */
  readonly line: (id: number, row: Row<Type>, parent?: number) => string;
}

/** All tables to fill. */
export type CopyTargets = { readonly [Type in SeedType]: CopyTarget<Type> };

/** The tables of the model for the sample data; reports all mismatches together. */
export function copyTargets(container: EntityContainer): CopyTargets {
  const names = Object.keys(seedColumns) as SeedType[];
  const faults = names.flatMap((name) => faultsOf(container, name));
  if (faults.length > 0)
    throw new SeedError(`The sample data does not match the model:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  // Every key of the table is present, which Object.fromEntries cannot express.
  return Object.fromEntries(names.map((name) => [name, targetOf(container, name)])) as unknown as CopyTargets;
}

function faultsOf(container: EntityContainer, name: SeedType): readonly string[] {
  const type = own(container.entityTypes, name);
  if (type === undefined) return [`The model has no entity type ${name}.`];
  const known: readonly string[] = seedColumns[name];
  const missing = known.filter((property) => own(type.fields, property) === undefined);
  const required = unknownFields(type, known).filter(
    ([property, field]) => filling(type, property, field) === null && field.nullable !== true,
  );
  return [
    ...missing.map(
      (property) => `${name} no longer has the property ${property}; remove it from runtime/extensions/listing/samples/columns.ts.`,
    ),
    ...required.map(
      ([property]) =>
        `${name} has a required property ${property} that the sample data does not know; add it to runtime/extensions/listing/samples/columns.ts.`,
    ),
  ];
}

function targetOf<Type extends SeedType>(container: EntityContainer, name: Type): CopyTarget<Type> {
  const type = container.entityTypes[name] as EntityType;
  const known: readonly string[] = seedColumns[name];
  const rest = unknownFields(type, known);
  const link = linkColumn(type);
  const columns = [
    '#id',
    ...(link === undefined ? [] : [link]),
    ...[...known, ...rest.map(([property]) => property)].map((property) => columnOf(type, property)),
  ];
  const end = rest.map(([property, field]) => `\t${copyCell(filling(type, property, field))}`).join('');
  return {
    text: `copy ${quote(type.table)} (${columns.map(quote).join(', ')}) from stdin`,
    line: (id, row, parent) => {
      const values: Row<Type> & { readonly [name: string]: Row<Type>[keyof Row<Type>] } = row;
      let line = link === undefined ? String(id) : `${id}\t${parent ?? '\\N'}`;
      for (const property of known) line += `\t${copyCell(values[property] ?? null)}`;
      return `${line}${end}\n`;
    },
  };
}

// Properties added to the model since: rows get the values that the service would set.
function unknownFields(type: EntityType, known: readonly string[]): readonly (readonly [string, Field])[] {
  return Object.entries(type.fields).filter(([name]) => !known.includes(name));
}

function filling(type: EntityType, property: string, field: Field): string | readonly string[] | null {
  const generated = own(type.rules.onInsert, property);
  if (generated?.kind === 'constant') return generated.value;
  return field.default ?? (field.collection ? [] : null);
}

function linkColumn(type: EntityType): string | undefined {
  const join = own(type.navigation, 'Property')?.join ?? {};
  return Object.keys(join).find((column) => column.startsWith('#') && join[column] === '#id');
}
