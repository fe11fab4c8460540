import { targetOf, type EntityContainer, type EntityType, type Navigation } from '../edm/index.js';
import type { ExpandPlan } from './read-plan.js';

/** How many names an address has beneath what contains its record, where a navigation property leads back to that: of a complex value more than one. */
export function wayBack(navigation: Navigation, type: EntityType, target: EntityType, container: EntityContainer): Pick<ExpandPlan, 'up'> {
  if (!navigation.container) return {};
  const [column] = Object.keys(navigation.join);
  const down = Object.entries(target.navigation).find(
    ([, one]) => one.contains && one.join['#id'] === column && targetOf(container, one).table === type.table,
  );
  return { up: down?.[0].split('/').length ?? 1 };
}
