import {
  itemColumn,
  own,
  toldNames,
  type AnyNavigation,
  type AnyNavigationTable,
  type ItemNavigation,
  type ItemNavigationTable,
} from '../../runtime/edm/index.js';
import type { NavigationProperty } from '../csdl/csdl.js';
import { shortTerm, terms } from '../csdl/terms.js';
import { flagValue } from '../csdl/vocabulary.js';
import { faults } from '../faults.js';
import { checkOnDelete, targetOf } from './build-relations.js';
import type { BuiltType } from './build-type.js';
import { parentColumn } from './containment.js';
import { constraintPairs, zip } from './join-by-constraint.js';
import type { EntityNode } from './model-graph.js';
import type { ItemProperty } from './nested-navigation.js';
import { placeOfTarget } from './place-of-target.js';
import { nodeName, suffixOf, tableAt, type Place, type Start } from './places.js';
import { qualifiedSegments } from './scope.js';

/** What the items of a type's collections lead to at one place; what is inherited tells its faults with the base type. */
export function buildItemNavigation(
  type: BuiltType,
  base: EntityNode | undefined,
  start: Start,
  isExpandable: (path: string) => boolean,
): ItemNavigationTable {
  const isFirst = suffixOf(type, start.place, start.places) === '';
  const silent: Start = { ...start, context: { ...start.context, report: () => undefined } };
  const rows = type.itemNavigation.flatMap((item, index) => {
    // Of what leads to records of any type it is told once, and not of each set.
    const isFurther = item.placed.arm !== undefined && type.itemNavigation[index - 1]?.placed.arm?.of === item.placed.arm.of;
    const isTold = isFirst && base?.itemNavigation[item.path] === undefined && !isFurther;
    const row = buildRow(item, type, isTold ? start : silent);
    return row === undefined
      ? []
      : [[item.path, isExpandable(item.placed.arm?.of ?? item.path) ? row : { ...row, expandable: false as const }] as const];
  });
  return Object.fromEntries(rows);
}

/** Of those rows, the ones of each navigation property to records of any type. */
export function anyItemNavigation({ itemNavigation }: BuiltType, rows: ItemNavigationTable): AnyNavigationTable {
  const table: { [name: string]: AnyNavigation } = {};
  for (const {
    path,
    property,
    placed: { arm },
  } of itemNavigation) {
    if (arm === undefined || own(rows, path) === undefined) continue;
    const { of: name, required } = arm;
    table[name] = {
      paths: [...(own(table, name)?.paths ?? []), path],
      ...(property.collection && { collection: true }),
      ...(required && { required: true }),
    };
  }
  return table;
}

function buildRow(item: ItemProperty, type: BuiltType, start: Start): ItemNavigation | undefined {
  const { property, path, placed } = item;
  const { context } = start;
  const deletesTarget = !property.containsTarget && isTagged(item, terms.deletesTarget, start);
  const target = targetOf(property, `${type.name}/${path}`, start.types, context);
  if (target === undefined) return undefined;
  checkOnDelete({ property: placed, type, target, takesAlong: property.containsTarget, isOfItem: true, deletesTarget }, context);
  const place = placeOfTarget(placed, type, target, start);
  if (property.arm === undefined) checkDeeper(item, type, place, start);
  if (property.containsTarget) return place && containedRow(item, type, nodeName(target, place, start), start);
  const constrained = constrainedJoin(item, type, target, start);
  const join = constrained ?? { [memberOf(property)]: '#id' };
  // Where a property of the item says where it leads, it is that which answers show and bodies send.
  return {
    target: nodeName(target, place, start),
    ...(property.collection && { collection: true }),
    join,
    ...requiredOf(property),
    ...(deletesTarget && { deletesTarget }),
    ...(constrained === undefined && isShown(item, type, terms.autoExpandReferences, start) && { shows: 'references' }),
  };
}

