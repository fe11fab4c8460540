import type { NavigationProperty, ReferentialConstraint } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { textNotes } from './annotations.js';
import { annotation, flag } from '../csdl/make-annotation.js';
import type { OverlayContext } from './apply-overlay.js';
import type { OverlayObject } from './overlay-object.js';

/** The members of a navigation property in an overlay. */
export const navigationMembers: readonly string[] = ['renamedFrom', 'foreignKey', 'partner', 'onDelete', 'deletesTarget', 'leaveOut'];

/** The referential actions on deletion (CSDL XML 4.01, 8.6). */
const deleteActions: readonly string[] = ['Cascade', 'SetNull', 'SetDefault', 'None'];

/**
 * Applies the overlay to a navigation property; nothing where the overlay omits it. A foreign key maps the properties
 * that hold a key to the key: on the declaring type for a single-valued property, on the target otherwise.
 */
export function applyToNavigation(
  property: NavigationProperty,
  given: OverlayObject | undefined,
  { leftOut }: OverlayContext,
): readonly NavigationProperty[] {
  if (given === undefined) return [property];
  const omitted = given.flag('leaveOut');
  if (omitted?.value === true) {
    leftOut.set(property, omitted.at);
    return [];
  }
  const pairs = given.pairs('foreignKey')?.value.map(([own, other]): ReferentialConstraint => ({
    at: own.at,
    annotations: [],
    property: own.value,
    referencedProperty: other.value,
  }));
  const partner = given.text('partner');
  const deletes = given.flag('deletesTarget');
  const onDelete = given.choice('onDelete', deleteActions);
  return [
    {
      ...property,
      ...(partner !== undefined && { partner: partner.value, overlaid: { partner: partner.at } }),
      ...(pairs !== undefined && (property.collection ? { joinedBy: pairs } : { constraints: pairs })),
      ...(onDelete !== undefined && { onDelete: { at: onDelete.at, annotations: [], action: onDelete.value } }),
      annotations: [
        ...property.annotations,
        ...textNotes(given, 'renamedFrom'),
        ...(deletes === undefined ? [] : [annotation(deletes.at, terms.deletesTarget, flag(deletes))]),
      ],
    },
  ];
}
