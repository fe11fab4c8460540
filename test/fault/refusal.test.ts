import test from 'ava';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { writeRefusal } from '../../runtime/store/refusal.js';

// As the driver throws it, and as Sequelize wraps it.
function notNull(column: string): Error {
  return Object.assign(new Error('null value in column violates not-null constraint'), { code: '23502', column });
}

test('a computed property that nothing computes is told by its name', (t) => {
  for (const failure of [notNull('Concurrency'), Object.assign(new Error('wrapped'), { original: notNull('Concurrency') })]) {
    const refusal = writeRefusal(failure);
    if (!(refusal instanceof ODataError)) return void t.fail('It is no refusal.');
    t.is(refusal.status, 400);
    t.deepEqual(
      refusal.details?.map(({ code, target }) => [code, target]),
      [['1101', 'Concurrency']],
    );
    t.regex(refusal.details?.[0]?.message ?? '', /nothing sets it: .*Rules\.Generated/);
  }
});

test('columns of the service itself are not named', (t) => {
  const refusal = writeRefusal(notNull('#in.Trip'));
  if (!(refusal instanceof ODataError)) return void t.fail('It is no refusal.');
  t.deepEqual(
    refusal.details?.map(({ code, target }) => [code, target]),
    [['1105', undefined]],
  );
});

function broken(detail: string): Error {
  return Object.assign(new Error('a foreign key'), { code: '23503', table: 'Card', constraint: 'Card#Author#fk', detail });
}

test('of the two directions of a broken reference each is told as what it is', (t) => {
  const [missing, referred] = [
    writeRefusal(broken('Key (#Author)=(1) is not present in table "Author".')),
    writeRefusal(broken('Key (#id)=(1) is still referenced from table "Card".')),
  ];
  t.deepEqual(
    [missing, referred].map((refusal) => (refusal instanceof ODataError ? [refusal.status, refusal.code] : refusal)),
    [
      [400, '1111'],
      [409, '1055'],
    ],
  );
});
