import { changeTable, type EntityContainer, type EntityType } from '../../edm/index.js';
import type { Service } from '../../http/service.js';
import type { Caller } from '../../plan/caller.js';
import { quote } from '../../schema/identifier.js';
import { StatementBuilder, withTables } from '../../sql/builder.js';
import type { Connection, Statement } from '../../sql/statement.js';
import type { Store } from '../../store/store.js';
import { readHorizon } from './log-state.js';
import { compileUrl } from './record-address.js';
import { compileVisible } from './visible-changes.js';
import { memoized } from '../../edm/memoized.js';

/** The set whose entities are the changes of the log. */
interface EventSet {
  readonly type: EntityType;
  readonly container: EntityContainer;
  /** Absent where all changes are visible. */
  readonly caller: Caller | undefined;
  readonly root: string;
}

/** The service with the changes that its caller may know of as the entities of the model's set of events. */
export function withEvents(service: Service, caller: Caller): Service {
  const type = eventType(service.container);
  if (type === undefined) return service;
  const known = servicesOf(service);
  const seen = known.get(caller);
  if (seen !== undefined) return seen;
  const viewer = compileVisible(caller, service.container, new StatementBuilder()) === undefined ? everyone : caller;
  const found = known.get(viewer) ?? eventService(service, viewer, type);
  known.set(viewer, found).set(caller, found);
  return found;
}

// One object for all callers who see the same, by which derived data is cached.
const servicesOf = memoized<Service, [], WeakMap<Caller, Service>>(() => new WeakMap());
const everyone: Caller = { subject: '', scopes: new Set() };

function eventService(service: Service, caller: Caller, type: EntityType): Service {
  const { container, root, store, unfiltered = store } = service;
  const set = { type, container, root, caller: caller === everyone ? undefined : caller };
  return { ...service, store: eventStore(store, set), unfiltered };
}

const eventType = memoized(({ entityTypes }: EntityContainer) => Object.values(entityTypes).find(({ events }) => events !== undefined));

function eventStore(store: Store, set: EventSet): Store {
  return {
    ...store,
    hasViews: true,
    read: (work, recipient) => store.read((connection) => work(eventConnection(connection, set)), recipient),
    transaction: (work, recipient) => store.transaction((connection) => work(eventConnection(connection, set)), recipient),
  };
}

// Other statements are passed on as they are.
function eventConnection(connection: Connection, set: EventSet): Connection {
  const table = quote(set.type.table);
  const isOfEvents = ({ text, unfiltered }: Statement): boolean => !unfiltered && text.includes(table);
  const view = async (statement: Statement): Promise<Statement> => compileEvents(statement, set, await readHorizon(connection));
  return {
    ...connection,
    run: (statement) => (isOfEvents(statement) ? view(statement).then(connection.run) : connection.run(statement)),
    each: (statement, onRow) =>
      isOfEvents(statement) ? view(statement).then((seen) => connection.each(seen, onRow)) : connection.each(statement, onRow),
    ahead: (statement) => (isOfEvents(statement) ? () => view(statement).then(connection.run) : connection.ahead(statement)),
  };
}

/** The statement with the table of events as a common table expression over the log, up to the horizon. */
export function compileEvents(statement: Statement, { type, container, caller, root }: EventSet, horizon: string): Statement {
  const builder = new StatementBuilder(statement.bind);
  const { sequence, set, key, url } = type.events ?? { sequence: '', set: '', key: '' };
  const columns = [
    'c."#id"',
    '1::bigint as "#version"',
    `c."#id" as ${quote(sequence)}`,
    `c."#set" as ${quote(set)}`,
    `c."#key" as ${quote(key)}`,
    ...(url === undefined ? [] : [`${compileUrl(root, container, builder)} as ${quote(url)}`]),
  ];
  const visible = caller && compileVisible(caller, container, builder);
  const where = [`c."#id" <= ${builder.bind(horizon, 'bigint')}`, ...(visible === undefined ? [] : [visible])];
  const rows = `select ${columns.join(', ')} from ${quote(changeTable)} c where ${where.join(' and ')}`;
  const text = withTables([`${quote(type.table)} as not materialized (${rows})`], statement.text);
  return { ...statement, text, bind: builder.binds };
}
