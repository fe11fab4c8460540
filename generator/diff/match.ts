import type { Element, Pair } from './element.js';
import { declaredRules, finders, suspicionOf, type Finder } from './finders.js';
import { membersOf, movedPairs } from './moved-members.js';
import type { RuleId } from './rules.js';
import type { Surface } from './surface.js';
import { grouped } from '../../runtime/edm/grouped.js';

/** The matched elements of two models. */
export interface Matching {
  readonly pairs: readonly Pair[];
  readonly removed: readonly Element[];
  readonly added: readonly Element[];
  /** Namespaces that were renamed as a whole. */
  readonly namespaces: readonly { readonly from: string; readonly to: string; readonly at: number }[];
}

/** Matches the elements of two models: parents first, so that a child is looked for below the new parent. */
export function matchSurfaces(old: Surface, now: Surface): Matching {
  const namespaces = movedNamespaces(old, now);
  const pairs = new Map<string, Pair>();
  const taken = new Set<string>();
  const pair = (before: Element, after: Element, rule: RuleId | undefined): void => {
    pairs.set(before.path, { before, after, rule });
    taken.add(after.path);
  };
  const homeOf = (element: Element): string => homePath(element, pairs, namespaces);
  for (const level of [topLevel, childLevel]) {
    const [left, right] = [[...old.values()].filter(level), [...now.values()].filter(level)];
    const declared = declaredIn(right, old);
    for (const before of left) {
      const found = declared.get(homeOf(before))?.find(({ path, kind }) => kind === before.kind && !taken.has(path));
      if (found !== undefined) pair(before, found, declaredRules[before.kind]);
    }
    for (const before of left.filter(({ path }) => !pairs.has(path))) {
      const same = now.get(homeOf(before));
      if (same?.kind === before.kind && level(same) && !taken.has(same.path)) pair(before, same, undefined);
    }
    for (const find of finders) {
      const open = right.filter(({ path }) => !taken.has(path));
      for (const before of left.filter(({ path }) => !pairs.has(path))) {
        const free = open.filter(({ path, kind }) => !taken.has(path) && kind === before.kind);
        const found = find.among(before, homeOf(before), free, { old, now });
        if (found !== undefined) pair(before, found, suspicionOf(find, before, old) ?? ruleOf(find, before, found, namespaces));
      }
    }
  }
  return { ...matched(old, now, pairs, taken), namespaces };
}

function matched(old: Surface, now: Surface, pairs: ReadonlyMap<string, Pair>, taken: ReadonlySet<string>): Omit<Matching, 'namespaces'> {
  const gone = [...old.values()].filter(({ path, parent }) => !pairs.has(path) && (parent === undefined || pairs.has(parent)));
  const open = [...now.values()].filter(({ path }) => !taken.has(path));
  const found = movedPairs(gone, pairs, open, { old, now });
  return {
    pairs: [...pairs.values(), ...found],
    removed: gone.filter((element) => !found.some(({ before }) => before === element)),
    added: [
      ...open.filter((after) => (after.parent === undefined || taken.has(after.parent)) && !found.some((one) => one.after === after)),
      ...[...pairs.values()].flatMap((one) => gainedOf(one, old, now)),
    ],
  };
}

// By former paths; a declaration that the old model has was carried out.
function declaredIn(elements: readonly Element[], old: Surface): ReadonlyMap<string, readonly Element[]> {
  return grouped(
    elements.filter(({ path, renamedFrom }) => renamedFrom !== undefined && old.get(path)?.renamedFrom !== renamedFrom),
    ({ renamedFrom = '' }) => renamedFrom,
  );
}

const topLevel = ({ parent }: Element): boolean => parent === undefined;
const childLevel = ({ parent }: Element): boolean => parent !== undefined;

function ruleOf({ rules }: Finder, before: Element, after: Element, namespaces: Matching['namespaces']): RuleId | undefined {
  const rule = rules[before.kind];
  // A namespace that moved as a whole is reported once.
  return rule === 'type-moved' && namespaces.some(({ from, to }) => before.path.startsWith(`${from}.`) && after.path.startsWith(`${to}.`))
    ? undefined
    : rule;
}

function homePath({ path, parent, name }: Element, pairs: ReadonlyMap<string, Pair>, namespaces: Matching['namespaces']): string {
  if (parent !== undefined) return `${pairs.get(parent)?.after.path ?? parent}/${name}`;
  const moved = namespaces.find(({ from }) => path.startsWith(`${from}.`));
  return moved === undefined ? path : `${moved.to}${path.slice(moved.from.length)}`;
}

// A namespace is renamed where one is gone, one is new, and most names of the old one are in the new one.
function movedNamespaces(old: Surface, now: Surface): Matching['namespaces'] {
  const [left, right] = [namesByNamespace(old), namesByNamespace(now)];
  const gone = [...left].filter(([namespace]) => !right.has(namespace));
  return gone.flatMap(([from, names]) => {
    const target = [...right].find(
      ([namespace, others]) =>
        !left.has(namespace) && names.filter(({ name }) => others.some((other) => other.name === name)).length * 2 > names.length,
    );
    return target === undefined ? [] : [{ from, to: target[0], at: target[1][0]?.at ?? 0 }];
  });
}

function namesByNamespace(surface: Surface): ReadonlyMap<string, readonly Element[]> {
  return grouped([...surface.values()].filter(topLevel), ({ path }) => path.slice(0, path.replace(/\(.*$/, '').lastIndexOf('.')));
}

/** The members that a type inherits from a new base type, as if it declared them. */
function gainedOf({ before, after }: Pick<Pair, 'before' | 'after'>, old: Surface, now: Surface): readonly Element[] {
  if (before.facts['baseType'] !== undefined || after.facts['baseType'] === undefined) return [];
  return membersOf(after, now)
    .filter(({ name }) => !old.has(`${before.path}/${name}`))
    .map((member) => ({ ...member, parent: after.path, path: `${after.path}/${member.name}` }));
}
