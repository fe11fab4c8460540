import { planHooks } from '../../plan/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { storeHooks } from '../../store/hooks.js';
import { compileFiltered } from './compile-row-filters.js';
import { filteredStore } from './filtered-store.js';
import { rowFiltersOf, rowRuleFaults } from './plan-row-filters.js';

/** Registers row filters. */
export function registerRowFilters(): void {
  planHooks.register({ rowFilters: { ofCaller: rowFiltersOf, faults: rowRuleFaults } });
  sqlHooks.register({ compileFiltered });
  storeHooks.register({ filteredStore });
}
