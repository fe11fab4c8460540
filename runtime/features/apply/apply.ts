import { planHooks } from '../../plan/hooks.js';
import { responseHooks } from '../../response/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { uriHooks } from '../../uri/hooks.js';
import { parseWholeApply } from './parse/parse-apply.js';
import { planApplied } from './plan/plan-applied.js';
import { appliedMembers } from './response/applied-members.js';
import { compileApply } from './sql/compile-apply.js';

/** Registers `$apply` in every layer. */
export function registerApply(): void {
  uriHooks.register({ parseApply: parseWholeApply });
  planHooks.register({ planApplied });
  sqlHooks.register({ compileApply });
  responseHooks.register({ appliedMembers });
}
