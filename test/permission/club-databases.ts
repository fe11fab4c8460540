import { readFileSync } from 'node:fs';
import type { ActionContext, BoundCollection, OperationHandlers, SetTypes } from '../../runtime/edm/handler.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import type { Service } from '../../runtime/http/service.js';
import { subjectOf, type Subject } from '../support/requests/subject.js';
import { compileModel, startModel, temporaryFolder, type Callers, type ToyService } from '../toy/toy-service.js';
import type { RandomRequest } from '../support/requests/random-request.js';
import type { Random } from './random.js';
import { manyNumbers, type TwoDatabases } from './two-databases.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

const callers: Callers = {
  reader: { subject: 'r', scopes: new Set(['reader']) },
  worker: { subject: 'w', scopes: new Set(['worker']), member: 'anna' },
  admin: { subject: 'a', scopes: new Set(['admin']) },
};

/** The rows that are hidden from a caller, in SQL. */
type Unseen = { readonly [table in 'Task' | 'Team' | 'Person' | 'Room' | 'Safe' | 'Mark' | 'Photo' | 'Settings']: string };

const unseenBy: { readonly [caller: string]: Unseen } = {
  reader: {
    Task: `("State" = 'draft' or "TeamId" = 'b')`,
    Team: 'not "Public"',
    Person: '"Away"',
    Room: '("Closed" or "#in.Team" = 2)',
    Safe: '"#in.Team" = 2',
    Mark: `("Kind" = 'b' or "No" <= 1)`,
    Photo: '"Secret"',
    Settings: '"Private"',
  },
  worker: {
    Task: `"Owner" is distinct from 'anna'`,
    Team: `"Id" = 'c'`,
    Person: `("Away" and "Name" <> 'anna')`,
    Room: '("Closed" and "No" <> 1 or "#in.Team" = 3)',
    Safe: '"#in.Team" = 3',
    Mark: `"Owner" is distinct from 'anna'`,
    Photo: '"Secret"',
    Settings: '"Private"',
  },
};

interface Task {
  readonly Id: number;
  readonly Title: string | null;
}
type Sets = { readonly Tasks: SetTypes<Task, number, Task, Partial<Task>> };

const operations: OperationHandlers = {
  finish: async ({ task }: { task: Task }, { records }: ActionContext<Sets>) =>
    void (await records.update('Tasks', task.Id, { Title: 'finished' })),
  retitle: async ({ tasks, title }: { tasks: BoundCollection<Task>; title: string }, { records }: ActionContext<Sets>) => {
    for (const { Id } of await tasks.read({ orderby: 'Id' })) await records.update('Tasks', Id, { Title: title });
  },
  describe: ({ task }: { task: Task }) => task.Title ?? 'none',
  titles: async ({ tasks }: { tasks: BoundCollection<Task> }) => (await tasks.read({ orderby: 'Id' })).flatMap(({ Title }) => Title ?? []),
  every: () => ({ from: 'Tasks', filter: 'Id gt 0', orderby: 'Id' }),
};

/** The rows of sets that a caller sees, as `$filter`, and a property of each by which nothing is hidden. */
const shownTo: { readonly [caller: string]: readonly (readonly [set: string, filter: string, property: string])[] } = {
  reader: [
    ['Tasks', "State ne 'draft' and TeamId ne 'b'", 'Title'],
    ['People', 'not Away', 'Mail'],
    ['Marks', "Kind ne 'b' and No gt 1", 'Text'],
    ['Photos', 'not Secret', 'Title'],
  ],
  worker: [
    ['Tasks', "Owner eq 'anna'", 'Title'],
    ['People', "not Away or Name eq 'anna'", 'Mail'],
    ['Marks', "Owner eq 'anna'", 'Text'],
    ['Photos', 'not Secret', 'Title'],
  ],
};

