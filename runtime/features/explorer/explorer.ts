import { notImplemented } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { Outside, Site } from '../../http/outside.js';
import type { Service } from '../../http/service.js';
import { type ODataRequest, unstoredJson, type WholeResponse } from '../../protocol/message.js';
import { notAllowed } from '../../protocol/routes.js';
import { type ShownTables, shownTables } from './shown-tables.js';
import { randomBytes } from 'node:crypto';

const longestCode = 128;

type Answer = (request: ODataRequest, service: Service, site: Site) => Promise<WholeResponse>;

/** The requests of the explorer outside of the service root, by path. */
const routes: ReadonlyMap<string, { readonly method: string; readonly answer: Answer }> = new Map([
  ['/explorer/tables.json', { method: 'GET', answer: answerTables }],
  ['/explorer/sign-in', { method: 'POST', answer: answerSignIn }],
]);

/** The data of the explorer's page, whose files are served as those of any page. */
export function explorer(site: Site): Outside | undefined {
  if (!site.pages.has('explorer')) return undefined;
  return {
    paths: [...routes.keys()],
    answer: (request, service) => {
      const route = routes.get(request.path);
      if (route?.method !== request.method) throw notAllowed(request.method, route === undefined ? [] : [route.method]);
      return route.answer(request, service, site);
    },
  };
}

async function answerTables(request: ODataRequest, service: Service, { explainScope = '' }: Site): Promise<WholeResponse> {
  const caller = await service.authenticate(request.header('authorization'));
  const { container, settings, readOnly = false, operations = {} } = service;
  const tables: ShownTables = {
    container: shownTables(container, caller),
    scopes: [...caller.scopes].sort(),
    settings,
    readOnly,
    handlers: handlersOf(operations),
    explains: caller.scopes.has(explainScope),
  };
  return json(tables);
}

// A stub says that its operation is not implemented.
function handlersOf(operations: NonNullable<Service['operations']>): readonly string[] {
  return Object.keys(operations).filter((name) => operations[name] !== notImplemented);
}

async function answerSignIn(request: ODataRequest): Promise<WholeResponse> {
  const token = redeemCode(new TextDecoder().decode(await request.body(longestCode)));
  if (token === undefined) throw errors.unauthenticated('this link has been used, or belongs to an earlier start');
  return json({ token });
}

// Both depend on the caller, and neither may be kept.
function json(body: object): WholeResponse {
  return unstoredJson(200, body, { 'Content-Type': 'application/json;charset=utf-8' });
}

/** Tokens by the codes of links that have not been opened yet. */
const tokens = new Map<string, string>();

/** A code that is exchanged for the token once. */
export function issueCode(token: string): string {
  const code = randomBytes(24).toString('base64url');
  tokens.set(code, token);
  return code;
}

/** The token of a code, which is used up by that; undefined for any other text. */
function redeemCode(code: string): string | undefined {
  const token = tokens.get(code);
  tokens.delete(code);
  return token;
}
