import type { ReadPlan } from '../../plan/read-plan.js';
import { planHooks } from '../../plan/hooks.js';
import type { RecordTarget } from '../../plan/path-target.js';
import type { PageRead } from '../../plan/read-plan.js';
import type { PlanContext } from '../../plan/scope.js';
import { responseHooks, type CrossSetRows } from '../../response/hooks.js';
import type { RecordFormat } from '../../response/record-format.js';
import { sqlHooks } from '../../sql/hooks.js';
import type { QueryOptions } from '../../uri/query-options.js';
import { compileUnion } from './compile-union.js';
import { crossSetTarget } from './plan/cross-set-target.js';
import { planCrossjoin } from './plan/plan-crossjoin.js';
import { planUnion } from './plan/plan-union.js';
import { crossjoinContextUrl, crossjoinMembers } from './response/crossjoin-members.js';
import { unionContextUrl, unionRowWriter } from './response/union-rows.js';

/** Registers `$all` and `$crossjoin(...)` in every layer. */
export function registerCrossSet(): void {
  planHooks.register({ crossSetTarget, planCrossSet });
  sqlHooks.register({ compileUnion });
  responseHooks.register({ crossSetRows });
}

function planCrossSet(target: RecordTarget, options: QueryOptions, context: PlanContext): PageRead {
  return target.sets ? planCrossjoin(target, target.sets, options, context) : planUnion(target, target.union ?? [], options, context);
}

function crossSetRows({ selection, sets }: Pick<ReadPlan, 'selection' | 'sets'>, format: RecordFormat): CrossSetRows {
  return sets
    ? { context: crossjoinContextUrl(format.root), members: crossjoinMembers(sets, selection, format) }
    : { context: unionContextUrl(format.root), rows: unionRowWriter(selection, format) };
}
