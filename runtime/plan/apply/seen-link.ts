import { targetOf } from '../../edm/index.js';
import { hopAlong } from '../check/check-path.js';
import { within } from '../check/check-property.js';
import { columnOfRecord, type NavigationAlong } from '../check/collection-along.js';
import { computeColumn, type Place } from '../relation.js';
import { ruledModel } from '../ruled-model.js';

/**
 * The same navigation property from columns that are null where it leads to a record out of sight. The columns that a row
 * has itself tell such records apart, though none is shown; what a table's name stands for in a statement has only those in sight.
 */
export function seenLink({ navigation, progress }: NavigationAlong, place: Place): NavigationAlong {
  const { container, aliases } = place.scope;
  const target = targetOf(container, navigation);
  if (!ruledModel(container).types.some(({ table }) => table === target.table)) return { navigation, progress };
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
