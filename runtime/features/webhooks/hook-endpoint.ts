import { randomUUID } from 'node:crypto';
import { errors, requireNoFaults } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import type { Outside, Site, WebhookSettings } from '../../http/outside.js';
import type { Service } from '../../http/service.js';
import type { Caller } from '../../plan/caller.js';
import { type ODataRequest, unstoredJson, type WholeResponse } from '../../protocol/message.js';
import { notAllowed } from '../../protocol/routes.js';
import { isTracked } from '../changes/tracked-tables.js';
import { checkHook, parseFrom } from './check-hook.js';
import { testHook, type DeliveryParts, partsOf } from './deliver.js';
import { addHook, changeHook, findHook, listHooks, mostHooks, removeHook, resumeHook } from './hook-store.js';
import { type Hook, hookScope } from './hook.js';
import { hookJson, testJson } from './print-hook.js';
import { signingSecret } from './secrets.js';
import { suggestion } from '../../errors/suggest.js';
import { isArray, type Json } from '../../json/json.js';
import { parseJsonObject } from '../../json/parse-json.js';
import { parseAccept } from '../../protocol/negotiate.js';

const hooksPath = '/hooks';

const paths = /^\/hooks(?:\/([\w-]{1,64})(?:\/(pause|resume|rotate|test))?)?$/;

/** A request to hooks, with what answers it. */
interface Call {
  readonly request: ODataRequest;
  readonly service: Service;
  readonly caller: Caller;
  readonly settings: WebhookSettings;
  readonly parts: DeliveryParts;
}

interface HookCall extends Call {
  readonly id: string;
}

/** Lets tokens with the scope of hooks manage those of their subject. */
export function hookEndpoint({ webhooks: settings }: Site): Outside | undefined {
  if (settings === undefined) return undefined;
  return {
    paths: [hooksPath],
    folders: [`${hooksPath}/`],
    answer: async (request, service) => {
      if (!isTracked(service.container)) throw errors.notFound('resource at this address');
      const caller = await service.authenticate(request.header('authorization'));
      if (!caller.scopes.has(hookScope)) throw errors.scopeMissing('Managing hooks', hookScope);
      return answerCall({ request, service, caller, settings, parts: partsOf(service, settings) });
    },
  };
}

type Answers = { readonly [method: string]: (() => Promise<WholeResponse>) | undefined };

function answerCall(call: Call): Promise<WholeResponse> {
  const { request, service } = call;
  const [matched, id, action] = paths.exec(request.path) ?? [];
  if (matched === undefined) throw errors.notFound('resource at this address');
  const answers = answersTo({ ...call, id: id ?? '' }, id, action);
  const methods = Object.keys(answers).filter((method) => method === 'GET' || !service.readOnly);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const answer = methods.includes(method) ? answers[method] : undefined;
  if (answer === undefined) throw notAllowed(request.method, methods);
  return answer();
}

function answersTo(call: HookCall, id: string | undefined, action: string | undefined): Answers {
  if (id === undefined) return { GET: () => list(call), POST: () => add(call) };
  if (action === undefined) return { GET: async () => unstoredJson(200, hookJson(await found(call))), DELETE: () => remove(call) };
  const actions: { readonly [name: string]: () => Promise<WholeResponse> } = {
    pause: () => change('pause', call),
    resume: () => resume(call),
    rotate: () => change('rotate', call),
    test: () => test(call),
  };
  return { POST: actions[action] };
}

async function list({ caller, parts }: Call): Promise<WholeResponse> {
  const hooks = await parts.onDatabase((connection) => listHooks(caller.subject, connection));
  return unstoredJson(200, { value: hooks.map(hookJson) });
}

async function add({ request, service, caller, settings, parts }: Call): Promise<WholeResponse> {
  const faults: ErrorDetail[] = [];
  const { from = 'now', ...body } = await readBody(request, faults);
  const scopes = body.scopes ?? [...caller.scopes].filter((scope) => scope !== hookScope);
  for (const scope of scopes)
    if (!caller.scopes.has(scope)) faults.push(errors.invalidValue(scope, 'scopes', ': the token does not have it').asDetail('scopes'));
  const given = { ...body, id: randomUUID(), scopes, member: caller.member, owner: caller.subject };
  const options = checkHook(given, { container: service.container, allowed: parts.sending.allowed }, faults);
  requireNoFaults({ name: 'hook' }, faults);
  const hook = await parts.onDatabase((connection) => addHook(options, { from, secret: settings.secret }, connection));
  if (hook === undefined)
    throw errors.limitExceeded(`There are ${mostHooks} hooks of this token's subject, which is the limit; remove one.`);
  // Relative, because a proxy may serve everything under another path.
  return unstoredJson(201, withSecret(hook, settings), { Location: `hooks/${hook.id}` });
}

