import test from 'ava';
import { generate } from '../../generator/generate.js';
import { lockedHandlers, lockPath } from '../../generator/output/lock.js';

const reply = (type: string): string => `<Action Name="Reply" IsBound="true"><Parameter Name="to" Type="${type}"/></Action>`;
const find = (...parameters: readonly string[]): string =>
  `<Function Name="Find">${parameters.map((parameter) => parameterOf(...(parameter.split(' ') as [string, string]))).join('')}<ReturnType Type="Edm.Int32"/></Function>`;
const parameterOf = (name: string, type: string): string => `<Parameter Name="${name}" Type="Edm.${type}"/>`;

// The models of successive runs, with the handlers after the last one.
const cases: { readonly [title: string]: { readonly runs: readonly string[]; readonly last: readonly string[] } } = {
  'the first overload has the short name': {
    runs: [reply('S.A') + reply('S.B')],
    last: ['Action S.Reply(S.A) reply', 'Action S.Reply(S.B) reply-on-b'],
  },
  'an overload keeps its handler when one comes before it': {
    runs: [reply('S.A'), reply('S.B') + reply('S.A')],
    last: ['Action S.Reply(S.B) reply-on-b', 'Action S.Reply(S.A) reply'],
  },
  'overloads keep their handlers when they change places': {
    runs: [find('a Int32') + find('b Guid') + reply('S.A') + reply('S.B'), reply('S.B') + reply('S.A') + find('b Guid') + find('a Int32')],
    last: [
      'Action S.Reply(S.B) reply-on-b',
      'Action S.Reply(S.A) reply',
      'Function S.Find(Edm.Guid) find-by-b',
      'Function S.Find(Edm.Int32) find',
    ],
  },
  'an overload keeps its long name when the one with the short name is removed': {
    runs: [reply('S.A') + reply('S.B'), reply('S.B')],
    last: ['Action S.Reply(S.B) reply-on-b'],
  },
  'the names of a removed overload do not pass to a new one along with others': {
    runs: [reply('S.A') + reply('S.B'), reply('Collection(S.A)') + reply('Collection(S.B)')],
    last: ['Action S.Reply(Collection(S.A)) reply-on-a-collection', 'Action S.Reply(Collection(S.B)) reply-on-b-collection'],
  },
  'an operation keeps its handler when its only signature changes': {
    runs: [find('a Int32') + find('b Guid'), find('a Int32', 'c Int32') + find('b Guid')],
    last: ['Function S.Find(Edm.Int32,Edm.Int32) find', 'Function S.Find(Edm.Guid) find-by-b'],
  },
  'operations keep their handlers when the namespace is renamed': {
    runs: [reply('S.A') + reply('S.B'), (reply('T.B') + reply('T.A')).replace('', 'T:')],
    last: ['Action T.Reply(T.B) reply-on-b', 'Action T.Reply(T.A) reply'],
  },
  'an action and a function of one name and binding type keep theirs': {
    runs: [reply('S.A'), reply('S.A').replaceAll('Action', 'Function').replace('</F', '<ReturnType Type="Edm.Int32"/></F') + reply('S.A')],
    last: ['Function S.Reply(S.A) reply-on-a', 'Action S.Reply(S.A) reply'],
  },
  'a type with the name of a handler type gives the operation another one': {
    runs: [reply('S.A'), '<EnumType Name="ReplyHandler"><Member Name="M"/></EnumType>' + reply('S.A')],
    last: ['Action S.Reply(S.A) reply-on-a'],
  },
};

for (const [title, { runs, last }] of Object.entries(cases)) {
  test(title, (t) => {
    const lock = runs.reduce((former, elements) => lockAfter(elements, former), '');
    const named = [...lockedHandlers(lock)].map(([operation, { file }]) => `${operation} ${file}`);
    t.deepEqual(named, last);
  });
}

function lockAfter(elements: string, former: string): string {
  const [namespace, own] = elements.startsWith('T:') ? ['T', elements.slice(2)] : ['S', elements];
  const types = ['A', 'B'].map(
    (name) =>
      `<EntityType Name="${name}"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>`,
  );
  const text = `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${namespace}">${types.join('')}${own}
<EntityContainer Name="C"><EntitySet Name="As" EntityType="${namespace}.A"/><EntitySet Name="Bs" EntityType="${namespace}.B"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`;
  const source = { path: 'm.xml', bytes: new TextEncoder().encode(text) };
  const policy = { mode: 'lenient' as const, choices: {} };
  const { files } = generate(source, { home: 'project', former: lockedHandlers(former), policy });
  return files.find(({ path }) => path === lockPath)?.text ?? '';
}
