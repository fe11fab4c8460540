import fc from 'fast-check';
import type { Expression, Items, Method } from './expression.js';
import { ints, literals } from './literals.js';
import { expandedNames, pathsTo, rootNames, sortableNames, type Names } from './names.js';
import { isNum, numberOf, whole, type TypeName } from './values.js';

type Expressions = fc.Arbitrary<Expression>;

/** Conditions over an item, up to a depth; only well-typed ones, with null in every place where a value may stand. */
export function conditions(depth: number): Expressions {
  return condition({ names: rootNames, depth, lambdas: 2 });
}

/** Conditions over a part that is expanded. */
export function expandedConditions(depth: number): Expressions {
  return condition({ names: expandedNames, depth, lambdas: 0 });
}

/** Values that `$orderby` can sort by. */
export function sortable(depth: number, names: Names = sortableNames): Expressions {
  return fc.constantFrom<TypeName>('string', 'int', 'decimal', 'double', 'boolean', 'date', 'time', 'timestamp', 'duration', 'guid')
    .chain((type) => valueOf(type, { names, depth, lambdas: 0 }));
}

/** Where an expression stands: its names, and how much may still be nested. */
interface Place {
  readonly names: Names;
  readonly depth: number;
  readonly lambdas: number;
}

const memo = new WeakMap<Names, Map<string, Expressions>>();

// The same arbitrary stands in many places; made once, or their number would grow with the power of the depth.
function once(name: string, place: Place, make: () => Expressions): Expressions {
  const known = memo.get(place.names) ?? new Map<string, Expressions>();
  memo.set(place.names, known);
  const key = `${name} ${place.depth} ${place.lambdas}`;
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}

const inner = (place: Place): Place => ({ ...place, depth: place.depth - 1 });

const comparable: readonly TypeName[] = ['string', 'int', 'decimal', 'double', 'boolean', 'date', 'time', 'timestamp', 'duration', 'guid'];

function condition(place: Place): Expressions {
  return once('condition', place, () => {
    if (place.depth <= 0) return leaf('boolean', place);
    const below = inner(place);
    const one = condition(below);
    return fc.oneof(
      { withCrossShrink: true },
      { weight: 1, arbitrary: leaf('boolean', place) },
      ...comparable.map((type) => ({ weight: type === 'string' || type === 'int' ? 3 : 1, arbitrary: comparison(type, below) })),
      { weight: 3, arbitrary: inList(below) },
      { weight: 1, arbitrary: tupleIn(below) },
      { weight: 4, arbitrary: fc.tuple(fc.constantFrom('and', 'or'), one, one).map(([operator, left, right]) => binary(operator, left, right)) },
      { weight: 3, arbitrary: one.map((operand) => ({ kind: 'unary' as const, operator: 'not' as const, operand })) },
      { weight: 2, arbitrary: call(['contains', 'startswith', 'endswith'], valueOf('string', below), valueOf('string', below)) },
      { weight: 1, arbitrary: ratioComparison(below) },
      { weight: 1, arbitrary: dayComparison(below) },
      { weight: 1, arbitrary: flags(place) },
      { weight: 1, arbitrary: complexComparison(place) },
      ...(place.names.lists.length === 0 ? [] : [{ weight: 2, arbitrary: ofItems(place, ['contains', 'startswith', 'endswith', 'hassubset', 'hassubsequence']) }]),
      { weight: 1, arbitrary: recordIsNull(place) },
      { weight: 1, arbitrary: recordsAreSame(place) },
      // An order by the clock would be another one on every page, and is refused.
      ...(place.names === sortableNames || place.names === expandedNames ? [] : [{ weight: 1, arbitrary: nowComparison(below) }]),
      ...(place.lambdas > 0 ? [{ weight: 4, arbitrary: lambda(place) }, { weight: 1, arbitrary: sameItems(below) }] : []),
    );
  });
}

function comparison(type: TypeName, place: Place): Expressions {
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
  const right = type === 'int' ? fc.oneof(valueOf('int', place), valueOf('decimal', place)) : type === 'double' ? fc.oneof(valueOf('double', place), leaf('int', place)) : valueOf(type, place);
  const sides = type === 'boolean' ? condition(place) : valueOf(type, place);
  return fc.tuple(operator, sides, type === 'boolean' ? condition(place) : right).map(([name, a, b]) => binary(name, a, b));
}

