import type { AnyNavigation, EntityType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { PathSegment } from '../../expression/ast.js';
import { excerpt } from '../../expression/quote.js';
import { armsOf, readableArms, requireOneSet, typesIn, type Arm } from '../any-navigation.js';
import type { Scope } from '../scope.js';
import type { Hop } from '../typed-expr.js';
import type { PathTarget } from './check-path.js';
import { recordsTarget } from './related-rows.js';

/** A navigation property to records of any type that a path has reached, of a record or of one of its items. */
interface ReachedAny {
  /** Whose it is, and the path to it from there. */
  readonly type: EntityType;
  readonly path: string;
  readonly any: AnyNavigation;
  readonly hops: readonly Hop[];
  /** The step along one of its parts, and along all of them. */
  readonly along: (arm: Arm) => Hop;
  readonly alongAll: (arms: readonly Arm[]) => { readonly hop: Hop; readonly type: EntityType };
}

/** What lies behind it where no type does: of records of different types only that they are there, and how many. */
export function anyTarget({ type, path, any, hops, along, alongAll }: ReachedAny, rest: readonly PathSegment[], scope: Scope): PathTarget {
  const [next] = rest;
  const arms = readableArms(type, any, scope);
  if (arms.length === 0) scope.onRestricted(type.name);
  if (any.collection && (next === undefined || next.filter || next.name === '$count')) {
    // Of several records the type stands in front of their properties: `Things/any(t:t/Ns.Order/Amount gt 5)`.
    const { hop, type: union } = alongAll(arms.length > 0 ? arms : armsOf(type, any, scope.container));
    return recordsTarget({ hops: [...hops, hop], type: union }, rest, scope);
  }
  if (any.type !== undefined)
    throw errors
      .notImplemented(
        `${path} at this place, whose records may be in one of several places,`,
        'Ask for it in $filter, $orderby, $compute or $expand.',
      )
      .at(scope.option);
  if (next) requireOneSet(type, path, any, next.name, scope.container);
  if (next)
    throw errors
      .typeMismatch(
        `${path} leads to records of any type, and ${excerpt(next.name)} is none of ${typesIn(any, path).join(', ')}; write the type in front, as in ${path}/${typesIn(any, path)[0]}/...`,
      )
      .at(scope.option);
  const records = arms.map((arm) => {
    const hop = along(arm);
    return { kind: 'record' as const, hops: [...hops, hop], alias: hop.alias, type: arm.target };
  });
  return { kind: 'any', records };
}
