import { errors } from '../../../errors/catalogue.js';
import type { MemberExpr } from '../../../expression/ast.js';
import type { GroupingElement } from '../../../uri/query-options.js';
import type { Scope } from '../../../plan/scope.js';
import { nameOf } from '../../../plan/shown-path.js';

/** The paths of a `groupby`, each once, and the sets of them, by index, that groups are made by. */
interface GroupingSets {
  readonly paths: readonly MemberExpr[];
  readonly sets: readonly (readonly number[])[];
}

const mostSets = 64;

/** Every combination of the levels of the rollups (Data Aggregation 3.2.3.2). */
export function groupingSets(elements: readonly GroupingElement[], scope: Scope): GroupingSets {
  const levels = elements.map((element) => levelsOf(element, scope));
  const sets = levels.reduce<readonly (readonly MemberExpr[])[]>(
    (before, next) => {
      const combined = before.flatMap((set) => next.map((level) => [...set, ...level]));
      if (combined.length > mostSets)
        throw errors.limitExceeded(`The rollups produce more than ${mostSets} grouping sets.`).at(scope.option);
      return combined;
    },
    [[]],
  );
  const names = new Map<string, MemberExpr>();
  for (const path of sets.flat()) names.set(nameOf(path), names.get(nameOf(path)) ?? path);
  const order = [...names.keys()];
  const indexes = sets.map((set) => [...new Set(set.map((path) => order.indexOf(nameOf(path))))].sort((a, b) => a - b));
  // A path repeated in a rollup would repeat a grouping set with indistinguishable rows.
  return { paths: [...names.values()], sets: [...new Map(indexes.map((set) => [set.join(), set])).values()] };
}

// The finest level first; the empty one is the grand total.
function levelsOf(element: GroupingElement, scope: Scope): readonly (readonly MemberExpr[])[] {
  if (element.kind === 'member') return [[withoutIt(element)]];
  const { paths, all } = element;
  if (paths.length + (all ? 1 : 0) < 2) throw errors.notImplemented('rollup of a named hierarchy').at(scope.option);
  const levels = paths.map((_, index) => paths.slice(0, paths.length - index).map(withoutIt));
  return all ? [...levels, []] : levels;
}

// Grouping by `$it` is grouping by its property (URL conventions 5.1.1.14).
function withoutIt(path: MemberExpr): MemberExpr {
  const [first, ...others] = path.path;
  return first?.name === '$it' && others.length > 0 ? { ...path, path: others } : path;
}