// A quotient is rounded to some digit; it is only compared with numbers that lie much wider apart.
function ratioComparison(place: Place): Expressions {
  return fc.tuple(fc.constantFrom('gt', 'ge', 'lt', 'le', 'ne', 'eq'), ratio(place), literalOf('decimal')).map(([name, a, b]) => binary(name, a, b));
}

// Everything stored lies before now, and nothing is as late as its parts.
function nowComparison(place: Place): Expressions {
  return fc.tuple(fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'), leaf('timestamp', place), call(['now'])).map(([name, a, b]) => binary(name, a, b));
}

function ratio(place: Place): Expressions {
  const small = fc.oneof(pathOf(['I', 'J', 'N', 'Amount', 'No'], place), literalOf('decimal'));
  const divisor = fc.oneof(pathOf(['I', 'J', 'N', 'Amount', 'No'], place), literalOf('decimal').filter(isNotZero));
  return fc.oneof(
    fc.tuple(small, divisor).map(([a, b]) => binary('divby', a, b)),
    fc.tuple(pathOf(['N', 'Amount'], place), divisor).map(([a, b]) => binary('div', a, b)),
  );
}

function inList(place: Place): Expressions {
  return fc.constantFrom(...comparable).chain((type) =>
    fc.tuple(type === 'boolean' ? condition(inner(place)) : valueOf(type, place), fc.array(listItem(type, place), { maxLength: 4 }))
      .map(([operand, items]) => ({ kind: 'in' as const, operand, items })));
}

function listItem(type: TypeName, place: Place): Expressions {
  if (type === 'boolean') return listLiteral(type);
  return fc.oneof({ weight: 5, arbitrary: listLiteral(type) }, { weight: 1, arbitrary: valueOf(type, place) });
}

function listLiteral(type: TypeName): Expressions {
  return type === 'int' || type === 'double' ? fc.oneof(literalOf(type), literalOf('decimal')) : literalOf(type);
}

// `[S,I] in [['a',1],['b',2]]`.
function tupleIn(place: Place): Expressions {
  return fc.tuple(...tupleTypes.map((type) => fc.constantFrom(...pathsTo(type, place.names)).map((path): Expression => ({ kind: 'path', path })))).chain((operands) =>
    fc.array(fc.tuple(...tupleTypes.map(literalOf)), { maxLength: 3 }).map((rows): Expression => ({ kind: 'tuple', operands, rows })));
}

const tupleTypes = ['string', 'int'] as const;

function caseOf(type: TypeName, place: Place): Expressions {
  const branch = fc.record({ condition: condition(place), value: valueOf(type, place).filter((value) => value.kind !== 'literal' || value.value !== null) });
  return fc.array(branch, { minLength: 1, maxLength: 3 }).map((branches) => ({ kind: 'case', branches }));
}

function countOf(place: Place): Expressions {
  return fc.constantFrom(...place.names.members).chain(({ path, within }) =>
    condition({ names: within, depth: Math.min(place.depth, 1), lambdas: 0 }).map((predicate): Expression => ({ kind: 'count', path, predicate })));
}

/** A value of a type: a leaf, or what an operator or a function makes of others. */
function valueOf(type: TypeName, place: Place): Expressions {
  return once(type, place, () => {
    if (type === 'boolean') return condition(place);
    if (place.depth <= 0) return leaf(type, place);
    return fc.oneof({ withCrossShrink: true }, { weight: 4, arbitrary: leaf(type, place) }, { weight: 1, arbitrary: caseOf(type, inner(place)) }, ...composed[type](inner(place)).map((arbitrary) => ({ weight: 1, arbitrary })));
  });
}

/** How values of a type are made of others; a new way is a row here. */
const composed: { readonly [Type in Exclude<TypeName, 'boolean'>]: (place: Place) => readonly Expressions[] } = {
  string: (place) => [
    ...(place.names.members.length === 0 ? [] : [aggregateOf('string', ['min', 'max'], place)]),
    call(['concat'], valueOf('string', place), valueOf('string', place)),
    call(['tolower', 'toupper', 'trim'], valueOf('string', place)),
    call(['substring'], valueOf('string', place), valueOf('int', place)),
    call(['substring'], valueOf('string', place), valueOf('int', place), fc.oneof(literalOf('int').map(withoutSign), call(['length'], valueOf('string', place)), pathOf(['I', 'J', 'No'], place))),
    cast(fc.oneof(valueOf('int', place), valueOf('boolean', place), valueOf('date', place), valueOf('time', place), valueOf('timestamp', place), valueOf('guid', place), leaf('double', place)), 'Edm.String'),
  ],
  int: (place) => [
    call(['length'], valueOf('string', place)),
    call(['indexof'], valueOf('string', place), valueOf('string', place)),
    call(['year', 'month', 'day'], fc.oneof(valueOf('date', place), valueOf('timestamp', place))),
    call(['hour', 'minute', 'second'], fc.oneof(valueOf('time', place), valueOf('timestamp', place))),
    call(['totaloffsetminutes'], valueOf('timestamp', place)),
    fc.tuple(fc.constantFrom('add', 'sub', 'mul'), valueOf('int', place), valueOf('int', place)).map(([name, a, b]) => binary(name, a, b)),
    fc.tuple(fc.constantFrom('div', 'mod'), valueOf('int', place), valueOf('int', place).filter(isNotZero)).map(([name, a, b]) => binary(name, a, b)),
    valueOf('int', place).map(negation),
    cast(fc.oneof(valueOf('string', place), valueOf('decimal', place), valueOf('int', place)), 'Edm.Int32', 'Edm.Int64', 'Edm.Int16', 'Edm.Byte'),
    ...(place.names.members.length === 0 || place.depth < 1 ? [] : [countOf(place), aggregateOf('int', ['min', 'max'], place)]),
    ...(place.names.lists.length === 0 ? [] : [ofItems(place, ['indexof'])]),
    ...(place.names.counts.length === 0 ? [] : [fc.constantFrom(...place.names.counts).map((path) => ({ kind: 'path' as const, path }))]),
  ],
  decimal: (place) => [
    ...(place.names.members.length === 0 ? [] : [aggregateOf('decimal', ['sum', 'min', 'max', 'countdistinct'], place), aggregateOf('string', ['countdistinct'], place)]),
    fc.tuple(fc.constantFrom('add', 'sub', 'mul'), valueOf('decimal', place), fc.oneof(valueOf('decimal', place), valueOf('int', place))).map(([name, a, b]) => binary(name, a, b)),
    fc.tuple(valueOf('decimal', place), valueOf('decimal', place).filter(isNotZero)).map(([a, b]) => binary('mod', a, b)),
    valueOf('decimal', place).map(negation),
    call(['round', 'floor', 'ceiling'], fc.oneof(valueOf('decimal', place), valueOf('int', place), ratio(place))),
    call(['fractionalseconds'], fc.oneof(valueOf('timestamp', place), valueOf('time', place))),
    call(['totalseconds'], valueOf('duration', place)),
    cast(fc.oneof(valueOf('string', place), valueOf('int', place)), 'Edm.Decimal'),
  ],
  double: (place) => [
    fc.tuple(fc.constantFrom('add', 'sub'), valueOf('double', place), fc.oneof(valueOf('double', place), leaf('int', place).filter(isSmall))).map(([name, a, b]) => binary(name, a, b)),
    fc.tuple(leaf('double', place), leaf('double', place)).map(([a, b]) => binary('mul', a, b)),
    fc.tuple(valueOf('double', place), literalOf('double').filter(isNotZero)).map(([a, b]) => binary('mod', a, b)),
    valueOf('double', place).map(negation),
    call(['round', 'floor', 'ceiling'], valueOf('double', place)),
    cast(pathOf(['I', 'J', 'No'], place), 'Edm.Double'),
  ],
  date: (place) => [call(['date'], valueOf('timestamp', place)), cast(fc.oneof(valueOf('timestamp', place), valueOf('string', place)), 'Edm.Date')],
  time: (place) => [call(['time'], valueOf('timestamp', place)), cast(fc.oneof(valueOf('timestamp', place), valueOf('string', place)), 'Edm.TimeOfDay')],
  timestamp: (place) => [
    call(['mindatetime', 'maxdatetime']),
    cast(valueOf('string', place), 'Edm.DateTimeOffset'),
    fc.tuple(fc.constantFrom('add', 'sub'), moment(place), valueOf('duration', place)).map(([name, a, b]) => binary(name, a, b)),
  ],
  duration: (place) => [
    cast(valueOf('string', place), 'Edm.Duration'),
    fc.tuple(moment(place), moment(place)).map(([a, b]) => binary('sub', a, b)),
    fc.tuple(valueOf('duration', place), fc.integer({ min: -12, max: 12 })).map(([a, b]) => binary('mul', a, { kind: 'literal', type: 'int', value: whole(b) })),
    valueOf('duration', place).map(negation),
    fc.tuple(fc.constantFrom('add', 'sub'), valueOf('duration', place), valueOf('duration', place)).map(([name, a, b]) => binary(name, a, b)),
  ],
  guid: (place) => [cast(valueOf('string', place), 'Edm.Guid')],
};

/** Collections beside each other: of the record, of another one that may be missing, or written out. */
function sameItems(place: Place): Expressions {
  return fc.constantFrom(['Tags', 'string'] as const, ['Nums', 'int'] as const).chain(([name, type]) => {
    const stored = place.names.collections.filter(({ path }) => path.at(-1) === name).map(({ path }): Items => ({ path }));
    const written: fc.Arbitrary<Items> = fc.array(fc.oneof(literalOf(type), leaf(type, place)), { maxLength: 3 });
    return fc.record({ kind: fc.constant('collections' as const), operator: fc.constantFrom('eq' as const, 'ne' as const, 'hassubset' as const), left: fc.constantFrom(...stored), right: fc.oneof(fc.constantFrom(...stored), written) });
  });
}

function lambda(place: Place): Expressions {
  return fc.tuple(fc.constantFrom(...place.names.collections), fc.constantFrom('any' as const, 'all' as const)).chain(([{ path, variable, within }, operator]) => {
    const predicate = condition({ names: within, depth: place.depth - 1, lambdas: place.lambdas - 1 });
    const quantified = predicate.map((inside) => ({ kind: 'lambda' as const, operator, path, variable, predicate: inside }));
    const has = valueOf('string', inner(place)).filter((value) => value.kind !== 'literal' || value.value !== null).map((value) => binary('has', { kind: 'path', path }, value));
    const empty = fc.constant<Expression>({ kind: 'lambda', operator: 'any', path, variable });
    return fc.oneof({ weight: 6, arbitrary: quantified }, { weight: 1, arbitrary: path.at(-1) === 'Tags' ? has : empty });
  });
}

function flags({ names }: Place): Expressions {
  return fc.record({ kind: fc.constant('flags' as const), path: fc.constantFrom(...names.flags), operator: fc.constantFrom('has', 'has', 'eq', 'ne'), value: fc.integer({ min: 1, max: 7 }) });
}

// Values of one type: the outer ones, or the inner ones.
function complexComparison({ names: { complexes } }: Place): Expressions {
  return fc.tuple(fc.constantFrom('eq', 'ne'), fc.constantFrom(...complexes)).chain(([operator, left]) => {
    const alike = complexes.filter((path) => path.at(-1) === left.at(-1));
    const right = fc.oneof(fc.constantFrom(...alike).map((path): Expression => ({ kind: 'path', path })), fc.constant<Expression>({ kind: 'literal', type: 'string', value: null }));
    return right.map((other) => binary(operator, { kind: 'path', path: left }, other));
  });
}

function ofItems({ names }: Place, methods: readonly string[]): Expressions {
  return fc.tuple(fc.constantFrom(...methods), fc.constantFrom(...names.lists)).chain(([method, { path, type }]) =>
    fc.array(type === 'string' ? literals.string : ints, { maxLength: 3 }).map((items): Expression => ({ kind: 'items', method, path, type, items })));
}

// What is aggregated is a property, or a product of two.
function aggregateOf(type: 'string' | 'int' | 'decimal', methods: readonly Method[], place: Place): Expressions {
  return fc.tuple(fc.constantFrom(...place.names.members), fc.constantFrom(...methods)).chain(([{ path, within }, method]) => {
    const property = fc.constantFrom(...pathsTo(type, within)).map((one): Expression => ({ kind: 'path', path: one }));
    const value = type === 'decimal' ? fc.oneof(property, fc.tuple(property, property).map(([a, b]) => binary('mul', a, b))) : property;
    return value.map((one): Expression => ({ kind: 'aggregate', path, value: one, method }));
  });
}

function recordIsNull(place: Place): Expressions {
  const nothing: Expression = { kind: 'literal', type: 'string', value: null };
  const paths = [...place.names.records, ...place.names.points];
  return fc.tuple(fc.constantFrom('eq', 'ne'), fc.constantFrom(...paths)).map(([operator, path]) => binary(operator, { kind: 'path', path }, nothing));
}

// All that is navigated to one of is an item.
function recordsAreSame({ names: { records } }: Place): Expressions {
  return fc.tuple(fc.constantFrom('eq', 'ne'), fc.constantFrom(...records), fc.constantFrom(...records)).map(([operator, left, right]) => binary(operator, { kind: 'path', path: left }, { kind: 'path', path: right }));
}

function leaf(type: TypeName, place: Place): Expressions {
  const paths = pathsTo(type, place.names);
  const literal = literalOf(type);
  return paths.length === 0 ? literal : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...paths).map((path) => ({ kind: 'path' as const, path })) }, { weight: 1, arbitrary: literal });
}

