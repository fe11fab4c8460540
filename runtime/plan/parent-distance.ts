import { targetOf, type EntityContainer, type EntityType, type Navigation } from '../edm/index.js';
import type { ExpandPlan } from './read-plan.js';

/**
 * The number of path segments between a containing entity and a back-reference to it: more than one within a complex
 * value.
 */
export function parentDistance(
  navigation: Navigation,
  type: EntityType,
  target: EntityType,
  container: EntityContainer,
): Pick<ExpandPlan, 'up'> {
  if (!navigation.container) return {};
  const [column] = Object.keys(navigation.join);
  const down = Object.entries(target.navigation).find(
    ([, one]) => one.contains && one.join['#id'] === column && targetOf(container, one).table === type.table,
  );
  return { up: down?.[0].split('/').length ?? 1 };
}
