import type { Caller } from '../plan/caller.js';
import { rowFiltersOf } from '../plan/row-filters.js';
import { filteredStore } from '../store/filtered-store.js';
import type { Service } from './service.js';

/** The service of a caller: the row filters of the model apply to every statement. */
export function filteredService(service: Service, caller: Caller): Service {
  const filters = rowFiltersOf(caller, service.container);
  return filters === undefined ? service : { ...service, store: filteredStore(service.store, filters), unfiltered: service.store };
}

/** The store without row filters. */
export function unfilteredStore({ store, unfiltered = store }: Service): Service['store'] {
  return unfiltered;
}