// Tasks and marks also change hands, so that they appear and disappear, and are deleted with what belongs to them.
async function changeClubs(services: readonly [ToyService, ToyService], caller: string, random: Random): Promise<void> {
  const sets = shownTo[caller] ?? shownTo['worker'] ?? [];
  const text = String(random.below(1_000));
  const each = (set: string, condition: string, property: string): RandomRequest =>
    changing('PATCH', `/${set}/$filter(${encodeURIComponent(condition)})/$each`, { [property]: text });
  // A change of hands also writes what hidden changes write.
  const task = `Tasks(${random.pick([11, 12, 15, 16])})`;
  const mark = `Marks(Kind='a',No=${1 + random.below(4)})`;
  const hands = { Owner: random.pick(['anna', 'carl']) };
  const shown = [
    ...sets.map(([set, filter, property]) => each(set, filter, property)),
    // The reader's filter of tasks navigates, so that the log cannot tell when a task was hidden.
    changing('PATCH', `/${task}`, { ...hands, Title: text, ...(caller === 'worker' && { State: random.pick(['open', 'draft']) }) }),
    changing('PATCH', `/${mark}`, { ...hands, Text: text, 'Task@odata.bind': task }),
    changing('DELETE', `/${random.pick([task, mark])}`),
  ];
  for (const request of shown) if (random.chance(0.5)) for (const service of services) await change(service, request);
  for (const [set, filter, property] of sets) if (random.chance(0.5)) await change(services[1], each(set, `not (${filter})`, property));
}

