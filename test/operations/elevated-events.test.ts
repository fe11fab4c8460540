import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { ActionContext, OperationHandlers, SetTypes } from '../../runtime/edm/handler.js';
import { compileModel, startModel, temporaryFolder } from '../toy/toy-service.js';

interface Item {
  readonly Id: number;
  readonly Count: number;
}
type Sets = {
  readonly Items: SetTypes<Item, number, Item, Partial<Item>>;
  readonly Changes: SetTypes<{ readonly Key: string }, number, object, object>;
};

// Rules of events, without row filters.
const model = readFileSync('test/operations/stock.xml', 'utf8')
  .replace(
    '<edmx:DataServices>',
    '<edmx:Reference Uri="ServiceRules.V1.xml"><edmx:Include Namespace="ServiceRules.V1" Alias="Rules"/></edmx:Reference><edmx:DataServices>',
  )
  .replace(
    '<EntityType Name="Movement">',
    '<EntityType Name="Change"><Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int64" Nullable="false"/><Property Name="Set" Type="Edm.String" Nullable="false"/><Property Name="Key" Type="Edm.String" Nullable="false"/></EntityType><EntityType Name="Movement">',
  )
  .replace(
    '<EntitySet Name="Items" EntityType="self.Item"/>',
    `<EntitySet Name="Items" EntityType="self.Item"><Annotation Term="Org.OData.Capabilities.V1.ChangeTracking"><Record><PropertyValue Property="Supported" Bool="true"/></Record></Annotation></EntitySet>
        <EntitySet Name="Changes" EntityType="self.Change">${['Insert', 'Update', 'Delete'].map((verb) => `<Annotation Term="Org.OData.Capabilities.V1.${verb}Restrictions"><Record><PropertyValue Property="${verb === 'Insert' ? 'Insertable' : verb === 'Update' ? 'Updatable' : 'Deletable'}" Bool="false"/></Record></Annotation>`).join('')}
          <Annotation Term="Rules.ChangeEvents"><Record><PropertyValue Property="Sequence" PropertyPath="No"/><PropertyValue Property="Set" PropertyPath="Set"/><PropertyValue Property="Key" PropertyPath="Key"/></Record></Annotation></EntitySet>`,
  );

const operations: OperationHandlers = {
  receive: async ({ item, pieces }: { item: number; pieces: number }, { elevated, records }: ActionContext<Sets>) => {
    await elevated.update('Items', item, { Count: pieces });
    // Both read what the action has written, and the events of others.
    const [own, events] = [await records.find('Items', item), await elevated.read('Changes', {})];
    if (pieces > 10) throw new Error('Too many.');
    return (own?.Count ?? 0) * 100 + events.length;
  },
};

test('elevated records use the transaction of the action where the model has events and no row filters', async (t) => {
  const folder = temporaryFolder();
  const path = join(folder, 'model.xml');
  writeFileSync(path, model);
  const service = await startModel({ ...(await compileModel(path, folder)), extensions: {}, operations, generated: folder }, folder);
  t.teardown(() => service.stop());
  const ask = async (url: string, body?: object): Promise<{ readonly status: number; readonly value: unknown }> => {
    const answer = await fetch(`${service.root}/${url}`, {
      headers: { Authorization: `Bearer ${await service.token('toy')}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: answer.status, value: ((await answer.json()) as { readonly value?: unknown }).value };
  };
  t.is((await ask('Items', { Id: 1, Name: 'nut' })).status, 201);
  t.deepEqual(await ask('Receive', { item: 1, pieces: 7 }), { status: 200, value: 701 });
  t.is((await ask('Receive', { item: 1, pieces: 70 })).status, 500);
  t.deepEqual((await ask('Items?$select=Count')).value, [{ '@odata.id': `${service.root}/Items(1)`, Count: 7 }]);
  t.deepEqual((await ask('Changes?$select=Key,No')).value, [
    { No: 1, Key: '1' },
    { No: 2, Key: '1' },
  ]);
});
