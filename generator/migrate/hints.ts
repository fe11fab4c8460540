import { streamColumns } from '../../runtime/edm/index.js';
import { literal } from '../../runtime/schema/identifier.js';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { terms } from '../csdl/terms.js';
import { notesReader, type Notes } from '../diff/notes.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';
import { databaseName } from '../graph/names.js';
import { buildScope } from '../graph/scope.js';
import type { Annotatable } from '../csdl/csdl.js';

/** The schema with what migrations have to know beyond it: former names, from Rules.RenamedFrom, and what old rows have in a new column. */
export function withHints(schema: Schema, { csdl, entities }: ModelGraph): Schema {
  const read = notesReader(csdl, buildScope(csdl));
  const elements = elementsByPath(csdl.schemas);
  const notesOf = (path: string): Notes => read(path, elements.get(path) ?? { at: 0, annotations: [] });
  const byTable = new Map(entities.map((entity) => [entity.table, entity]));
  const tables = schema.tables.map((table) => {
    const entity = byTable.get(table.name);
    return entity === undefined ? table : hintTable(table, entity, notesOf);
  });
  return { ...schema, tables };
}

type NotesOf = (path: string) => Notes;

function hintTable(table: Table, entity: EntityNode, notesOf: NotesOf): Table {
  const former = (name: string): string | undefined => notesOf(`${entity.qualifiedName}/${name}`).text(terms.renamedFrom);
  const columns = new Map<string, Pick<Column, 'renamedFrom' | 'fill'>>([
    ...entity.fields.map(({ name, column, field }) => [column, hint(former(name), field.default)] as const),
    ...entity.streams.flatMap(({ name, stream }) => streamHints(stream.column, former(name))),
    ...entity.navigation.map(({ name, relation }) => {
      const before = former(name);
      return [relation?.internal?.column ?? '', hint(before === undefined ? undefined : `#${before}`, undefined)] as const;
    }),
  ]);
  const before = notesOf(entity.qualifiedName).text(terms.renamedFrom);
  return { ...table, ...hint(before, undefined), columns: table.columns.map((column) => ({ ...column, ...columns.get(column.name) })) };
}

function streamHints(column: string, former: string | undefined): readonly (readonly [string, Pick<Column, 'renamedFrom'>])[] {
  if (former === undefined) return [];
  const [now, before] = [streamColumns({ column }), streamColumns({ column: `#${former}` })];
  return (Object.keys(now) as (keyof typeof now)[]).map((fact) => [now[fact], { renamedFrom: before[fact] }]);
}

function hint(renamedFrom: string | undefined, fill: string | undefined): Pick<Column, 'renamedFrom' | 'fill'> {
  return { ...(renamedFrom !== undefined && { renamedFrom: databaseName(renamedFrom) }), ...(fill !== undefined && { fill: literal(fill) }) };
}

function elementsByPath(schemas: ModelGraph['csdl']['schemas']): ReadonlyMap<string, Annotatable> {
  const found = new Map<string, Annotatable>();
  for (const { namespace, elements } of schemas) {
    for (const element of elements) {
      found.set(`${namespace}.${element.name}`, element);
      if (element.kind !== 'EntityType' && element.kind !== 'ComplexType') continue;
      for (const property of element.properties) found.set(`${namespace}.${element.name}/${property.name}`, property);
    }
  }
  return found;
}
