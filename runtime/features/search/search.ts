import { expressionHooks } from '../../expression/hooks.js';
import { planHooks } from '../../plan/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { compileSearch } from './compile-search.js';
import { parseInnerSearch, parseSearch, printSearch } from './parse-search.js';
import { isSearchable, planItemSearch, planSearch } from './plan-search.js';

/** Registers `$search`. */
export function registerSearch(): void {
  expressionHooks.register({ search: { parse: parseSearch, parseInner: parseInnerSearch, print: printSearch } });
  planHooks.register({ search: { plan: planSearch, planItems: planItemSearch, isSearchable } });
  sqlHooks.register({ compileSearch });
}