function day(place: Place): Expressions {
  return leaf('date', place).filter((expr) => expr.kind !== 'literal' || expr.value !== null);
}

// Days before the year 1 and behind 9999 have no text, and centuries lead out of the time that is known, so that they are only compared.
function dayComparison(place: Place): Expressions {
  const other = fc.tuple(fc.constantFrom('add', 'sub'), day(place), leaf('duration', place)).map(([name, a, b]) => binary(name, a, b));
  const span = fc.tuple(day(place), day(place)).map(([a, b]) => binary('sub', a, b));
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
  return fc.oneof(fc.tuple(operator, other, leaf('date', place)), fc.tuple(operator, span, fc.oneof(span, valueOf('duration', place)))).map(([name, a, b]) => binary(name, a, b));
}

// A bare null beside a span says too little of what is added to what; the service refuses it.
function moment(place: Place): Expressions {
  return leaf('timestamp', place).filter((expr) => expr.kind !== 'literal' || expr.value !== null);
}

function pathOf(columns: readonly string[], place: Place): Expressions {
  const paths = [...pathsTo('int', place.names), ...pathsTo('decimal', place.names)].filter((path) => columns.includes(path.at(-1) ?? ''));
  return fc.constantFrom(...paths).map((path) => ({ kind: 'path', path }));
}

