import type { EntityType } from '../../edm/index.js';
import { itemAnyOf } from '../../plan/path/nested-path.js';
import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { displayName } from '../../errors/display-name.js';
import { missingRecord } from '../../plan/missing-record.js';
import { armsOf } from '../../plan/any-navigation.js';
import { rootOf } from '../../plan/caller.js';
import { withoutOrdinals } from '../../plan/item-step.js';
import { requireNameable, requireReadable } from '../../plan/passage.js';
import type { RecordTarget } from '../../plan/path-target.js';
import type { ItemMeeting, ParentStep } from '../../plan/read-plan.js';
import { asTarget, requireUnrestricted, unusableId } from '../../plan/write/plan-link.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { Connection } from '../../sql/statement.js';
import { placeOfValue } from '../../store/from-item.js';
import { readAllNumbers } from '../../store/locate-record.js';
import { isAmong, setItemNumbers, type KeptNumber } from '../../store/set-item-numbers.js';
import { parseResourcePath } from '../../uri/parse-resource-path.js';
import type { Exchange } from '../exchange.js';
import type { ODataResponse } from '../../protocol/message.js';
import { conditionsOf } from '../../protocol/precondition.js';
import { emptyResponse } from '../../protocol/responses.js';
import type { RecordsTarget } from '../../protocol/routes.js';
import { lockMeeting, refer, writeScope } from './write-context.js';

/** The item whose references a path addresses, and the record that it is in. */
export interface ItemReferences {
  readonly parent: ParentStep & { readonly item: ItemMeeting };
  readonly parents: readonly ParentStep[];
  readonly target: RecordsTarget;
  /** The member that keeps numbers of records, and their type; of what leads to records of any type one for each set. */
  readonly parts: readonly Part[];
  /** The path says behind the name of what leads to records of any type which is meant. */
  readonly cast?: boolean;
}

interface Part {
  readonly member: string;
  readonly target: EntityType;
}

/** What leads to the records of a path, where it is an item, and the caller may change that. */
export function changeableItem(target: RecordsTarget, exchange: Exchange): ItemReferences | undefined {
  const [parent, ...parents] = target.parents;
  if (parent?.item === undefined) return undefined;
  const found = { parent: { ...parent, item: parent.item }, parents, target, ...partsOf(parent.type, parent.item, target, exchange) };
  requireChangeable(found, exchange);
  return found;
}

function partsOf(
  type: EntityType,
  { path, member }: ItemMeeting,
  target: RecordsTarget,
  { request, context: { container } }: Exchange,
): Pick<ItemReferences, 'parts' | 'cast'> {
  const { via = '' } = target;
  const any = itemAnyOf(type, [...withoutOrdinals(path.split('/')), via.slice(via.lastIndexOf('/') + 1)], container)?.any;
  if (any === undefined) return { parts: [{ member, target: target.type }] };
  const parts = armsOf(type, any, container).map(({ navigation: { join }, target: of }) => ({
    member: Object.keys(join)[0] ?? '',
    target: of,
  }));
  const cast = parseResourcePath(request.path).parts.some(
    ({ name }, index, all) => name.includes('.') && all[index - 1]?.name === via.slice(via.lastIndexOf('/') + 1),
  );
  // Of several records those behind a type are changed alone.
  return cast && any.collection ? { parts: parts.filter((part) => part.member === member), cast } : { parts, cast };
}

/** A record that a request names: where it is, and the member that keeps the numbers of its kind. */
export interface NamedRecord {
  readonly place: RecordTarget;
  readonly member: string;
  /** It may be that there is none. */
  readonly optional?: true;
}

/** The record of an id among those that an item may lead to. */
export function namedRecord({ parts, target: { via = '' } }: ItemReferences, id: string, exchange: Exchange): NamedRecord {
  const place = refer(id, exchange);
  if (place instanceof ODataError) throw place;
  const [first] = parts;
  const found = parts.find(({ target }) => asTarget(place, target) !== undefined) ?? first;
  const referred = found && asTarget(place, found.target);
  if (found === undefined || referred === undefined) throw unusableId(id, via, (found ?? { target: place.type }).target, place).at(via);
  requireNameable(referred, exchange.caller, via);
  return { place: referred, member: found.member };
}

/** What becomes of the numbers of the records that an item leads to, by those of the records that the request names. */
export type EditNumbers = (kept: readonly KeptNumber[], named: readonly KeptNumber[]) => readonly KeptNumber[];

/** A change of the references of an item, which keeps the numbers of the records in its own JSON: the record that it is in changes with it. */
export async function changeItemReferences(
  references: ItemReferences,
  named: readonly NamedRecord[],
  edit: EditNumbers,
  exchange: Exchange,
): Promise<ODataResponse> {
  const { parent, parents, parts } = references;
  const { request, service, version } = exchange;
  const { path } = parent.item;
  await service.store.transaction(async (connection) => {
    const locked = await lockMeeting({ ...parent, parents }, conditionsOf(request), connection, exchange);
    const names = placeOfValue(path, locked, service.container);
    const numbers = await numbersOf(named, connection);
    const members = new Map(parts.map((part) => [part.member, part.target]));
    await setItemNumbers(
      locked,
      { names, members, collection: parent.toMany === true },
      (before) => edit(before, numbers),
      connection,
      writeScope(exchange),
    );
  }, request.recipient);
  return emptyResponse(204, version);
}

/** DELETE of a reference of an item: of several records one is said by the key or `$id`, and has to be among them. */
export function removeItemReference(item: ItemReferences, exchange: Exchange): Promise<ODataResponse> {
  const { target, parent, parts, cast } = item;
  const { id } = exchange.options;
  const member = parent.item.member;
  // Behind a type only what leads to a record of that type is taken away.
  const isOfType = cast === true && !parent.toMany;
  const named =
    id !== undefined
      ? [namedRecord(item, id, exchange)]
      : parent.toMany && target.kind === 'entity'
        ? [{ place: target, member }]
        : isOfType
          ? [{ place: target, member, optional: true as const }]
          : [];
  return changeItemReferences(
    item,
    named,
    (before, gone) => {
      const strange = gone.find((one) => !isAmong(before, one));
      if (strange) throw missingRecord(parts.find((part) => part.member === strange.member)?.target ?? target.type);
      return gone.length > 0 || isOfType ? before.filter((one) => !isAmong(gone, one)) : [];
    },
    exchange,
  );
}

async function numbersOf(named: readonly NamedRecord[], connection: Connection): Promise<readonly KeptNumber[]> {
  const found = await readAllNumbers(
    named.map(({ place }) => place),
    connection,
  );
  return named.flatMap(({ place, member, optional }) => {
    const number = found.get(place);
    if (number === undefined && !optional) throw missingRecord(place.type);
    return number === undefined ? [] : [{ member, number }];
  });
}

// That there is such an item is told to those who see the items.
function requireChangeable(
  { parent: { type, item }, target: { via = '' } }: Pick<ItemReferences, 'parent' | 'target'>,
  { caller }: Exchange,
): void {
  const root = rootOf(item.path);
  requireReadable(type, caller);
  requireWritable(type, 'update', caller);
  requireUnrestricted(type, 'update', [root], caller);
  const why =
    item.numbersOf === undefined && !item.member.startsWith('#')
      ? `it follows from ${item.member}`
      : type.rules.computed.includes(root)
        ? 'the service gives it'
        : type.rules.immutable.includes(root)
          ? 'it is given once, on create'
          : undefined;
  if (why !== undefined) throw errors.notSaved(displayName(type.name)).with([errors.readOnly(via, why).at(via).asDetail()]);
}
