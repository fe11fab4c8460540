import { readdirSync, readFileSync } from 'node:fs';
import { checkRequest, type Finding } from '../../explorer/language/check.js';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import type { Random } from '../permission/random.js';

/** The reads of the listing exchanges, right and wrong ones. */
const reads: readonly string[] = readdirSync('test/http')
  .filter((name) => name.endsWith('.http'))
  .flatMap((name) => readFileSync(`test/http/${name}`, 'utf8').split('\n'))
  .flatMap((line) => /^GET (\/(?!\$(?:batch|entity))\S*)$/.exec(line)?.[1] ?? [])
  .filter((address) => !/\$(?:skiptoken|format|schemaversion|deltatoken)|\{\{/.test(address));

const marks = [
  '/$all',
  '/$crossjoin(Property,Member)',
  "'",
  '(',
  ')',
  ',',
  '/',
  '$',
  '%20',
  '%20and%20',
  '=',
  '&',
  '1',
  "'x'",
  ';',
  ':',
  'x',
  '%F0%9F%8F%A0',
];

/** A request near one of the exchanges: most are changed in a place or two. */
export function randomRead(random: Random): string {
  let address = random.pick(reads);
  for (let changes = random.below(3); changes > 0; changes--) address = changed(address, random);
  return address;
}

function changed(address: string, random: Random): string {
  const words = address.split(/(%20|[(),/=&:;])/);
  const at = random.below(words.length);
  switch (random.below(4)) {
    case 0:
      return words.toSpliced(at, 1).join('');
    case 1:
      return words.toSpliced(at, 0, random.pick(marks)).join('');
    case 2:
      return words.with(at, random.pick(random.pick(reads).split(/%20|[(),/=&:;]/))).join('');
    default:
      return words.with(at, (words[at] ?? '').slice(0, -1)).join('');
  }
}

/** Whether only the service checks the request: what its answer depends on is no part of the explorer. */
export function isOutside(address: string): boolean {
  return (
    !address.startsWith('/') ||
    /^\/(?:\$|%24)(?:batch|entity|query)|skiptoken|format|schemaversion|deltatoken|\/\$query|\$value|#|\/\/|\.\.?(?:\/|$)/i.test(address)
  );
}

/** The difference between the page's and the service's answer to a request; undefined where they agree. */
export async function difference(
  address: string,
  tables: ShownTables,
  ask: (address: string) => Promise<Response>,
): Promise<object | undefined> {
  // As a browser sends it.
  const { pathname, search } = new URL(`http://service.example${address}`);
  const { findings, complete } = checkRequest({ path: pathname, query: search.slice(1) }, tables);
  if (!complete) return undefined;
  const response = await ask(address);
  const { error } = (response.status < 400 ? {} : await response.json()) as { readonly error?: ServiceError };
  if (response.status < 400) await response.arrayBuffer();
  const page = findings.find(({ severity }) => severity === 'error');
  const [said, answered] = [summaryOfPage(page), summaryOfService(response.status, error)];
  if (page === undefined && isOfData(error)) return undefined;
  return JSON.stringify(said) === JSON.stringify(answered) ? undefined : { address, said, answered };
}

interface ServiceError extends Pick<Finding, 'code' | 'message' | 'target'> {
  readonly innererror?: Pick<Finding, 'position'>;
}

function summaryOfPage(finding: Finding | undefined): object {
  if (finding === undefined) return { accepted: true };
  const { status, code, message, target, position } = finding;
  return { status, code, message, target, position };
}

function summaryOfService(status: number, error: ServiceError | undefined): object {
  if (error === undefined) return { accepted: true };
  return { status, code: error.code, message: error.message, target: error.target, position: error.innererror?.position };
}

// Errors that records cause, which no planner can know.
function isOfData(error: ServiceError | undefined): boolean {
  if (error === undefined) return false;
  return /^There is no (?:[\w ]+ with that key|value|\w+ yet|item)/.test(error.message) || error.code === '1503' || error.code === '1508';
}