function changing(method: string, path: string, body?: object): RandomRequest {
  return { method, path, headers: { 'Content-Type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) };
}

async function change({ listening }: ToyService, { method, path, headers, body }: RandomRequest): Promise<void> {
  const response = await fetch(`${listening}${path}`, {
    method,
    headers: { ...headers, Authorization: 'Bearer admin' },
    ...(body && { body }),
  });
  if (response.status >= 500) throw new Error(`${method} ${path} is ${response.status}: ${await response.text()}`);
}

/** Two services of a club, which differ in the records that the model's row rules hide from whoever asks. */
export async function startClubs(): Promise<TwoDatabases> {
  const settings = { root: 'http://same.example/odata' };
  const services = [await startClub(settings), await startClub(settings)] as const;
  const [one, other] = services;
  for (const { pool } of services) await sequelizeOf(pool).query(manyNumbers);
  let rounds = 0;
  return {
    subject: clubSubject(one.container),
    services,
    hidden: ['Tasks', 'Teams', 'People', 'Marks', 'Photos', 'Settings', 'Rooms'],
    reset: async (caller) => {
      // A singleton is there for everybody or hidden, by turns.
      rounds += 1;
      for (const { pool } of services)
        await sequelizeOf(pool).query(`${clubRecords}; update "Settings" set "Private" = ${rounds % 2 === 0}`);
      for (const statement of changes(unseenBy[caller] ?? unseenBy['worker'])) await sequelizeOf(other.pool).query(statement);
    },
    change: (caller, random) => changeClubs(services, caller, random),
    events: { set: 'Changes', number: 'No', shown: 'Set,Key,Url', reader: 'admin' },
    scopesOf: (caller) => {
      const { scopes = [], member } = callers[caller] ?? {};
      return { scopes: [...scopes], ...(member !== undefined && { member }) };
    },
    unseen: (caller) => Promise.all(services.map((service) => unseenIn(service, caller))),
    stop: async () => {
      for (const service of services) await service.stop();
    },
  };
}

/** A service of a club on an empty database. */
export async function startClub(settings: Partial<Service> = {}): Promise<ToyService> {
  const folder = temporaryFolder();
  const compiled = await compileModel('test/toy/club.xml', folder);
  return startModel({ ...compiled, extensions: {}, operations, generated: folder }, folder, callers, settings);
}

/** The records that a club begins with, as SQL. */
export const clubRecords = readFileSync('test/permission/club.sql', 'utf8');

/** The model of a club with its records. */
export function clubSubject(container: EntityContainer): Subject {
  return subjectOf(container, {
    types: ['Task', 'Task', 'Team', 'Person', 'Step', 'Mark', 'Photo', 'Settings'].flatMap((name) => container.entityTypes[name] ?? []),
    keys: {
      Task: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '11', '20', '30', '91', '92'],
      Errand: ['5', '20', '93'],
      Team: ["'a'", "'b'", "'c'", "'d'", "'z'"],
      Person: ["'anna'", "'carl'", "'dora'", "'ed'", "'new'"],
      Step: ['1', '2', '3', '4', '90'],
      Mark: ["Kind='a',No=1", "Kind='b',No=0", "Kind='a',No=2", "Kind='c%22d''e',No=2", "Kind='c%22d''e',No=3"],
      Room: ['1', '2', '3', '9'],
      Photo: ['1', '2', '3'],
    },
    literals: {
      'Edm.String': ["'anna'", "'carl'", "'open'", "'draft'", "'a'", "'b'", "'paint 2'", "'Oslo'"],
      'Edm.Int32': ['0', '1', '2', '3', '12'],
      'Edm.Int64': ['1', '2'],
    },
    words: ['paint', 'fence', 'more', '2'],
  });
}

// Every one becomes another, with another ETag; some more are there. Their keys, and what visible records refer to, stay.
function changes(unseen: Unseen = unseenBy['worker'] as Unseen): readonly string[] {
  return [
    `update "Task" set "Title" = 'fence', "Tags" = '{x,y}', "#Helper" = 5, "Where" = null, "#open" = '{"Note": "z", "More": 1}', "#version" = 9 where ${unseen.Task}`,
    `insert into "Task" ("#id", "#type", "Id", "Title", "State", "Owner", "TeamId", "#Helper") select n, 'Club.Task', n, 'more', 'draft', null, 'a', 1 from generate_series(100, 120) n`,
    `update "Team" set "#version" = 9 where ${unseen.Team}`,
    `delete from "#Person_Teams" where "#target" in (select "#id" from "Team" where ${unseen.Team}) and "#source" % 2 = 0`,
    `update "Person" set "Mail" = 'other@x', "#Den" = 7, "#version" = 9 where ${unseen.Person}`,
    `insert into "Person" ("#id", "Name", "Mail", "Away") select n, 'x' || n, 'x', true from generate_series(100, 103) n`,
    `insert into "#Person_Teams" ("#source", "#target") select n, 1 from generate_series(100, 103) n`,
    `update "Room" set "Name" = 'other', "#Keeper" = 1, "#version" = 9 where ${unseen.Room}`,
    `insert into "Room" ("#id", "#in.Team", "No", "Name", "Closed") select n, 1, n, 'more', true from generate_series(100, 103) n`,
    `update "Safe" set "Code" = 'other', "#version" = 9 where ${unseen.Safe}`,
    `update "Mark" set "Text" = 'other', "#Task" = 7, "#version" = 9 where ${unseen.Mark}`,
    `update "Photo" set "Title" = 'other', "#version" = 9 where ${unseen.Photo}`,
    `insert into "Photo" ("#id", "Id", "Title", "Secret") select n, n, 'more', true from generate_series(100, 103) n`,
    `update "Settings" set "Theme" = 'other' where ${unseen.Settings}`,
  ];
}

// Consequences of others' relations are not compared: a reference to a deleted row is none.
async function unseenIn({ pool }: ToyService, caller: string): Promise<string> {
  const unseen = unseenBy[caller];
  if (unseen === undefined) return '';
  const columns: Readonly<Partial<Record<string, string>>> = {
    Task: '"Id", "Title", "State", "Owner", "TeamId", "Tags", "Where"',
    Team: '"Id", "Public"',
    Person: '"Name", "Mail"',
    Room: '"#in.Team", "No", "Name"',
    Safe: '"Code"',
    Mark: '"Kind", "No", "Text"',
    Photo: '"Id", "Title"',
    Settings: '"Theme"',
  };
  const rows = Object.entries(unseen).map(([table, condition]) =>
    sequelizeOf(pool).query(`select ${columns[table]} from "${table}" where ${condition} order by "#id"`),
  );
  return JSON.stringify((await Promise.all(rows)).map(([found]) => found));
}