// A name with a set behind it is that of no other property; the set stays the same when further ones have records of its type.
function memberOf({ name, arm }: NavigationProperty): string {
  return arm === undefined ? `#${name}` : `#${name}:${arm.set}`;
}

// What lies within others of its type leads where these do (13.4.1 has no word of any depth).
function checkDeeper(
  { path }: ItemProperty,
  type: BuiltType,
  target: Place | undefined,
  { place, context: { scope, report } }: Start,
): void {
  const name = path.slice(path.lastIndexOf('/'));
  const isIts = (one: string): boolean =>
    one !== path &&
    one.endsWith(name) &&
    toldNames(type, qualifiedSegments(one, scope.qualify).slice(0, -1)).names.join('/') === path.slice(0, -name.length);
  for (const { at, path: bound, target: to } of place?.member?.bindings ?? []) {
    if (isIts(bound) && target !== undefined && target.kind !== 'Containment' && to.slice(to.lastIndexOf('/') + 1) !== target.name)
      report(
        faults.binding(
          at,
          place?.name ?? '',
          bound,
          `leads to ${to}, and ${path}, which says it for values of any depth, to ${target.name}`,
          'Bind both to the same.',
        ),
      );
  }
}

// The item says which of the records of its parent are its own, and its records say so too.
function containedRow(item: ItemProperty, type: BuiltType, target: string, start: Start): ItemNavigation {
  const { property, isOrdered } = item;
  const { place, places } = start;
  return {
    target,
    ...(property.collection && { collection: true }),
    join: { [`#${property.name}`]: itemColumn },
    ...requiredOf(property),
    contains: parentColumn(tableAt(type, place, places)),
    ...(!isOrdered && { linked: true }),
    ...(isShown(item, type, terms.autoExpand, start) && { shows: 'records' }),
  };
}

function requiredOf({ nullable, collection }: NavigationProperty): Pick<ItemNavigation, 'required'> {
  return nullable === false && !collection ? { required: true } : {};
}

function isTagged({ property, owner }: ItemProperty, term: string, { context }: Start): boolean {
  return flagValue(context.notesOf(`${owner.qualifiedName}/${property.name}`, property.annotations).find(term), context.report);
}

// A value may lie within others of its type to any depth, each of which an answer would have to expand.
function isShown(item: ItemProperty, { name, recursiveValues }: BuiltType, term: string, start: Start): boolean {
  if (!isTagged(item, term, start)) return false;
  const again = Object.entries(recursiveValues).find(([, outer]) => item.path.startsWith(`${outer}/`));
  if (again === undefined) return true;
  const own = item.path.slice(item.path.lastIndexOf('/'));
  start.context.report(
    faults.shownAtDepth(
      item.property.at,
      `${name}/${item.path}`,
      shortTerm(term),
      `Leave the annotation out, and expand what is to be shown: ${item.path}, ${again[0]}${own}.`,
    ),
  );
  return false;
}

// The side with the constraint holds the other's key; its properties are members of the item.
function constrainedJoin(
  { property, owner, path }: ItemProperty,
  type: BuiltType,
  target: BuiltType,
  { context }: Start,
): ItemNavigation['join'] | undefined {
  if (property.constraints.length === 0) return undefined;
  const label = `${type.name}/${path}`;
  const leave = (why: string): undefined => context.report(faults.constraintLeft(property.at, label, why)) as undefined;
  if (property.collection) return leave('one property of an item tells one record');
  if (target.key.some((name) => target.fields.get(name)?.notes.find(terms.keyGeneration) !== undefined))
    return leave('it names a generated key, which changes');
  const pairs = constraintPairs(
    property,
    { ...type, name: owner.name, definition: owner.definition, fields: owner.fields },
    target,
    context,
    label,
  );
  if (pairs === undefined) return undefined;
  if (pairs.length > 1 || pairs.some((ends) => ends.some((end) => end.path !== undefined)))
    return leave('it is not of one property of the item and one of the record');
  return zip(
    pairs.map(([{ name }]) => name),
    pairs.map(([, { column }]) => column),
  );
}
