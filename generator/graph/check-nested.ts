import { faults, type Report } from '../faults.js';
import type { BuiltTypes } from './build-type.js';
import { pathOf } from './within-complex.js';

/**
 * Reports navigation properties and streams that are not supported at their place in complex values; once each, at the
 * first path.
 */
export function checkNested(types: BuiltTypes, report: Report): void {
  const reported = new Set<object>();
  for (const { name, nested } of types.values())
    for (const one of nested.unsupported) {
      const { property } = one.found;
      if (reported.has(property)) continue;
      reported.add(property);
      const path = `${name}/${pathOf(one)}`;
      report((property.kind === 'Property' ? faults.nestedStream : faults.nestedNavigation)(property.at, path, one.within));
    }
}

/** Whether a member of a complex type is supported in some value: a fault is one that no entity type supports. */
export function usableMembers(types: BuiltTypes): (member: object) => boolean {
  const all = [...types.values()].map(({ nested }) => nested);
  const single = new Set<object>(all.flatMap((one) => one.single.map(({ found }) => found.property)));
  const unsupported = new Set<object>(all.flatMap((one) => one.unsupported.map(({ found }) => found.property)));
  return (member) => single.has(member) || !unsupported.has(member);
}
