import test from 'ava';
import { deltaLink, openToken } from '../../runtime/features/changes/delta/delta-token.js';
import type { DeltaLinking } from '../../runtime/features/changes/delta/delta-token.js';
import { createTokenSeal } from '../../runtime/paging/skiptoken.js';

const seal = createTokenSeal('a secret of the tests, long enough to be one');

function linking(path: string, options: readonly string[] = []): DeltaLinking {
  const raw = options.map((text) => ({ name: text.split('=')[0] ?? '', value: text.split('=')[1] ?? '', text }));
  const service = { root: 'http://service.example/odata', seal };
  return { request: { path }, service, raw } as unknown as DeltaLinking; // The parts that links are made of.
}

const state = { horizon: '50', floor: '10', timeline: '00000001', ends: new Map([['00000001', '60']]) };
const position = { from: '20', timeline: '00000001', seen: '60', view: 'v', model: 'm' };
const reading = { view: 'v', model: 'm' };
const promoted = { ...state, timeline: '00000002' };
const office = linking('/Office', ['$select=OfficeKey', '$top=3', '$count=true', '$orderby=OfficeKey']);
const link = deltaLink(position, office);
const token = new URL(link).searchParams.get('$deltatoken') ?? '';

test('a link has the defining query, and its token the position', (t) => {
  t.regex(link, /^http:\/\/service\.example\/odata\/Office\?\$select=OfficeKey&\$deltatoken=[\w-]+$/);
  t.deepEqual(openToken(token, office, state, reading), position);
  t.deepEqual(openToken(token, office, { ...state, last: '60' }, reading), position);
  t.deepEqual(openToken(token, linking('/Office/$count', ['$select=OfficeKey']), state, reading), position);
});

test('a link goes on after a failover where the new server has all that its reader saw', (t) => {
  t.deepEqual(openToken(token, office, promoted, reading), position);
});

// A token as it was before it had its part of the model.
const { model: _, ...formerPosition } = position;
const request = '/Office\n$select=OfficeKey\n$deltatoken';
const former = seal.seal({ after: [], carried: JSON.stringify(formerPosition) }, request);

const reasons: readonly (readonly [title: string, open: () => unknown, status: number, message: RegExp])[] = [
  ['another model', () => openToken(token, office, state, { ...reading, model: 'n' }), 410, /model has changed/],
  ['another view', () => openToken(token, office, state, { ...reading, view: 'w' }), 410, /other permissions/],
  ['one of a former version', () => openToken(former, office, state, reading), 410, /model has changed/],
  [
    'a promoted standby that lacks changes which the reader may have seen',
    () => openToken(token, office, { ...promoted, ends: new Map([['00000001', '59']]) }, reading),
    410,
    /database has been replaced or restored/,
  ],
  [
    'a server that does not know the timeline',
    () => openToken(token, office, { ...promoted, ends: new Map() }, reading),
    410,
    /database has been replaced or restored/,
  ],
  [
    'the files of an earlier time, which lack a number that the reader has seen',
    () => openToken(token, office, { ...state, last: '59' }, reading),
    410,
    /database has been replaced or restored/,
  ],
  ['changes that are gone', () => openToken(token, office, { ...state, floor: '21' }, reading), 410, /no longer kept/],
  ['another query', () => openToken(token, linking('/Office', ['$select=OfficeName']), state, reading), 400, /another request/],
  ['a forged token', () => openToken(token.replace(/^.{9}/, 'AAAAAAAAA'), office, state, reading), 400, /did not issue/],
  [
    'a $skiptoken',
    () => openToken(seal.seal({ after: [], carried: '{}' }, '/Office'), linking('/Office'), state, reading),
    400,
    /another request/,
  ],
  ['as a $skiptoken', () => seal.open(token, '/Office\n$select=OfficeKey'), 400, /another request/],
];

for (const [title, open, status, message] of reasons) {
  test(`a token is refused: ${title}`, (t) => {
    const error = t.throws(open, { message }) as Error & { status: number; headers?: Record<string, string> };
    t.is(error.status, status);
    if (status === 410) t.regex(error.headers?.['Location'] ?? '', /^http:\/\/service\.example\/odata\/Office\?\$select=OfficeKey$/);
  });
}
