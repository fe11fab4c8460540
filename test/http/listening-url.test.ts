import { createServer } from 'node:http';
import test from 'ava';
import { readConfig } from '../../runtime/config/config.js';
import { listeningUrl } from '../../runtime/listen.js';

/** Addresses to listen on, with the host in links. */
const hosts: readonly (readonly [host: string, linked: string])[] = [
  ['127.0.0.1', 'localhost'],
  ['0.0.0.0', 'localhost'],
  ['::', 'localhost'],
  ['::1', '[::1]'],
  ['2001:db8::7', '[2001:db8::7]'],
  ['10.0.0.1', '10.0.0.1'],
  ['gable.example', 'gable.example'],
];

for (const [host, linked] of hosts)
  test(`links of a service that listens on ${host}`, (t) => {
    const server = Object.assign(createServer(), { address: () => ({ port: 4004, address: host, family: '' }) });
    const config = readConfig({ HOST: host, GABLE_SECRET: 'a secret that has enough characters in it' });
    t.is(listeningUrl(server, config), `http://${linked}:4004`);
  });
