import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { durationText } from '../../runtime/json/duration.js';
import { StatementBuilder } from '../../runtime/sql/builder.js';
import { compileCast } from '../../runtime/sql/compile-cast.js';
import { testDatabase } from '../support/database.js';

/** Intervals that a column may hold, and the durations that they are (ABNF rule durationValue). */
const durations: readonly (readonly [interval: string, duration: string])[] = [
  ['0', 'PT0S'],
  ['1 day 2 hours', 'P1DT2H'],
  ['-1 day -2 hours', '-P1DT2H'],
  ['-0.5 seconds', '-PT0.5S'],
  ['25 hours 0.000001 seconds', 'PT25H0.000001S'],
  ['1 day -2 hours', 'PT22H'],
  ['-1 day 2 hours', '-PT22H'],
  ['-1 day 0.5 seconds', '-PT23H59M59.5S'],
  ['3 days -0.25 seconds', 'PT71H59M59.75S'],
  ['1 day -24 hours', 'PT0S'],
  ['1 month', 'PT720H'],
  ['1 year 1 day', 'PT8790H'],
  ['1 month -1 day', 'PT696H'],
];

const column = { kind: 'column', type: 'Edm.Duration', collection: false, nullable: false, alias: 't', column: 'd' } as const;

test('an interval is written as a duration, in answers and where it is cast', async (t) => {
  const database = await testDatabase();
  const sequelize = connect(database.url, { poolSize: 1 });
  t.teardown(async () => {
    await sequelize.close();
    await database.drop();
  });
  const asText = compileCast({ kind: 'cast', type: 'Edm.String', nullable: true, operand: column }, new StatementBuilder());
  for (const [interval, duration] of durations) {
    const [row] = await withConnection(sequelize, ({ run }) =>
      run({ text: `select t.d::text, ${asText} from (select $1::interval as d) t`, bind: [interval] }),
    );
    t.deepEqual([durationText(row?.[0] ?? ''), row?.[1]], [duration, duration], interval);
  }
});
