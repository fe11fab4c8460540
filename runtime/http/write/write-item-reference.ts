import { errors } from '../../errors/catalogue.js';
import { spoken } from '../../errors/spoken.js';
import { missingRecord } from '../../plan/missing-record.js';
import { rootOf } from '../../plan/caller.js';
import { requireReadable } from '../../plan/passage.js';
import type { RecordTarget } from '../../plan/path-target.js';
import type { ItemMeeting, ParentStep } from '../../plan/read-plan.js';
import { requireUnrestricted } from '../../plan/write/plan-link.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import { tablePlace } from '../../sql/compile-target.js';
import type { Connection } from '../../sql/statement.js';
import { placeOfValue } from '../../store/from-item.js';
import { readAllShared } from '../../store/locate-record.js';
import { setItemNumbers } from '../../store/set-item-numbers.js';
import type { Exchange } from '../exchange.js';
import type { ODataResponse } from '../../protocol/message.js';
import { conditionsOf } from '../../protocol/precondition.js';
import { emptyResponse } from '../../protocol/responses.js';
import type { RecordsTarget } from '../../protocol/routes.js';
import { lockMeeting, writeScope } from './write-context.js';

/** The item whose references a path addresses, and the record that it is in. */
export interface ItemReferences {
  readonly parent: ParentStep & { readonly item: ItemMeeting };
  readonly parents: readonly ParentStep[];
  readonly target: RecordsTarget;
}

/** What leads to the records of a path, where it is an item, and the caller may change that. */
export function changeableItem(target: RecordsTarget, exchange: Exchange): ItemReferences | undefined {
  const [parent, ...parents] = target.parents;
  if (parent?.item === undefined) return undefined;
  const found = { parent: { ...parent, item: parent.item }, parents, target };
  requireChangeable(found, exchange);
  return found;
}

/** What becomes of the numbers of the records that an item leads to, by those of the records that the request names. */
export type EditNumbers = (numbers: readonly string[], named: readonly string[]) => readonly string[];

/** A change of the references of an item, which keeps the numbers of the records in its own JSON: the record that it is in changes with it. */
export async function changeItemReferences(references: ItemReferences, named: readonly RecordTarget[], edit: EditNumbers, exchange: Exchange): Promise<ODataResponse> {
  const { parent, parents, target } = references;
  const { request, service, version } = exchange;
  const { path, member } = parent.item;
  await service.store.transaction(async (connection) => {
    const locked = await lockMeeting({ ...parent, parents }, conditionsOf(request), connection, exchange);
    const names = placeOfValue(path, locked, service.container);
    const numbers = await numbersOf(named, target, connection);
    await setItemNumbers(locked, { names, member, target: target.type, collection: parent.toMany === true }, (before) => edit(before, numbers), connection, writeScope(exchange));
  }, request.recipient);
  return emptyResponse(204, version);
}

async function numbersOf(named: readonly RecordTarget[], { type }: RecordsTarget, connection: Connection): Promise<readonly string[]> {
  const places = named.map(tablePlace);
  const rows = await readAllShared(places, ['#id'], connection);
  return places.map((place) => {
    const [number] = rows.get(place) ?? [];
    if (number == null) throw missingRecord(type);
    return number;
  });
}

// That there is such an item is told to those who see the items.
function requireChangeable({ parent: { type, item }, target: { via = '' } }: ItemReferences, { caller }: Exchange): void {
  const root = rootOf(item.path);
  requireReadable(type, caller);
  requireWritable(type, 'update', caller);
  requireUnrestricted(type, 'update', [root], caller);
  const why = !item.member.startsWith('#') ? `it follows from ${item.member}` : type.rules.computed.includes(root) ? 'the service gives it' : type.rules.immutable.includes(root) ? 'it is given once, on create' : undefined;
  if (why !== undefined) throw errors.notSaved(spoken(type.name)).with([errors.readOnly(via, why).at(via).asDetail()]);
}
