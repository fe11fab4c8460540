import { qualify, type AnyNavigation, type EntityContainer, type EntityType } from '../../edm/index.js';
import { anyNavigationOf } from '../path/nested-path.js';
import { errors } from '../../errors/catalogue.js';
import type { CommonExpr, MemberExpr, PathSegment } from '../../expression/ast.js';
import { expressionLimits } from '../../expression/limits.js';
import { armsOf, isThere, readableArms } from '../any-navigation.js';
import { mayBe } from '../behind-type.js';
import type { Aliases, Scope } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';
import { enumerationOf, ofEnumeration } from '../expr-facts.js';
import { isUntyped } from '../value/dynamic-value.js';
import { asPath } from './cast-path.js';
import { resolvePath, type PathTarget } from './check-path.js';
import { within } from './check-property.js';

/** An expression for the records of one place, and when it is these that are meant. */
interface OfPlace {
  readonly expr: CommonExpr;
  readonly condition: TypedExpr;
}

/**
 * A back-reference to a parent that may be in one of several entity sources is checked for each: the result is the
 * expression over the source that has the parent. Undefined where the expression has no such path.
 */
export function checkEachPlace(expr: CommonExpr, scope: Scope, check: (expr: CommonExpr) => TypedExpr): TypedExpr | undefined {
  const given = eachPlace(expr, scope)?.map(({ condition, expr: one }) => ({ condition, value: check(one) }));
  const [last, ...others] = given?.toReversed() ?? [];
  if (last === undefined) return undefined;
  const { type } = last.value;
  if (isUntyped(last.value))
    throw errors
      .notImplemented(
        'A property that the model does not declare, of what contains the records, alone',
        'Compare it with a value, as in $filter=Name eq 1.',
      )
      .at(scope.option);
  if (type === 'null' || type === 'polygon' || type === 'line') return last.value;
  // Without a parent in any source the last alternative gives the result for null.
  const branches = [...others.toReversed(), { ...last, condition: always }];
  return { kind: 'case', type, ...ofEnumeration(enumerationOf(last.value)), nullable: true, branches };
}

/** The path with the first entity source, for callers that need only its type. */
export function atFirstPlace(path: MemberExpr, scope: Scope): MemberExpr {
  if (namesOf(scope.container).size === 0) return path;
  const [first] = fork(path, scope)?.parts ?? [];
  return first ? atFirstPlace(first.path, scope) : path;
}

const always: TypedExpr = { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: true };

const names = new WeakMap<EntityContainer, ReadonlySet<string>>();

// Looked for once a model, of which most have none.
function namesOf(container: EntityContainer): ReadonlySet<string> {
  const known =
    names.get(container) ??
    new Set(
      Object.values(container.entityTypes).flatMap(({ anyNavigation = {} }) =>
        Object.keys(anyNavigation).filter((name) => anyNavigation[name]?.type !== undefined),
      ),
    );
  names.set(container, known);
  return known;
}

function eachPlace(expr: CommonExpr, scope: Scope): readonly OfPlace[] | undefined {
  if (namesOf(scope.container).size === 0) return undefined;
  const own = fork(expr.kind === 'lambda' ? expr.source : expr, scope);
  const [found] = own
    ? [own]
    : operandsOf(expr)
        .flatMap((operand) => fork(operand, scope) ?? [])
        .filter(({ parts: [first] }) => first && (takesPath(expr) || !isValue(first.path, scope)));
  if (found) takeWays(found.parts.length, scope);
  return found?.parts.map(({ condition, path }) => ({ condition, expr: withPath(expr, found.of, path) }));
}

// A value is its own operand; entities and collections are operands only within an expression.
function operandsOf(expr: CommonExpr): readonly CommonExpr[] {
  if (expr.kind === 'binary') return [expr.left, expr.right];
  return expr.kind === 'methodCall' ? expr.arguments : [];
}

const ofPaths: ReadonlySet<string> = new Set(['cast', 'isof', 'isdefined']);

// These ask of the property itself, and have no other expression within them.
function takesPath(expr: CommonExpr): boolean {
  return expr.kind === 'methodCall' && ofPaths.has(expr.method);
}

