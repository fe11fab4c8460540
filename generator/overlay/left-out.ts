import type { Csdl, EntitySet, NavigationProperty, Singleton } from '../csdl/csdl.js';
import { isStructured, mapElements, mapMembers, mapProperties } from '../csdl/map-elements.js';
import { faults, type Report } from '../faults.js';
import { namesOf, propertiesOf, type Names } from '../repair/names.js';

/** Navigation properties that the overlay omits, with the positions of their `leaveOut`. */
type LeftOut = ReadonlyMap<NavigationProperty, number>;

/** The document without the bindings, annotations and partners of navigation properties that the document before has. */
export function withoutLeftOut(csdl: Csdl, before: Csdl, leftOut: LeftOut, report: Report): Csdl {
  if (leftOut.size === 0) return csdl;
  const names = namesOf(before, []);
  return withoutPartners(withoutBindings(withoutTargets(csdl, names, leftOut), names, leftOut), names, leftOut, report);
}

function withoutTargets(csdl: Csdl, names: Names, leftOut: LeftOut): Csdl {
  const isOmitted = (target: string): boolean => {
    const [type = '', ...path] = target.split('/');
    return omittedOn(path, type, names, leftOut) !== undefined;
  };
  return {
    ...csdl,
    schemas: csdl.schemas.map((schema) => ({ ...schema, targets: schema.targets.filter(({ target }) => !isOmitted(target)) })),
  };
}

function withoutBindings(csdl: Csdl, names: Names, leftOut: LeftOut): Csdl {
  return mapMembers(csdl, (member) => {
    if (member.kind !== 'EntitySet' && member.kind !== 'Singleton') return member;
    return {
      ...member,
      bindings: member.bindings.filter(({ path }) => omittedOn(path.split('/'), typeOf(member), names, leftOut) === undefined),
    };
  });
}

function typeOf(member: EntitySet | Singleton): string {
  return member.kind === 'EntitySet' ? member.entityType : member.type;
}

// A partner that defines the join is not omitted silently: the records would be joined by other columns.
function withoutPartners(csdl: Csdl, names: Names, leftOut: LeftOut, report: Report): Csdl {
  return mapElements(csdl, (element) => {
    if (!isStructured(element)) return element;
    return mapProperties(element, (property) => {
      if (property.kind !== 'NavigationProperty' || property.partner === undefined) return property;
      const partner = omittedOn(property.partner.split('/'), property.type, names, leftOut);
      if (partner === undefined) return property;
      const owner = `${element.name}/${property.name}`;
      const why = 'is left out, but defines how the records are joined';
      const hint = `Give ${owner} a foreignKey, or leave it out too.`;
      if (definesJoin(partner, property)) report(faults.partner(leftOut.get(partner) ?? 0, owner, property.partner, why, hint));
      return { ...property, partner: undefined };
    });
  });
}

function definesJoin(partner: NavigationProperty, { collection, constraints, joinedBy }: NavigationProperty): boolean {
  const isJoined = constraints.length > 0 || joinedBy !== undefined;
  return !isJoined && (partner.constraints.length > 0 || (collection && !partner.collection));
}

// The omitted property on a path from a type or a container: inherited, after a cast, or in a complex value too.
function omittedOn([first, ...rest]: readonly string[], owner: string, names: Names, leftOut: LeftOut): NavigationProperty | undefined {
  const element = names.elements.get(names.qualify(owner));
  if (element?.kind === 'EntityContainer') {
    const member = element.members.find(({ name }) => name === first);
    return member?.kind === 'EntitySet' || member?.kind === 'Singleton' ? omittedOn(rest, typeOf(member), names, leftOut) : undefined;
  }
  if (first === undefined || !isStructured(element)) return undefined;
  if (first.includes('.')) return omittedOn(rest, first, names, leftOut);
  const property = propertiesOf(element, names).find(({ name }) => name === first);
  if (property?.kind === 'NavigationProperty' && leftOut.has(property)) return property;
  return property && omittedOn(rest, property.type, names, leftOut);
}
