import type { NavigationProperty, ReferentialConstraint } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { annotation, constant, flag } from './annotations.js';
import type { OverlayObject } from './overlay-object.js';

/** What an overlay may say of a navigation property. */
export const navigationMembers: readonly string[] = ['renamedFrom', 'foreignKey', 'partner', 'onDelete', 'deletesTarget', 'leaveOut'];

/** What may become of records that refer to one which is deleted (CSDL XML 4.01, 8.6). */
const deleteActions: readonly string[] = ['Cascade', 'SetNull', 'SetDefault', 'None'];

/**
 * The navigation property with what the overlay says of it; none, where it is left out. A foreign key names the
 * properties that hold a key and the key that they hold: on the type itself for one target, on the target for many.
 */
export function applyToNavigation(property: NavigationProperty, said: OverlayObject | undefined): readonly NavigationProperty[] {
  if (said === undefined) return [property];
  if (said.flag('leaveOut')?.value === true) return [];
  const pairs = said.pairs('foreignKey')?.value.map(([own, other]): ReferentialConstraint => ({
    at: own.at,
    annotations: [],
    property: own.value,
    referencedProperty: other.value,
  }));
  const renamed = said.text('renamedFrom');
  const partner = said.text('partner');
  const deletes = said.flag('deletesTarget');
  const onDelete = said.choice('onDelete', deleteActions);
  return [
    {
      ...property,
      ...(partner !== undefined && { partner: partner.value, overlaid: { partner: partner.at } }),
      ...(pairs !== undefined && (property.collection ? { joinedBy: pairs } : { constraints: pairs })),
      ...(onDelete !== undefined && { onDelete: { at: onDelete.at, annotations: [], action: onDelete.value } }),
      annotations: [
        ...property.annotations,
        ...(renamed === undefined ? [] : [annotation(renamed.at, terms.renamedFrom, constant(renamed))]),
        ...(deletes === undefined ? [] : [annotation(deletes.at, terms.deletesTarget, flag(deletes))]),
      ],
    },
  ];
}
