import { planHooks } from '../../plan/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { compileSearch } from './compile-search.js';
import { registerSearchSyntax } from './parse-search.js';
import { isSearchable, planItemSearch, planSearch } from './plan-search.js';

/** Registers `$search`. */
export function registerSearch(): void {
  registerSearchSyntax();
  planHooks.register({ search: { plan: planSearch, planItems: planItemSearch, isSearchable } });
  sqlHooks.register({ compileSearch });
}
