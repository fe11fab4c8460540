import type { Annotation, Csdl } from '../csdl/csdl.js';
import { elementsOf, mapElements } from '../csdl/map-elements.js';

/**
 * The document with the annotations of some entity sets and singletons at their elements. SAP writes them elsewhere,
 * where an overlay would not find the record whose members it sets.
 */
export function gatherAnnotations(csdl: Csdl, members: ReadonlySet<string>, qualify: (name: string) => string): Csdl {
  const targets = new Map<string, Annotation[]>();
  for (const { name, element } of elementsOf(csdl, 'EntityContainer'))
    for (const member of element.members) if (members.has(member.name)) targets.set(`${name}/${member.name}`, []);
  const listOf = (target: string): Annotation[] | undefined => {
    const [container = '', ...path] = target.split('/');
    return targets.get([qualify(container), ...path].join('/'));
  };
  for (const { target, annotations } of csdl.schemas.flatMap((schema) => schema.targets)) listOf(target)?.push(...annotations);
  if (![...targets.values()].some(({ length }) => length > 0)) return csdl;
  const left = csdl.schemas.map((schema) => ({ ...schema, targets: schema.targets.filter(({ target }) => !listOf(target)) }));
  return mapElements({ ...csdl, schemas: left }, (element, { namespace }) => {
    if (element.kind !== 'EntityContainer') return element;
    const elsewhere = (name: string): readonly Annotation[] => targets.get(`${namespace}.${element.name}/${name}`) ?? [];
    return { ...element, members: element.members.map((one) => ({ ...one, annotations: [...one.annotations, ...elsewhere(one.name)] })) };
  });
}
