import test from 'ava';
import { withItemLinks } from '../runtime/store/item-links.js';
import type { ItemLink, WritePlan } from '../runtime/plan/write/write-plan.js';
import type { Connection, Row, Statement } from '../runtime/sql/statement.js';
import { startToy } from './toy/toy-service.js';

test('what many items lead to is looked for once, and what leads nowhere is told of each', async (t) => {
  const { container, stop } = await startToy('test/toy/items.xml');
  await stop();
  const { Order, Product } = container.entityTypes;
  if (!Order || !Product) return void t.fail();
  const place = (value: string): ItemLink['place'] => ({ type: Product, alias: 't0', parents: [], key: [{ column: 'Id', sqlType: 'integer', value }], via: undefined });
  const [known, unknown] = [place('7'), place('8')];
  const link = (index: number, to: ItemLink['place'], ...names: ItemLink['names']): ItemLink => ({ names: ['Lines', index, ...names], member: '#Product', target: Product, place: to, id: 'it', at: `Lines[${index}]` });
  const plan: WritePlan = {
    type: Order,
    values: new Map([['Id', '1'], ['Lines', '[{"Amount":1},null,{"Parts":[{},{"Name":"a"}]},{}]']]),
    patches: new Map(),
    references: [],
    faults: [],
    itemLinks: [link(0, known), link(2, known), link(2, known, 'Parts', 1), link(3, unknown), link(3, unknown)],
  };
  const asked: Statement[] = [];
  const connection: Pick<Connection, 'run'> = {
    run: (statement: Statement): Promise<readonly Row[]> => {
      asked.push(statement);
      return Promise.resolve([['1', '70']]);
    },
  };
  const { values, faults } = await withItemLinks(plan, connection as Connection);
  t.is(asked.length, 1);
  t.deepEqual(asked[0]?.bind, [['7', '8']]);
  t.is(values.get('Lines'), '[{"Amount":1,"#Product":70},null,{"Parts":[{},{"Name":"a","#Product":70}],"#Product":70},{}]');
  t.deepEqual(faults.map(({ target }) => target), ['Lines[3]', 'Lines[3]']);
});
