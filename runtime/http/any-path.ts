import type { EntityContainer } from '../edm/index.js';
import { armsFor, nestedAnyOf } from '../plan/path/nested-path.js';
import type { Recipient } from '../database/recipient.js';
import { readableArms, armsOf, type Arm } from '../plan/any-navigation.js';
import { planPath } from '../plan/plan-path.js';
import type { PathContext, PropertyTarget, RecordTarget } from '../plan/path-target.js';
import { createAliases } from '../plan/scope.js';
import { compileCells, compileSeenNumbers, tablePlace } from '../sql/compile-target.js';
import type { Store } from '../store/store.js';
import type { PathPart, ResourcePath } from '../uri/resource-path.js';

/** What finding out where a path leads takes. */
interface Asking {
  readonly context: Omit<PathContext, 'aliases'>;
  readonly store: Store;
  readonly recipient: Recipient;
}

const names = new WeakMap<EntityContainer, ReadonlySet<string>>();

// Looked for once a model, of which most have none.
function anyNames(container: EntityContainer): ReadonlySet<string> {
  const known =
    names.get(container) ??
    new Set(
      Object.values(container.entityTypes).flatMap(({ anyNavigation }) =>
        Object.keys({ ...anyNavigation }).map((path) => path.slice(path.lastIndexOf('/') + 1)),
      ),
    );
  names.set(container, known);
  return known;
}

/** Whether a path may lead on from a record to one of any type. */
export function mayLeadAnywhere({ parts }: ResourcePath, container: EntityContainer): boolean {
  const any = anyNames(container);
  return any.size > 0 && parts.some(({ name }) => any.has(name));
}

/**
 * A path in which the type stands behind each name that leads to records of any type: `Items(1)/Target` is
 * `Items(1)/Target/Ns.Order` where that item leads to an order. Only the record says it, so that it is asked first.
 */
export async function withTypesOfAny(path: ResourcePath, asking: Asking): Promise<ResourcePath> {
  let { parts } = path;
  for (let at = 1; at < parts.length; at++) {
    const type = await typeBehind(parts, at, asking);
    if (type !== undefined) parts = [...parts.slice(0, at + 1), { name: type }, ...parts.slice(at + 1)];
  }
  return { ...path, parts };
}

async function typeBehind(parts: readonly PathPart[], at: number, { context, store, recipient }: Asking): Promise<string | undefined> {
  const [part, next] = parts.slice(at);
  if (part === undefined || !anyNames(context.container).has(part.name)) return undefined;
  const owner = planPath({ parts: parts.slice(0, at) }, { ...context, aliases: createAliases() });
  if ((owner.kind !== 'entity' && owner.kind !== 'property') || owner.suffix !== '') return undefined;
  // A complex value has the names that lead to it.
  const before = owner.kind === 'property' ? owner.name.split('/') : [];
  const any = nestedAnyOf(owner.type, [...before, part.name], context.container)?.any;
  if (any === undefined || any.collection) return undefined;
  const cast = next?.name.includes('.') ? armsFor(owner.type, any, next.name, context.container).map(({ path }) => path) : undefined;
  // A type that records of one set have says where it leads.
  if (cast !== undefined && cast.length < 2) return undefined;
  const isMeant = ({ path }: Arm): boolean => cast?.includes(path) ?? true;
  const readable = readableArms(owner.type, any, context).filter(isMeant);
  const found = await armOf(owner, readable, store, recipient);
  const { path } = found ?? readable[0] ?? armsOf(owner.type, any, context.container).find(isMeant) ?? {};
  return path?.slice(path.lastIndexOf('/') + 1);
}

// Where it leads nowhere, or to what the caller may not read, any of them says so.
async function armOf(
  owner: RecordTarget | PropertyTarget,
  arms: readonly Arm[],
  store: Store,
  recipient: Recipient,
): Promise<Arm | undefined> {
  if (arms.length < 2) return arms[0];
  return store.read(async (connection) => {
    const columns = arms.map(({ navigation }) => Object.keys(navigation.join)[0] ?? '');
    const [row = []] = await connection.run(compileCells(tablePlace(owner), columns));
    const place = row.findIndex((cell) => cell !== null);
    const [arm, number] = [arms[place], row[place]];
    // What is out of sight is not there, and so says no type either.
    const isSeen =
      connection.sight === undefined ||
      arm === undefined ||
      number == null ||
      (await connection.run(compileSeenNumbers(arm.target, [number]))).length > 0;
    return isSeen ? arm : undefined;
  }, recipient);
}
