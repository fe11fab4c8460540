import type { Annotated } from './annotated.js';
import { childrenNamed, descendants, type XmlNode } from './xml-node.js';

type Kind = 'Property' | 'NavigationProperty';

/** Names in an annotation that its entity type does not have. */
export function checkPaths({ annotation, path, entityType }: Annotated): readonly string[] {
  if (entityType === undefined) return [];
  return descendants(annotation).flatMap((node) => [
    ...missing(node.name === 'PropertyPath' ? [node.text] : [], 'Property'),
    ...missing(node.name === 'NavigationPropertyPath' ? [node.text] : [], 'NavigationProperty'),
    ...missing(named(node.attributes['PropertyPath']), 'Property'),
    ...missing(named(restricted(node)), 'Property'),
  ]);

  function missing(names: readonly string[], kind: Kind): readonly string[] {
    return names
      .filter((name) => !has(entityType as XmlNode, name, kind))
      .map((name) => `${path}: ${entityType?.attributes['Name']} has no ${kind} ${name}.`);
  }
}

/** Keys, constraints, partners and bindings that lead nowhere. */
export function checkStructure(types: ReadonlyMap<string, XmlNode>, sets: ReadonlyMap<string, XmlNode>): readonly string[] {
  return [...[...types.values()].flatMap(checkType), ...[...sets.values()].flatMap(checkSet)];

  function checkType(type: XmlNode): readonly string[] {
    const refs = childrenNamed(type, 'Key')
      .flatMap((key) => key.children)
      .map((ref) => ref.attributes['Name']);
    return [
      ...refs.filter((ref) => !has(type, ref, 'Property')).map((ref) => `${type.attributes['Name']}: no key property ${ref}.`),
      ...childrenNamed(type, 'NavigationProperty').flatMap((navigation) => checkNavigation(type, navigation)),
    ];
  }

  function checkNavigation(type: XmlNode, navigation: XmlNode): readonly string[] {
    const where = `${type.attributes['Name']}/${navigation.attributes['Name']}`;
    const target = types.get(itemType(navigation));
    if (target === undefined) return [`${where}: no entity type ${itemType(navigation)}.`];
    const partner = navigation.attributes['Partner'];
    const constraints = childrenNamed(navigation, 'ReferentialConstraint').map((constraint) => constraint.attributes);
    const own = constraints.map((constraint) => constraint['Property']);
    const referenced = constraints.map((constraint) => constraint['ReferencedProperty']);
    return [
      ...(partner === undefined || has(target, partner, 'NavigationProperty') ? [] : [`${where}: no partner ${partner}.`]),
      ...own.filter((name) => !has(type, name, 'Property')).map((name) => `${where}: no property ${name}.`),
      ...referenced.filter((name) => !has(target, name, 'Property')).map((name) => `${where}: no referenced property ${name}.`),
    ];
  }

  // Every navigation property is bound, or an expansion would return entities of no set.
  function checkSet(set: XmlNode): readonly string[] {
    const type = types.get(set.attributes['EntityType']?.replace(/^.*\./, '') ?? '');
    if (type === undefined) return [`${set.attributes['Name']}: no entity type ${set.attributes['EntityType']}.`];
    const bound = childrenNamed(set, 'NavigationPropertyBinding').map((binding) => binding.attributes);
    const bindings = new Map(bound.map((binding) => [binding['Path'], binding['Target'] ?? '']));
    return childrenNamed(type, 'NavigationProperty').flatMap((navigation) => {
      const target = sets.get(bindings.get(navigation.attributes['Name']) ?? '');
      const right = target?.attributes['EntityType'] === `self.${itemType(navigation)}`;
      return right ? [] : [`${set.attributes['Name']}: ${navigation.attributes['Name']} is not bound to a set of ${itemType(navigation)}.`];
    });
  }
}

function has(type: XmlNode, name: string | undefined, kind: Kind): boolean {
  return childrenNamed(type, kind).some((member) => member.attributes['Name'] === name);
}

function itemType(navigation: XmlNode): string {
  return navigation.attributes['Type']?.replace(/^Collection\((.*)\)$/, '$1').replace(/^.*\./, '') ?? '';
}

function restricted(node: XmlNode): string | undefined {
  return node.attributes['Property'] === 'RestrictedProperties' ? node.attributes['String'] : undefined;
}

/** `*,-SoldPrice` names SoldPrice. */
function named(list: string | undefined): readonly string[] {
  return (
    list
      ?.split(',')
      .map((name) => name.replace(/^-/, ''))
      .filter((name) => name !== '*') ?? []
  );
}
