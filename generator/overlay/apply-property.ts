import { suggestion } from '../../runtime/errors/suggest.js';
import type { Annotation, Property, NavigationProperty, ReferentialConstraint } from '../csdl/csdl.js';
import { words } from '../csdl/elements.js';
import { terms } from '../csdl/terms.js';
import { faults } from '../faults.js';
import { annotation, constant, flag, type Positioned } from '../csdl/make-annotation.js';
import { allowedValues, textNotes, transitions } from './annotations.js';
import type { OverlayContext } from './apply-overlay.js';
import type { OverlayObject } from './overlay-object.js';
import { localName } from '../../runtime/edm/lookup.js';

/**
 * Lookups by their name, or by the name of the type that the document does not define; a lookup without values is open.
 */
export type Lookups = ReadonlyMap<string, Lookup>;

interface Lookup {
  readonly at: number;
  readonly values: readonly Positioned<string>[] | undefined;
}

/** The members of a property in an overlay. */
export const propertyMembers =
  words(`renamedFrom storage description type nullable maxLength default lookup allowedValues computed immutable searchable
   transitions`);

const tags = [
  ['computed', terms.computed],
  ['immutable', terms.immutable],
  ['searchable', terms.searchable],
] as const;

/** Applies the overlay to a property, including the lookup of its values. */
export function applyToProperty(property: Property, given: OverlayObject | undefined, context: OverlayContext): Property {
  const typed = withLookup(property, given?.text('lookup'), context);
  if (given === undefined) return typed;
  const { report } = context;
  const type = given.text('type');
  const [, item] = /^Collection\((.*)\)$/.exec(type?.value ?? '') ?? [];
  const values = given.texts('allowedValues');
  const defaultValue = given.text('default');
  const maxLength = given.number('maxLength');
  const moves = given.object('transitions', ['allowed', 'unlistedAllowed']);
  const notes: readonly Annotation[] = [
    ...typed.annotations,
    ...textNotes(given, 'renamedFrom', 'storage', 'description'),
    ...tags.flatMap(([name, term]) => {
      const tag = given.flag(name);
      return tag === undefined ? [] : [annotation(tag.at, term, tag.value ? undefined : flag(tag))];
    }),
    ...(values === undefined ? [] : [allowedValues(values.at, values.value)]),
    ...(moves === undefined ? [] : [transitions(moves, given.at('transitions'), report)]),
  ];
  return {
    ...typed,
    ...(type !== undefined && { type: item ?? type.value, collection: item !== undefined, at: type.at }),
    nullable: given.flag('nullable')?.value ?? typed.nullable,
    maxLength: maxLength?.value ?? typed.maxLength,
    defaultValue: defaultValue?.value ?? typed.defaultValue,
    overlaid: {
      ...(defaultValue !== undefined && { defaultValue: defaultValue.at }),
      ...(maxLength !== undefined && { maxLength: maxLength.at }),
    },
    annotations: notes,
  };
}

function withLookup(property: Property, name: Positioned<string> | undefined, context: OverlayContext): Property {
  const { lookups, usedLookups, qualify, report } = context;
  const list = lookups.get(name === undefined ? qualify(property.type) : name.value);
  if (list !== undefined) usedLookups.add(list);
  if (list === undefined) {
    if (name !== undefined)
      report(faults.overlayTarget(name.at, 'lookup of the overlay', name.value, suggestion(name.value, lookups.keys())));
    return property;
  }
  const lookup = name ?? { at: list.at, value: localName(property.type) };
  return {
    ...property,
    type: 'Edm.String',
    annotations: [
      ...property.annotations,
      annotation(lookup.at, terms.lookupName, constant(lookup)),
      ...(list.values === undefined ? [] : [allowedValues(list.at, list.values)]),
    ],
  };
}

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
