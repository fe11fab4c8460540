import { faults, type Report } from '../../faults.js';
import type { EntityNode } from '../model-graph.js';

/** Checks the sets that take part in the change log against each other. */
export function checkChangeLog(entities: readonly EntityNode[], report: Report): void {
  const [first, ...others] = entities.filter(({ events }) => events !== undefined);
  const tracked = entities.filter(({ tracking }) => tracking !== undefined);
  const refuse = ({ place, at }: EntityNode, why: string, hint: string): void =>
    report(faults.changeLog(place?.member?.at ?? at, place?.name ?? '', why, hint));
  const second = `is a second set with the changes of the model, besides ${first?.place?.name}`;
  for (const other of others) refuse(other, second, 'Remove Rules.ChangeEvents from one of the two.');
  const idle = 'has the changes of other sets (Rules.ChangeEvents), but no set is tracked';
  if (first !== undefined && tracked.length === 0)
    refuse(first, idle, 'Add Capabilities.ChangeTracking to the sets whose changes it is to have.');
  for (const entity of tracked) {
    if (entity.events !== undefined)
      refuse(entity, 'has the changes of other sets, which are never changed themselves', 'Remove Capabilities.ChangeTracking.');
    for (const name of entity.tracking?.expandable ?? []) checkExpandable(entity, name, tracked, (why, hint) => refuse(entity, why, hint));
  }
}

// Changes of the targets must be in the log, with the column that relates them.
function checkExpandable(
  { navigation }: EntityNode,
  name: string,
  tracked: readonly EntityNode[],
  refuse: (why: string, hint: string) => void,
): void {
  const found = navigation.find((node) => node.name === name)?.navigation;
  if (found === undefined) return;
  const target = tracked.find((entity) => entity.name === found.target);
  const why = `lists ${name} as expandable with change tracking`;
  const hint = 'emove it from ExpandableProperties.';
  if (found.through !== undefined) refuse(`${why}, which is stored in a table of pairs`, `R${hint}`);
  else if (target === undefined)
    refuse(`${why}, but changes of ${found.target} are not tracked`, `Add Capabilities.ChangeTracking to its set, or r${hint}`);
}
