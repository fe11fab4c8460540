import { fc } from '../support/fast-check.js';
import type { Expression } from './expression.js';
import { condition } from './generator.js';
import { binary, call, cast, isNotZero, isSmall, leaf, literalOf, moment, negation, pathOf, withoutSign } from './leaves.js';
import { ints, literals } from './literals.js';
import { inner, once, type Expressions, type Place } from './place.js';
import { whole, type TypeName } from './values.js';

/** A value of a type: a leaf, or what an operator or a function makes of others. */
export function valueOf(type: TypeName, place: Place): Expressions {
  return once(type, place, () => {
    if (type === 'boolean') return condition(place);
    if (place.depth <= 0) return leaf(type, place);
    return fc.oneof(
      { withCrossShrink: true },
      { weight: 4, arbitrary: leaf(type, place) },
      { weight: 1, arbitrary: caseOf(type, inner(place)) },
      ...composed[type](inner(place)).map((arbitrary) => ({ weight: 1, arbitrary })),
    );
  });
}

/** How values of a type are made of others; a new way is a row here. */
const composed: { readonly [Type in Exclude<TypeName, 'boolean'>]: (place: Place) => readonly Expressions[] } = {
  string: (place) => [
    call(['concat'], valueOf('string', place), valueOf('string', place)),
    call(['tolower', 'toupper', 'trim'], valueOf('string', place)),
    call(['substring'], valueOf('string', place), valueOf('int', place)),
    call(
      ['substring'],
      valueOf('string', place),
      valueOf('int', place),
      fc.oneof(literalOf('int').map(withoutSign), call(['length'], valueOf('string', place)), pathOf(['I', 'J', 'No'], place)),
    ),
    cast(
      fc.oneof(
        valueOf('int', place),
        valueOf('boolean', place),
        valueOf('date', place),
        valueOf('time', place),
        valueOf('timestamp', place),
        valueOf('guid', place),
        leaf('double', place),
      ),
      'Edm.String',
    ),
  ],
  int: (place) => [
    call(['length'], valueOf('string', place)),
    call(['indexof'], valueOf('string', place), valueOf('string', place)),
    call(['year', 'month', 'day'], fc.oneof(valueOf('date', place), valueOf('timestamp', place))),
    call(['hour', 'minute', 'second'], fc.oneof(valueOf('time', place), valueOf('timestamp', place))),
    call(['totaloffsetminutes'], valueOf('timestamp', place)),
    fc.tuple(fc.constantFrom('add', 'sub', 'mul'), valueOf('int', place), valueOf('int', place)).map(([name, a, b]) => binary(name, a, b)),
    fc
      .tuple(fc.constantFrom('div', 'mod'), valueOf('int', place), valueOf('int', place).filter(isNotZero))
      .map(([name, a, b]) => binary(name, a, b)),
    valueOf('int', place).map(negation),
    cast(
      fc.oneof(valueOf('string', place), valueOf('decimal', place), valueOf('int', place)),
      'Edm.Int32',
      'Edm.Int64',
      'Edm.Int16',
      'Edm.Byte',
    ),
    ...(place.names.members.length === 0 || place.depth < 1 ? [] : [countOf(place)]),
    ...(place.names.lists.length === 0 ? [] : [ofItems(place, ['indexof'])]),
    ...(place.names.counts.length === 0 ? [] : [fc.constantFrom(...place.names.counts).map((path) => ({ kind: 'path' as const, path }))]),
  ],
  decimal: (place) => [
    fc
      .tuple(fc.constantFrom('add', 'sub', 'mul'), valueOf('decimal', place), fc.oneof(valueOf('decimal', place), valueOf('int', place)))
      .map(([name, a, b]) => binary(name, a, b)),
    fc.tuple(valueOf('decimal', place), valueOf('decimal', place).filter(isNotZero)).map(([a, b]) => binary('mod', a, b)),
    valueOf('decimal', place).map(negation),
    call(['round', 'floor', 'ceiling'], fc.oneof(valueOf('decimal', place), valueOf('int', place), ratio(place))),
    call(['fractionalseconds'], fc.oneof(valueOf('timestamp', place), valueOf('time', place))),
    call(['totalseconds'], valueOf('duration', place)),
    cast(fc.oneof(valueOf('string', place), valueOf('int', place)), 'Edm.Decimal'),
  ],
  double: (place) => [
    fc
      .tuple(
        fc.constantFrom('add', 'sub'),
        valueOf('double', place),
        fc.oneof(valueOf('double', place), leaf('int', place).filter(isSmall)),
      )
      .map(([name, a, b]) => binary(name, a, b)),
    fc.tuple(leaf('double', place), leaf('double', place)).map(([a, b]) => binary('mul', a, b)),
    fc.tuple(valueOf('double', place), literalOf('double').filter(isNotZero)).map(([a, b]) => binary('mod', a, b)),
    valueOf('double', place).map(negation),
    call(['round', 'floor', 'ceiling'], valueOf('double', place)),
    cast(pathOf(['I', 'J', 'No'], place), 'Edm.Double'),
  ],
  date: (place) => [
    call(['date'], valueOf('timestamp', place)),
    cast(fc.oneof(valueOf('timestamp', place), valueOf('string', place)), 'Edm.Date'),
  ],
  time: (place) => [
    call(['time'], valueOf('timestamp', place)),
    cast(fc.oneof(valueOf('timestamp', place), valueOf('string', place)), 'Edm.TimeOfDay'),
  ],
  timestamp: (place) => [
    call(['mindatetime', 'maxdatetime']),
    cast(valueOf('string', place), 'Edm.DateTimeOffset'),
    fc.tuple(fc.constantFrom('add', 'sub'), moment(place), valueOf('duration', place)).map(([name, a, b]) => binary(name, a, b)),
  ],
  duration: (place) => [
    cast(valueOf('string', place), 'Edm.Duration'),
    fc.tuple(moment(place), moment(place)).map(([a, b]) => binary('sub', a, b)),
    fc
      .tuple(fc.integer({ min: -12, max: 12 }), valueOf('duration', place))
      .map(([a, b]) => binary('mul', { kind: 'literal', type: 'int', value: whole(a) }, b)),
    // Divisors of an hour leave whole microseconds.
    fc
      .tuple(fc.constantFrom(3_600_000_000n, -86_400_000_000n), fc.constantFrom(2, 5, -4, -12))
      .map(([micros, by]) =>
        binary(
          'div',
          { kind: 'literal', type: 'duration', value: { kind: 'duration', micros } },
          { kind: 'literal', type: 'int', value: whole(by) },
        ),
      ),
    fc
      .tuple(valueOf('duration', place), fc.integer({ min: -12, max: 12 }))
      .map(([a, b]) => binary('mul', a, { kind: 'literal', type: 'int', value: whole(b) })),
    valueOf('duration', place).map(negation),
    fc
      .tuple(fc.constantFrom('add', 'sub'), valueOf('duration', place), valueOf('duration', place))
      .map(([name, a, b]) => binary(name, a, b)),
  ],
  guid: (place) => [cast(valueOf('string', place), 'Edm.Guid')],
};