function isValue(path: MemberExpr, scope: Scope): boolean {
  const target = resolvePath(atFirstPlace(path, scope), scope);
  // Undeclared properties take the type of the other operand.
  return target.kind === 'value' && !isUntyped(target.expr);
}

const ways = new WeakMap<Aliases, number>();

// Each alternative is a separate expression: nested ones multiply.
function takeWays(count: number, { aliases, option }: Scope): void {
  const taken = (ways.get(aliases) ?? 0) + count;
  ways.set(aliases, taken);
  if (taken > expressionLimits.waysBack)
    throw errors
      .limitExceeded(
        `What contains the records is asked for in more than ${expressionLimits.waysBack} ways, one for each place that it may be in.`,
      )
      .at(option);
}

function withPath(expr: CommonExpr, old: CommonExpr, path: MemberExpr): CommonExpr {
  const changed = <One extends CommonExpr>(one: One): One | MemberExpr => (one === old ? path : one);
  if (expr === old) return path;
  if (expr.kind === 'lambda') return { ...expr, source: path };
  if (expr.kind === 'binary') return { ...expr, left: changed(expr.left), right: changed(expr.right) };
  return expr.kind === 'methodCall' ? { ...expr, arguments: expr.arguments.map(changed) } : expr;
}

/** A path of the expression, with its form for each entity source. */
interface Fork {
  readonly of: CommonExpr;
  readonly parts: readonly { readonly condition: TypedExpr; readonly path: MemberExpr }[];
}

function fork(of: CommonExpr, scope: Scope): Fork | undefined {
  const path = asPath(of, scope) ?? of;
  if (path.kind !== 'member' || path.base) return undefined;
  for (const [index, { name }] of path.path.entries()) {
    const isNamed = path.path[index + 1]?.name.includes(':') ?? false;
    const owner = !isNamed && namesOf(scope.container).has(name) ? ownerAt(path, index, scope) : undefined;
    const any = owner && anyNavigationOf(owner.type, name);
    if (owner && any?.type !== undefined) return { of, parts: partsOf(owner, any, path, index, scope) };
  }
  return undefined;
}

type Owner = Extract<PathTarget, { kind: 'record' }>;

function ownerAt(path: MemberExpr, index: number, scope: Scope): Owner | undefined {
  const before = path.path.slice(0, index);
  // The first name may be that of a variable, or of a property of the implicit one.
  if (index === 0 && (scope.variables.has(path.path[0]?.name ?? '') || scope.implicit.kind !== 'record')) return undefined;
  const owner = resolvePath({ ...path, path: before }, scope);
  return owner.kind === 'record' ? owner : undefined;
}

function partsOf(
  { type, hops, alias }: Owner,
  any: AnyNavigation,
  { path, ...expr }: MemberExpr,
  index: number,
  scope: Scope,
): Fork['parts'] {
  const [before, segment, after] = [path.slice(0, index), path[index], path.slice(index + 1)];
  const arms = armsToRead(type, any, scope);
  // Entities of some sources cannot have the type of the following cast.
  const next = after[0]?.name ?? '';
  const castable = next.includes('.') ? arms.filter(({ target }) => mayBe(qualify(scope.container, next), target)) : [];
  return (castable.length > 0 ? castable : arms).map(({ path: part, navigation }) => {
    const named: PathSegment = { name: part.slice(part.lastIndexOf('/') + 1), at: segment?.at ?? expr.at };
    const number: TypedExpr = {
      kind: 'column',
      type: 'Edm.Int64',
      collection: false,
      nullable: true,
      alias,
      column: Object.keys(navigation.join)[0] ?? '',
    };
    return {
      condition: isThere(within(hops, number)),
      path: { ...expr, path: [...before, ...(segment ? [segment] : []), named, ...after] },
    };
  });
}

// If the caller may read none of them, the first one's error is thrown.
function armsToRead(type: EntityType, any: AnyNavigation, scope: Scope): ReturnType<typeof readableArms> {
  const arms = readableArms(type, any, scope);
  if (arms.length === 0) scope.onRestricted(type.name);
  return arms.length > 0 ? arms : armsOf(type, any, scope.container);
}
