import type { PreparedRead } from '../../http/read/plan-cache.js';
import type { ExpandPlan, Selection } from '../../plan/read-plan.js';

/** The service's plan of a read: its table, columns, expansions, order and window. */
export interface PlanSummary extends SelectionSummary {
  readonly kind: PreparedRead['kind'];
  /** The terms of the total order, of which the last ones are the key. */
  readonly orderTerms: number;
  /** The entities that the path leads through. */
  readonly parents: readonly string[];
  /** The most records of the answer. */
  readonly size: number;
}

interface SelectionSummary {
  readonly table: string;
  readonly columns: readonly string[];
  readonly expands: readonly (SelectionSummary & { readonly name: string })[];
}

/** Summarises a plan. */
export function summaryOf({ kind, plan }: PreparedRead): PlanSummary {
  const read = 'read' in plan ? plan.read : plan;
  return {
    kind,
    ...selectionOf(read.selection),
    orderTerms: read.order.length,
    parents: read.parents.map(({ table }) => table),
    size: 'size' in plan ? plan.size : 1,
  };
}

function selectionOf({ table, columns, expands }: Selection): SelectionSummary {
  return { table, columns: columns.map(({ name }) => name), expands: expands.map(expandOf) };
}

function expandOf({ name, selection }: ExpandPlan) {
  return { name, ...selectionOf(selection) };
}
