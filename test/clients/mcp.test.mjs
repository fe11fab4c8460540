import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { checkCases } from '../../dist/test/support/cases.js';
import { runGable } from '../../dist/test/support/run-command.js';
import { startService } from '../../dist/test/support/service.js';
import { draft } from './harness.mjs';

let service;
let clients;

before(async () => {
  service = await startService({ GABLE_PUBLIC_URL: 'https://listings.example.com' });
  clients = {
    read: await connect(await service.token('read')),
    write: await connect(await service.token('write'), '--write'),
  };
});

after(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await service.stop();
});

test('tools answer from the service, with the permissions of the token', () =>
  checkCases({ is: assert.equal, pass: () => undefined }, 'clients/mcp.case', {
    text: async (input) => {
      const [, who, name, given] = /^(\w+) (\w+) (.*)$/.exec(input);
      return callTool(who, name, JSON.parse(given));
    },
  }));

test('a record is created, changed with its ETag and deleted', async () => {
  const created = JSON.parse(await callTool('write', 'create', { set: 'Property', record: draft('Bay') }));
  const record = { set: 'Property', key: created.ListingKey };
  const change = (City) =>
    callTool('write', 'update', { ...record, changes: { City, ChangedByMemberKey: 'M1' }, etag: created['@odata.etag'] });
  assert.equal(JSON.parse(await change('Guelph')).City, 'Guelph');
  assert.match(await change('Acton'), /^error 412: /);
  assert.equal(await callTool('write', 'delete', { ...record, etag: '*' }), 'Deleted.');
  assert.match(await callTool('write', 'get', record), /^error 404: /);
});

test('an unusable service or argument ends with 2 and a sentence', async () => {
  const none = await runGable(['mcp']);
  assert.deepEqual([none.status, none.stderr], [2, 'gable: Name the address of one service: gable mcp http://HOST/odata\n']);
  const unreachable = await runGable(['mcp', 'http://127.0.0.1:1/odata']);
  assert.equal(unreachable.status, 2);
  assert.match(unreachable.stderr, /^gable: http:\/\/127\.0\.0\.1:1\/odata cannot be used: /);
});

async function connect(token, ...options) {
  const client = new Client({ name: 'test', version: '1' });
  const args = ['dist/gable.js', 'mcp', service.listening, ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { GABLE_TOKEN: token } }));
  return client;
}

async function callTool(who, name, given) {
  const { content, isError } = await clients[who]
    .callTool({ name, arguments: given })
    .catch(({ message }) => ({ content: [{ text: message }], isError: true }));
  const text = content.map((part) => part.text).join('\n');
  return isError ? `error ${text}` : text;
}
