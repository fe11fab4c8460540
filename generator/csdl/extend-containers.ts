import { faults, type Report } from '../faults.js';
import type { ContainerMember, EntityContainer, EntitySet, Schema, SchemaElement, Singleton } from './csdl.js';
import type { Qualify } from './names-in.js';

/** The schemas with extended containers merged into those that extend them. */
export function extendContainers(schemas: readonly Schema[], qualify: Qualify, report: Report): readonly Schema[] {
  const containers = new Map<string, EntityContainer>(
    schemas.flatMap(({ namespace, elements }) =>
      elements.flatMap((element) => (element.kind === 'EntityContainer' ? [[`${namespace}.${element.name}`, element] as const] : [])),
    ),
  );
  const chains = new Map([...containers.values()].map((container) => [container, chainOf(container, containers, qualify, report)]));
  const isDerived = derivationOf(schemas, qualify);
  const extended = new Set([...chains.values()].flatMap((chain) => chain.slice(1)));
  return schemas.map((schema) => ({
    ...schema,
    elements: schema.elements.flatMap((element): readonly SchemaElement[] => {
      if (element.kind !== 'EntityContainer') return [element];
      const chain = chains.get(element) ?? [element];
      return extended.has(element)
        ? []
        : [
            {
              ...element,
              extends: undefined,
              members: chain
                .toReversed()
                .reduce<readonly ContainerMember[]>(
                  (before, { members }) => members.reduce((all, member) => withMember(all, member, isDerived), before),
                  [],
                ),
            },
          ];
    }),
  }));
}

// The container and those that it extends, the nearest first; a circular one extends nothing.
function chainOf(
  container: EntityContainer,
  containers: ReadonlyMap<string, EntityContainer>,
  qualify: Qualify,
  report: Report,
): readonly EntityContainer[] {
  const chain = [container];
  for (let last = container; last.extends !== undefined;) {
    const base = containers.get(qualify(last.extends));
    if (base === undefined) {
      report(faults.unknownContainer(last.at, last.name, last.extends));
      return chain;
    }
    if (chain.includes(base)) {
      report(faults.extendsItself(container.at, container.name));
      return [container];
    }
    chain.push(base);
    last = base;
  }
  return chain;
}

type IsDerived = (type: string, base: string) => boolean;

// An entity set or singleton may be redefined with a derived type (CSDL XML 4.01, 13.1); any other repetition is
// reported as a duplicate name.
function withMember(members: readonly ContainerMember[], member: ContainerMember, isDerived: IsDerived): readonly ContainerMember[] {
  const place = members.findIndex((other) => other.name === member.name);
  const again = redefined(members[place], member, isDerived);
  return again === undefined ? [...members, member] : members.with(place, again);
}

function redefined(before: ContainerMember | undefined, now: ContainerMember, isDerived: IsDerived): ContainerMember | undefined {
  if (before?.kind === 'EntitySet' && now.kind === 'EntitySet')
    return isDerived(now.entityType, before.entityType) ? withRest(now, before) : undefined;
  if (before?.kind === 'Singleton' && now.kind === 'Singleton') return isDerived(now.type, before.type) ? withRest(now, before) : undefined;
  return undefined;
}

// The new definition, completed by the earlier one.
function withRest<Member extends EntitySet | Singleton>(now: Member, before: Member): Member {
  const bindings = before.bindings.filter(({ path }) => !now.bindings.some((other) => other.path === path));
  const annotations = before.annotations.filter(
    ({ term, qualifier }) => !now.annotations.some((other) => other.term === term && other.qualifier === qualifier),
  );
  return { ...now, bindings: [...now.bindings, ...bindings], annotations: [...now.annotations, ...annotations] };
}

function derivationOf(schemas: readonly Schema[], qualify: Qualify): IsDerived {
  const bases = new Map<string, string>(
    schemas.flatMap(({ namespace, elements }) =>
      elements.flatMap((element) =>
        element.kind === 'EntityType' && element.baseType !== undefined
          ? [[`${namespace}.${element.name}`, qualify(element.baseType)] as const]
          : [],
      ),
    ),
  );
  return (type, base) => {
    const seen = new Set<string>();
    for (let above = bases.get(qualify(type)); above !== undefined && !seen.has(above); above = bases.get(above)) {
      if (above === qualify(base)) return true;
      seen.add(above);
    }
    return false;
  };
}