/** A quotient of small numbers. */
export function ratio(place: Place): Expressions {
  const small = fc.oneof(pathOf(['I', 'J', 'N', 'Amount', 'No'], place), literalOf('decimal'));
  const divisor = fc.oneof(pathOf(['I', 'J', 'N', 'Amount', 'No'], place), literalOf('decimal').filter(isNotZero));
  return fc.oneof(
    fc.tuple(small, divisor).map(([a, b]) => binary('divby', a, b)),
    fc.tuple(pathOf(['N', 'Amount'], place), divisor).map(([a, b]) => binary('div', a, b)),
  );
}

function caseOf(type: TypeName, place: Place): Expressions {
  const branch = fc.record({
    condition: condition(place),
    value: valueOf(type, place).filter((value) => value.kind !== 'literal' || value.value !== null),
  });
  return fc.array(branch, { minLength: 1, maxLength: 3 }).map((branches) => ({ kind: 'case', branches }));
}

function countOf(place: Place): Expressions {
  return fc.constantFrom(...place.names.members).chain(({ path, within }) =>
    condition({ names: within, depth: Math.min(place.depth, 1), lambdas: 0 }).map((predicate): Expression => ({
      kind: 'count',
      path,
      predicate,
    })),
  );
}

/** A function of a collection and an array. */
export function ofItems({ names }: Place, methods: readonly string[]): Expressions {
  return fc
    .tuple(fc.constantFrom(...methods), fc.constantFrom(...names.lists))
    .chain(([method, { path, type }]) =>
      fc
        .array(type === 'string' ? literals.string : ints, { maxLength: 3 })
        .map((items): Expression => ({ kind: 'items', method, path, type, items })),
    );
}
