import type { EntityType } from '../../edm/index.js';
import type { CollectionPlan } from '../../plan/plan-read.js';
import type { ReadPlan } from '../../plan/read-plan.js';
import type { RecordFormat } from '../../response/record-writer.js';
import type { OpenPage } from '../../response/render-collection.js';
import type { RenderEntity } from '../../response/render-entity.js';
import { withLiterals } from '../../sql/builder.js';
import type { Statement } from '../../sql/statement.js';

/** A planned and compiled read, which lacks only values and format. */
export type PreparedRead = PreparedPage | PreparedEntity;

/** A page of a collection. */
export interface PreparedPage {
  readonly kind: 'page';
  readonly plan: CollectionPlan;
  readonly statements: PageStatements;
  /** `$format` as sent. */
  readonly format: string | undefined;
  readonly openerOf: (format: RecordFormat) => OpenPage;
  /** The positions of the order's values in a row, for the link to the next page. */
  readonly orderCells: readonly number[];
}

/**
 * The statements of a page: its rows, unless only the count is requested; its count; the first entity of the path; and
 * the number of expanded entities, where that needs a limit.
 */
interface PageStatements {
  readonly rows?: Statement | undefined;
  /** More rows, for a page that the first ones do not fill. */
  readonly further?: Statement | undefined;
  readonly count?: Statement | undefined;
  readonly parent?: Statement | undefined;
  readonly expanded?: Statement | undefined;
}

/** A single record. */
export interface PreparedEntity {
  readonly kind: 'entity';
  readonly plan: ReadPlan;
  readonly statements: EntityStatements;
  readonly format: string | undefined;
  readonly rendererOf: (format: RecordFormat) => RenderEntity;
  /** The type, where the path identifies an entity, so that a missing one is an error. */
  readonly missing: EntityType | undefined;
}

/** The statements of an entity: its row, and further ones as for a page. */
export interface EntityStatements {
  readonly row: Statement;
  readonly parent?: Statement | undefined;
  readonly expanded?: Statement | undefined;
}

/** The read with the literals of another request. */
export function withTexts(read: PreparedRead, texts: readonly string[]): PreparedRead {
  const bound = (statement: Statement | undefined): Statement | undefined => statement && withLiterals(statement, texts);
  if (read.kind === 'entity') {
    const { kind, plan, statements, format, rendererOf, missing } = read;
    return {
      kind,
      plan,
      statements: { row: withLiterals(statements.row, texts), parent: bound(statements.parent), expanded: bound(statements.expanded) },
      format,
      rendererOf,
      missing,
    };
  }
  const { kind, plan, statements, format, openerOf, orderCells } = read;
  const { rows, further, count, parent, expanded } = statements;
  return {
    kind,
    plan,
    statements: { rows: bound(rows), further: bound(further), count: bound(count), parent: bound(parent), expanded: bound(expanded) },
    format,
    openerOf,
    orderCells,
  };
}

/** Caches a value for each format, which are few interned objects. */
export function byFormat<Value>(make: (format: RecordFormat) => Value): (format: RecordFormat) => Value {
  const values = new WeakMap<RecordFormat, Value>();
  return (format) => {
    const known = values.get(format) ?? make(format);
    values.set(format, known);
    return known;
  };
}
