import test from 'ava';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { checkCases } from '../support/cases.js';
import { runGable } from '../support/run-command.js';
import { startService } from '../support/service.js';

test('tools answer from the service, with the permissions of the token', async (t) => {
  const service = await startService({ GABLE_PUBLIC_URL: 'https://listings.example.com' });
  t.teardown(() => service.stop());
  const clients = {
    read: await connect(service.listening, await service.token('read')),
    write: await connect(service.listening, await service.token('write'), '--write'),
  };
  t.teardown(() => Promise.all(Object.values(clients).map((client) => client.close())));
  await checkCases(t, 'mcp/mcp.case', {
    text: async (input) => {
      const [, who = '', name = '', given = ''] = /^(\w+) (\w+) (.*)$/.exec(input) ?? [];
      return callTool(clients[who as keyof typeof clients], name, given);
    },
  });
});

test('a record is created, changed with its ETag and deleted', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const client = await connect(service.root, await service.token('write'), '--write');
  t.teardown(() => client.close());
  const call = async (name: string, given: object): Promise<string> => callTool(client, name, JSON.stringify(given));
  const record = {
    ListAgentKey: 'M1',
    ListOfficeKey: 'M2',
    PropertyType: 'Residential',
    StreetNumber: '1',
    StreetName: 'Bay',
    City: 'Toronto',
  };
  const created = JSON.parse(await call('create', { set: 'Property', record })) as { readonly [name: string]: string };
  const key = created['ListingKey'];
  const changed = JSON.parse(
    await call('update', { set: 'Property', key, changes: { City: 'Guelph', ChangedByMemberKey: 'M1' }, etag: created['@odata.etag'] }),
  ) as {
    readonly [name: string]: string;
  };
  t.is(changed['City'], 'Guelph');
  t.regex(
    await call('update', { set: 'Property', key, changes: { City: 'Acton', ChangedByMemberKey: 'M1' }, etag: created['@odata.etag'] }),
    /^error 412: /,
  );
  t.is(await call('delete', { set: 'Property', key, etag: '*' }), 'Deleted.');
  t.regex(await call('get', { set: 'Property', key }), /^error 404: /);
});

test('an unusable service or argument ends with 2 and a sentence', async (t) => {
  const none = await runGable(['mcp']);
  t.deepEqual([none.status, none.stderr], [2, 'gable: Name the address of one service: gable mcp http://HOST/odata\n']);
  const unreachable = await runGable(['mcp', 'http://127.0.0.1:1/odata']);
  t.is(unreachable.status, 2);
  t.regex(unreachable.stderr, /^gable: http:\/\/127\.0\.0\.1:1\/odata cannot be used: /);
});

async function connect(root: string, token: string, ...options: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ['dist/gable.js', 'mcp', root, ...options], env: { GABLE_TOKEN: token } }),
  );
  return client;
}

async function callTool(client: Client, name: string, given: string): Promise<string> {
  const { content, isError } = await client
    .callTool({ name, arguments: JSON.parse(given) as Record<string, unknown> })
    .catch((error: unknown) => ({ content: [{ type: 'text', text: (error as Error).message }], isError: true }));
  const text = content.map((part) => ('text' in part ? part.text : '')).join('\n');
  return isError ? `error ${text}` : text;
}
