import { planHooks } from '../../plan/hooks.js';
import { responseHooks } from '../../response/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { uriHooks } from '../../uri/hooks.js';
import { parseInnerApply, parseWholeApply } from './parse/parse-apply.js';
import { printApply } from './parse/print-apply.js';
import { checkNodeFunction } from './plan/check-node-function.js';
import { planApplied } from './plan/plan-applied.js';
import { appliedMembers } from './response/applied-members.js';
import { compileApply } from './sql/compile-apply.js';
import { compileNodeTest } from './sql/compile-hierarchy.js';

/** Registers `$apply` and the functions of recursive hierarchies in every layer. */
export function registerApply(): void {
  uriHooks.register({ parseApply: parseWholeApply, parseInnerApply, printApply });
  planHooks.register({ planApplied, checkNodeFunction });
  sqlHooks.register({ compileApply, compileNodeTest });
  responseHooks.register({ appliedMembers });
}
