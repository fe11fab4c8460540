import { keyColumnOf, targetOf, type EntityType, type Navigation } from '../../edm/index.js';
import { hopAlong } from '../check/stored-expr.js';
import { within } from '../check/check-property.js';
import { columnOfRecord, type NavigationAlong } from '../check/collection-along.js';
import { isOwnColumn } from '../linking-columns.js';
import { computeColumn, type Place, type Progress } from '../relation.js';
import { ruledModel } from '../ruled-model.js';

/** A navigation property, and the set with the columns that it leads on from. */
interface Link {
  readonly navigation: Navigation;
  readonly progress: Progress;
}

/**
 * The same navigation property from columns that are null where it leads nowhere, or to a record out of sight. The columns
 * that a row has itself tell such records apart, though none is shown: what a table's name stands for in a statement has
 * only those in sight, and where the other record says that the two belong together, every row has a number or a key.
 */
export function seenLink({ navigation, progress, property }: NavigationAlong, place: Place): Link {
  const { container, aliases } = place.scope;
  const target = targetOf(container, navigation);
  const isSeen = !ruledModel(container).types.some(({ table }) => table === target.table);
  if (isSeen && isSaidByRow(property, target)) return { navigation, progress };
  let after = progress;
  const join = Object.values(navigation.join).map((column) => {
    const { progress: next, computed } = computeColumn(after, place, ({ implicit }) => {
      if (implicit.kind !== 'record') throw new Error('$apply is about records.');
      const hop = hopAlong(navigation, target, implicit.source.alias, aliases);
      return within([hop], columnOfRecord(column, hop.alias, target));
    });
    after = next;
    return [computed.column, column] as const;
  });
  return { navigation: { ...navigation, join: Object.fromEntries(join) }, progress: after };
}

// Records that share a key are found from either side, and the key tells of neither that the other one is there.
function isSaidByRow({ type, navigation }: NavigationAlong['property'], target: EntityType): boolean {
  const key = type.key.map((name) => keyColumnOf(type, name));
  const isWholeKey = key.length > 0 && key.every((column) => Object.hasOwn(navigation.join, column));
  return isOwnColumn(navigation, target) && !isWholeKey;
}
