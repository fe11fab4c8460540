// Depends on PostgreSQL: SQL.

import test from 'ava';
import { primitives } from '../../runtime/edm/index.js';
import { type Field } from '../../runtime/edm/field.js';
import { storedForm } from '../../runtime/store/record-change.js';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { patient, testDatabase } from '../support/database.js';

/** Values as a plan has them, by what the column is; the last ones have no form that is known beforehand. */
const values: readonly (readonly [field: Field, sqlType: string, values: readonly string[]])[] = [
  [{ type: 'Edm.String' }, 'text', ['', ' a ', 'Zürich', '\\', '{}', 'é']],
  [{ type: 'Edm.Int32' }, 'integer', ['0', '-0', '007', '7', '-12', '2147483647']],
  [{ type: 'Edm.Int64' }, 'bigint', ['-9223372036854775808', '10']],
  [
    { type: 'Edm.Decimal', precision: 14, scale: 2 },
    'numeric(14, 2)',
    ['0', '-0', '0.00', '-0.0', '9.9', '9.90', '512500', '5.125e5', '-0.05', '1e-2', '100000000000'],
  ],
  [{ type: 'Edm.Decimal', precision: 5 }, 'numeric(5, 0)', ['0', '7', '70.0', '1e4', '-3']],
  [{ type: 'Edm.Decimal', precision: 12, scale: 8 }, 'numeric(12, 8)', ['-79.3832', '43.00000001', '1e-8']],
  [{ type: 'Edm.Date' }, 'date', ['2024-02-29', '1000-01-01', '9999-12-31']],
];

test('a form that is known beforehand is the one that the database gives back', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, { ...patient, poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await database.drop();
  });
  for (const [field, sqlType, texts] of values) {
    for (const text of texts) {
      const [row] = await withConnection(pool, ({ run }) => run({ text: `select $1::${sqlType}::text`, bind: [text] }));
      t.is(storedForm(field, text), row?.[0], `${text} as ${sqlType}`);
    }
  }
});

test('what the database alone knows is left to it', (t) => {
  for (const type of ['Edm.Double', 'Edm.DateTimeOffset', 'Edm.Guid', 'Edm.ComplexType', 'Edm.Boolean'] as const)
    t.is(storedForm({ type }, '1'), undefined, primitives[type].sql);
  t.is(storedForm({ type: 'Edm.Decimal' }, '9.90'), undefined, 'a column without a scale keeps the one it is given');
  t.is(storedForm({ type: 'Edm.Decimal', precision: 4, scale: 1 }, '9.95'), undefined, 'rounding');
  t.is(storedForm({ type: 'Edm.Date' }, '12024-01-01'), undefined);
  t.is(storedForm({ type: 'Edm.String', collection: true }, '{}'), undefined);
  t.is(storedForm({ type: 'Edm.Double' }, null), null, 'nothing is nothing everywhere');
});
