import type { BlockList } from 'node:net';
import type { EntityContainer } from '../../edm/entity-container.js';
import type { EntityType } from '../../edm/entity-type.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { nearestOf } from '../../errors/suggest.js';
import { accessTo } from '../../plan/caller.js';
import type { Operation } from '../changes/read-changes.js';
import { trackedTypes } from '../changes/tracked-tables.js';
import { addressFault } from './address.js';
import { callerOfHook } from './deliver.js';
import { type HookFormat, hookFormats, type HookOptions } from './hook.js';

interface GivenHook {
  readonly id: string;
  readonly address?: string | undefined;
  readonly format?: string | undefined;
  readonly sets?: readonly string[] | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly scopes: readonly string[];
  readonly member?: string | undefined;
  readonly owner?: string | undefined;
  readonly bearer?: string | undefined;
}

interface Surroundings {
  readonly container: EntityContainer;
  readonly allowed: BlockList;
}

/** The most names that a message lists. */
const mostShown = 20;

const operations: readonly Operation[] = ['create', 'update', 'delete'];

/** Checks a new hook, and completes it by the defaults; adds faults to the list. */
export function checkHook(given: GivenHook, { container, allowed }: Surroundings, faults: ErrorDetail[]): HookOptions {
  const { id, address = '', scopes, member, owner, bearer } = given;
  if (address === '' && !faults.some(({ target }) => target === 'address'))
    faults.push(errors.missingRequired('address').asDetail('address'));
  else if (address !== '') add(faults, 'address', address, addressFault(address, allowed));
  const format = given.format ?? defaultFormat(container);
  add(faults, 'format', format, unlisted(format, hookFormats));
  for (const name of given.operations ?? []) add(faults, 'operations', name, unlisted(name, operations));
  if (bearer !== undefined) add(faults, 'bearer', '...', bearerFault(bearer));
  checkSets(given, container, faults);
  return {
    id,
    address,
    scopes,
    // Checked above, like the operations.
    format: format as HookFormat,
    ...(given.sets && given.sets.length > 0 && { sets: given.sets }),
    ...(given.operations && given.operations.length > 0 && { operations: given.operations as Operation[] }),
    ...(member !== undefined && { member }),
    ...(owner !== undefined && { owner }),
    ...(bearer !== undefined && { bearer }),
  };
}

function defaultFormat({ entityTypes }: EntityContainer): HookFormat {
  return Object.values(entityTypes).some(({ events }) => events !== undefined) ? 'reso' : 'standard';
}

function checkSets({ id, owner, scopes, member, sets = [] }: GivenHook, container: EntityContainer, faults: ErrorDetail[]): void {
  const caller = callerOfHook({ id, scopes, ...(owner !== undefined && { owner }), ...(member !== undefined && { member }) });
  const isReadable = (type: EntityType): boolean => accessTo(type, 'read', caller).allowed;
  const tracked = trackedTypes(container);
  for (const set of sets) {
    const type = tracked.find(({ entitySet }) => entitySet === set);
    const names = tracked.flatMap(({ entitySet }) => entitySet ?? []);
    if (type === undefined) add(faults, 'sets', set, unlisted(set, names));
    else if (!isReadable(type)) add(faults, 'sets', set, 'the scopes do not permit to read it');
  }
  if (sets.length === 0 && !tracked.some(isReadable))
    add(faults, 'scopes', scopes.join(' '), 'they permit to read no set whose changes are tracked');
}

function unlisted(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const nearest = nearestOf(name, known);
  const shown =
    known.length > mostShown ? `${known.slice(0, mostShown).join(', ')}, ...` : known.join(', ').replace(/, ([^,]*)$/, ' or $1');
  return `it must be ${shown}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`;
}

function bearerFault(bearer: string): string | undefined {
  return /^[A-Za-z0-9._~+/=-]{1,4096}$/.test(bearer) ? undefined : 'it must be at most 4096 letters, digits and ._~+/=-';
}

function add(faults: ErrorDetail[], name: string, value: string, why: string | undefined): void {
  if (why !== undefined) faults.push(errors.invalidValue(value, name, `: ${why}`).asDetail(name));
}

/** The number after which a hook begins: `now`, a number, or all that the log has (0). Undefined for other texts. */
export function parseFrom(text: string): 'now' | string | undefined {
  return text === 'now' || /^\d{1,18}$/.test(text) ? text : undefined;
}
