import type { NavigationProperty, StructuredType } from '../../csdl/csdl.js';
import { faults, type Report } from '../../faults.js';
import { isOfOneFamily, structuresOf, type Scope } from '../names/scope.js';
import { memoized } from '../../../runtime/edm/memoized.js';

/** A type with its qualified name. */
export interface NamedStructure {
  readonly type: StructuredType;
  readonly name: string;
  /** The type and its base types, the nearest first. */
  readonly line: readonly StructuredType[];
  readonly scope: Scope;
}

/** Checks the standard's prose for a back-reference to the containing entity (CSDL 4.01, 8.4). */
export function checkWayBack(back: NavigationProperty, { type, name, line, scope }: NamedStructure, report: Report): void {
  const down = downTo(back, scope);
  if (down === undefined || back.collection) return;
  const wrong = (why: string, hint: string): void =>
    report(faults.prose(back.at, `${type.name}/${back.name}`, `${why} (CSDL 4.01, 8.4)`, hint));
  const [first = back] = line.toReversed().flatMap((one) => firstBack(one, scope) ?? []);
  const partner = `is the partner of ${down.name}`;
  if (first !== back)
    wrong(
      `${partner}, but ${first.name} is the partner of the other parent`,
      'Use separate types for the contained records, or remove the Partner of one.',
    );
  const isRecursive = isOfOneFamily(name, scope.qualify(back.type), scope);
  if (isRecursive && back.nullable === false)
    wrong(
      `has Nullable="false", but ${partner}, which contains its own type, so that the outermost record has no parent`,
      'Omit Nullable.',
    );
  if (!isRecursive && back.nullable !== false)
    wrong(`is nullable, but ${partner}, which contains every record`, 'Add Nullable="false", or remove the Partner of both.');
}

const firstBack = memoized((type: StructuredType, scope: Scope) =>
  type.properties.find((one): one is NavigationProperty => one.kind === 'NavigationProperty' && downTo(one, scope) !== undefined),
);

// The containment of the entities, by the type of the back-reference.
function downTo({ name, type, partner }: NavigationProperty, scope: Scope): NavigationProperty | undefined {
  for (const structure of structuresOf(scope.qualify(type), scope)) {
    const { byName, byPartner } = containmentsOf(structure);
    const found = byName.get(partner ?? '') ?? byPartner.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The containments of a type, by name and by partner. */
interface Containments {
  readonly byName: ReadonlyMap<string, NavigationProperty>;
  readonly byPartner: ReadonlyMap<string, NavigationProperty>;
}

const containmentsOf = memoized((type: StructuredType): Containments => {
  const all = type.properties.filter((one): one is NavigationProperty => one.kind === 'NavigationProperty' && one.containsTarget);
  return {
    byName: new Map(all.map((one) => [one.name, one])),
    byPartner: new Map(all.flatMap((one) => (one.partner === undefined ? [] : [[one.partner, one] as const]))),
  };
});
