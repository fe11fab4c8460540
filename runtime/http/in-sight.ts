import type { Caller } from '../plan/caller.js';
import { sightOf } from '../plan/sight.js';
import { sightedStore } from '../store/sighted-store.js';
import type { Service } from './service.js';

/** The service of a caller: the row filters of the model apply to every statement. */
export function inSight(service: Service, caller: Caller): Service {
  const sight = sightOf(caller, service.container);
  return sight === undefined ? service : { ...service, store: sightedStore(service.store, sight), whole: service.store };
}

/** The store without row filters. */
export function wholeStore({ store, whole = store }: Service): Service['store'] {
  return whole;
}
