import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { ActionContext, BoundCollection, FunctionContext, OperationHandlers, SetTypes } from '../../runtime/edm/handler.js';
import { compileModel, startModel, temporaryFolder, type ToyService } from '../toy/toy-service.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

interface Task {
  readonly Id: number;
  readonly Title: string;
}
type Sets = { readonly Tasks: SetTypes<Task, number, Task, Partial<Task>> };

const operations = `
  <Action Name="Finish" IsBound="true"><Parameter Name="task" Type="self.Task" Nullable="false"/></Action>
  <Action Name="Seize"><Parameter Name="id" Type="Edm.Int32" Nullable="false"/><Parameter Name="elevated" Type="Edm.Boolean" Nullable="false"/></Action>
  <Function Name="Describe" IsBound="true"><Parameter Name="task" Type="self.Task" Nullable="false"/><ReturnType Type="Edm.String" Nullable="false"/></Function>
  <Function Name="Ids" IsBound="true"><Parameter Name="tasks" Type="Collection(self.Task)" Nullable="false"/><ReturnType Type="Collection(Edm.Int32)" Nullable="false"/></Function>
  <Function Name="Drawn"><Parameter Name="line" Type="Edm.Stream"/><ReturnType Type="Edm.String"/></Function>
  <Function Name="Every"><ReturnType Type="Collection(self.Task)" Nullable="false"/></Function>
  <Function Name="Copies" IsComposable="true"><ReturnType Type="Collection(self.Task)" Nullable="false"/></Function>
  <Function Name="Numbers"><Parameter Name="elevated" Type="Edm.Boolean" Nullable="false"/><ReturnType Type="Collection(Edm.Int32)" Nullable="false"/></Function>
`;
const imports =
  '<FunctionImport Name="Copies" Function="self.Copies"/><ActionImport Name="Seize" Action="self.Seize"/><FunctionImport Name="Drawn" Function="self.Drawn"/><FunctionImport Name="Every" Function="self.Every"/><FunctionImport Name="Numbers" Function="self.Numbers"/>';

// oxfmt-ignore
const handlers: OperationHandlers = {
  finish: async ({ task }: { task: Task }, { records }: ActionContext<Sets>) => void (await records.update('Tasks', task.Id, { Title: 'finished' })),
  seize: async ({ id, elevated }: { id: number; elevated: boolean }, context: ActionContext<Sets>) => void (await (elevated ? context.elevated : context.records).update('Tasks', id, { Title: 'seized' })),
  describe: ({ task }: { task: Task }) => task.Title,
  ids: async ({ tasks }: { tasks: BoundCollection<Task> }) => (await tasks.read({ orderby: 'Id' })).map(({ Id }) => Id),
  drawn: () => 'a line',
  every: () => ({ from: 'Tasks', filter: 'Id gt 0', orderby: 'Id' }),
  copies: () => ({ values: [{ Id: 1, Title: 'copy', State: 'open', Owner: 'carl', TeamId: 'a' }, { Id: 2, Title: 'copy', State: 'open', Owner: 'anna', TeamId: 'c' }] }),
  numbers: async ({ elevated }: { elevated: boolean }, context: FunctionContext<Sets>) => (await (elevated ? context.elevated : context.records).read('Tasks', { orderby: 'Id' })).map(({ Id }) => Id),
};

let service: ToyService;

test.before(async () => {
  const folder = temporaryFolder();
  const model = join(folder, 'model.xml');
  const text = readFileSync('test/toy/rows.xml', 'utf8');
  writeFileSync(
    model,
    text.replace('<EntityContainer', `${operations}<EntityContainer`).replace('</EntityContainer>', `${imports}</EntityContainer>`),
  );
  const compiled = await compileModel(model, folder);
  const worker = { subject: 'w', scopes: new Set(['worker']), member: 'anna' };
  service = await startModel({ ...compiled, extensions: {}, operations: handlers, generated: folder }, folder, { worker });
  await sequelizeOf(service.pool).query(`insert into "Team" ("Id", "Public") values ('a', true), ('c', true)`);
  await sequelizeOf(service.pool).query(
    `insert into "Task" ("Id", "Title", "State", "Owner", "TeamId") select n, 'paint', 'open', (array['carl', 'anna'])[1 + n % 2], 'a' from generate_series(1, 4) n`,
  );
});

test.after.always(() => service.stop());

test.serial('what a caller may not see is not there to be bound to', async (t) => {
  t.is((await ask('POST', 'Tasks(1)/Work.Finish')).status, 204);
  t.is((await ask('POST', 'Tasks(2)/Work.Finish')).status, 404);
  t.is((await ask('GET', 'Tasks(1)/Work.Describe()')).body, 'finished');
  t.is((await ask('GET', 'Tasks(2)/Work.Describe()')).status, 404);
  t.deepEqual((await ask('GET', 'Tasks/Work.Ids()')).body, [1, 3]);
});

test.serial('what is made is the answer, and what it leads to is in sight of the caller', async (t) => {
  t.deepEqual((await ask('GET', 'Copies()?$select=Id&$expand=Team($select=Id)')).body, [
    { '@odata.id': null, Id: 1, Team: { Id: 'a' } },
    { '@odata.id': null, Id: 2, Team: null },
  ]);
  t.deepEqual((await ask('GET', "Copies()?$select=Id&$filter=Team/Id ne null or startswith(Title,'p')")).body, [
    { '@odata.id': null, Id: 1 },
  ]);
  t.is((await ask('GET', 'Copies()(2)/Team')).status, 204);
  t.is((await ask('GET', 'Copies()(2)/Work.Describe()')).body, 'copy');
  t.deepEqual((await ask('GET', 'Copies()(1)/Team/Tasks/Work.Ids()')).body, [1, 3]);
  t.deepEqual((await ask('GET', 'Copies()(1)/Team/Tasks?$select=Id')).body, [{ Id: 1 }, { Id: 3 }]);
});

test.serial('an answer of records is in sight of the caller', async (t) => {
  t.deepEqual(
    ((await ask('GET', 'Every()?$select=Id')).body as readonly Task[]).map(({ Id }) => Id),
    [1, 3],
  );
});

test.serial('handlers see what the caller sees, or everything where they say so', async (t) => {
  t.deepEqual((await ask('GET', 'Numbers(elevated=false)')).body, [1, 3]);
  t.deepEqual((await ask('GET', 'Numbers(elevated=true)')).body, [1, 2, 3, 4]);
  t.is((await ask('POST', 'Seize', { id: 2, elevated: false })).status, 404);
  t.is((await ask('POST', 'Seize', { id: 2, elevated: true })).status, 204);
  const [[row]] = (await sequelizeOf(service.pool).query(`select "Title" from "Task" where "Id" = 2`)) as unknown as [
    [{ readonly Title: string }],
  ];
  t.is(row.Title, 'seized');
});

test.serial('what nobody can send is told before its value is looked at, with a handler too', async (t) => {
  t.is((await ask('GET', 'Drawn(line=null)')).status, 501);
});

async function ask(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { Authorization: 'Bearer worker', ...(body && { 'Content-Type': 'application/json' }) };
  const response = await fetch(`${service.root}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as { readonly value?: unknown }).value };
}
