import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { suggestion } from '../../errors/suggest.js';
import { isArray, type Json } from '../../json/json.js';
import { parseJsonObject } from '../../json/parse-json.js';
import type { ODataRequest } from '../../protocol/message.js';
import { parseAccept } from '../../protocol/negotiate.js';
import { parseFrom } from './check-hook.js';

/** The body of a request to hooks. */
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
export async function readBody(
  request: ODataRequest,
  faults: ErrorDetail[],
  known: readonly string[] = Object.keys(members),
): Promise<HookBody> {
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