function withSecret(hook: Hook, { secret }: WebhookSettings): object {
  return { ...hookJson(hook), secret: signingSecret(hook, secret) };
}

async function found({ id, caller, parts }: HookCall): Promise<Hook> {
  return existing(await parts.onDatabase((connection) => findHook({ id, owner: caller.subject }, connection)));
}

function existing(hook: Hook | undefined): Hook {
  if (hook === undefined) throw errors.notFound('hook with this id');
  return hook;
}

async function remove({ id, caller, parts }: HookCall): Promise<WholeResponse> {
  const isRemoved = await parts.onDatabase((connection) => removeHook({ id, owner: caller.subject }, connection));
  if (!isRemoved) throw errors.notFound('hook with this id');
  return { status: 204, headers: {} };
}

async function change(name: 'pause' | 'rotate', { id, caller, parts, settings }: HookCall): Promise<WholeResponse> {
  const hook = existing(await parts.onDatabase((connection) => changeHook(name, { id, owner: caller.subject }, connection)));
  return unstoredJson(200, name === 'rotate' ? withSecret(hook, settings) : hookJson(hook));
}

async function resume({ request, id, caller, parts }: HookCall): Promise<WholeResponse> {
  const faults: ErrorDetail[] = [];
  const { from } = await readBody(request, faults, ['from']);
  requireNoFaults({ name: 'hook' }, faults);
  const hook = await parts.onDatabase((connection) => resumeHook(from, { id, owner: caller.subject }, connection));
  return unstoredJson(200, hookJson(existing(hook)));
}

async function test(call: HookCall): Promise<WholeResponse> {
  return unstoredJson(200, testJson(await testHook(await found(call), call.parts)));
}

interface HookBody {
  readonly address?: string;
  readonly format?: string;
  readonly sets?: readonly string[];
  readonly operations?: readonly string[];
  readonly scopes?: readonly string[];
  readonly bearer?: string;
  /** `now` or a number. */
  readonly from?: string;
}

/** The members of a body, and whether they are lists. */
const members: { readonly [Name in keyof Required<HookBody>]: 'a string' | 'an array of strings' } = {
  address: 'a string',
  format: 'a string',
  sets: 'an array of strings',
  operations: 'an array of strings',
  scopes: 'an array of strings',
  bearer: 'a string',
  from: 'a string',
};

const largestBody = 16 * 1024;

/** Reads a body, whose members may be absent, or an empty one; adds faults to the list. */
async function readBody(request: ODataRequest, faults: ErrorDetail[], known: readonly string[] = Object.keys(members)): Promise<HookBody> {
  const bytes = await request.body(largestBody);
  if (bytes.length === 0) return {};
  const sent = request.header('content-type') ?? 'missing';
  if (parseAccept(sent)[0]?.type !== 'application/json') throw errors.unsupportedMediaType(sent);
  const read: Record<string, unknown> = {};
  for (const [name, value] of parseJsonObject(bytes).members) {
    if (!known.includes(name)) faults.push(errors.unknownBodyProperty(name, 'A hook', suggestion(name, known)).asDetail(name));
    else if (value !== null) read[name] = readMember(name as keyof HookBody, value, faults);
  }
  return read as HookBody; // Members of a wrong kind are faults, and absent.
}

function readMember(name: keyof HookBody, value: Json, faults: ErrorDetail[]): unknown {
  const expected = members[name];
  const texts = isArray(value) ? value.items.filter((item) => typeof item === 'string') : undefined;
  const isList = isArray(value) && texts?.length === value.items.length && texts.every(isName);
  const found = expected === 'a string' ? typeof value === 'string' : isList;
  if (!found) faults.push(errors.wrongJsonType(name, expected, kindOf(value)).asDetail(name));
  else if (name === 'from' && typeof value === 'string' && parseFrom(value) === undefined)
    faults.push(errors.invalidValue(value, name, ': it must be now, or the number of a change').asDetail(name));
  else if (texts?.length === 0 && name !== 'scopes') faults.push(errors.invalidValue('[]', name, `: omit ${name} for all`).asDetail(name));
  else return texts ?? value;
  return undefined;
}

// Names of sets, operations and scopes, which are stored with spaces in between.
function isName(text: string): boolean {
  return /^[^\s\p{Cc}]{1,256}$/u.test(text);
}

function kindOf(value: Json): string {
  if (typeof value === 'string') return 'a string';
  return isArray(value) ? 'an array with other items' : 'a value of another kind';
}