function literalOf(type: TypeName): Expressions {
  const values = literals[type].map((value) => ({ kind: 'literal' as const, type, value }));
  if (type === 'duration') return values;
  return fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary: fc.constant({ kind: 'literal' as const, type, value: null }) });
}

function call(names: readonly string[], ...args: readonly Expressions[]): Expressions {
  return fc.tuple(fc.constantFrom(...names), fc.tuple(...args)).map(([method, values]) => ({ kind: 'call', method, arguments: values }));
}

function cast(values: Expressions, ...types: readonly string[]): Expressions {
  return fc.tuple(values, fc.constantFrom(...types)).map(([operand, to]) => ({ kind: 'cast', operand, to }));
}

function binary(operator: string, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right };
}

function negation(operand: Expression): Expression {
  return { kind: 'unary', operator: '-', operand };
}

// The service refuses a literal zero as a divisor, and a literal negative length.
function isNotZero(expr: Expression): boolean {
  if (expr.kind === 'unary') return isNotZero(expr.operand);
  return expr.kind !== 'literal' || !isNum(expr.value) || expr.value.over !== 0n;
}

function withoutSign(expr: Expression): Expression {
  return expr.kind === 'literal' && isNum(expr.value) && expr.value.over < 0n ? { ...expr, value: numberOf('1') } : expr;
}

function isSmall(expr: Expression): boolean {
  return expr.kind === 'path' ? expr.path.at(-1) !== 'L' : expr.kind !== 'literal' || !isNum(expr.value) || expr.value.over ** 2n < 10n ** 18n;
}
