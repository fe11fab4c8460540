import type { EntityContainer } from '../../edm/entity-container.js';
import type { Change } from '../changes/read-changes.js';
import { changeUrl } from '../changes/record-address.js';
import { trackedTypes } from '../changes/tracked-tables.js';
import type { HookFormat } from './hook.js';

interface PayloadSource {
  readonly root: string;
  readonly container: EntityContainer;
}

/** The body of a delivery, and the headers that belong to its format. */
export interface Payload {
  readonly method: 'POST' | 'OPTIONS';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Print = (changes: readonly Change[], source: PayloadSource) => string;

/** The past tense of an operation in the names of events. */
const done = { create: 'created', update: 'updated', delete: 'deleted' } as const;

const json = 'application/json';

// oxfmt-ignore
/** The formats: their media type, a batch, and a request that tests whether the consumer accepts deliveries. */
const formats: { readonly [Format in HookFormat]: { readonly type: string; readonly print: Print; readonly test: (source: PayloadSource) => Payload } } = {
  reso: { type: json, print: printReso, test: (source) => ({ method: 'POST', headers: { 'Content-Type': json, ...eventSource(source) }, body: printReso([], source) }) },
  cloudevents: { type: 'application/cloudevents-batch+json', print: printCloudEvents, test: ({ root }) => ({ method: 'OPTIONS', headers: { 'WebHook-Request-Origin': new URL(root).hostname }, body: '' }) },
  standard: { type: json, print: printStandard, test: () => ({ method: 'POST', headers: { 'Content-Type': json }, body: JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: {} }) }) },
};

/** A batch of changes in a format: their keys, and no data, so that reading a record asks for permission. */
export function payloadOf(format: HookFormat, changes: readonly Change[], source: PayloadSource): Payload {
  const { type, print } = formats[format];
  const headers = { 'Content-Type': type, ...(format === 'reso' && eventSource(source)) };
  return { method: 'POST', headers, body: print(changes, source) };
}

/** The request that tests a consumer: that of CloudEvents' web hooks, 3.1, or a delivery without changes. */
export function testOf(format: HookFormat, source: PayloadSource): Payload {
  return formats[format].test(source);
}

/** The reason why an answer with status 2xx is no consent to deliveries; undefined for consent. */
export function dissent(format: HookFormat, headers: Readonly<Record<string, unknown>>, { root }: PayloadSource): string | undefined {
  if (format !== 'cloudevents') return undefined;
  const { hostname } = new URL(root);
  const origins = String(headers['webhook-allowed-origin'] ?? '').split(',');
  const isAllowed = origins.some((origin) => ['*', hostname].includes(origin.trim()));
  return isAllowed ? undefined : `its answer to OPTIONS has no WebHook-Allowed-Origin with * or ${hostname}`;
}

// RCP-28 limits the header to 255 characters.
function eventSource({ root }: PayloadSource): Readonly<Record<string, string>> {
  return root.length > 255 ? {} : { EntityEventSource: root };
}

// The sequence is an Int64, whose text is a JSON number.
function printReso(changes: readonly Change[], { root, container }: PayloadSource): string {
  const events = changes.map((change) => {
    const members = { ResourceName: change.set, ResourceRecordKey: change.key, ResourceRecordUrl: changeUrl(change, root, container) };
    return `{"EntityEventSequence":${change.number},${JSON.stringify(members).slice(1)}`;
  });
  return `{"@reso.context":"urn:reso:metadata:2.0:resource:entityevent","value":[${events.join(',')}]}`;
}

function printCloudEvents(changes: readonly Change[], { root, container }: PayloadSource): string {
  const names = new Map(trackedTypes(container).map(({ entitySet, qualifiedName }) => [entitySet, qualifiedName]));
  const events = changes.map((change) => ({
    specversion: '1.0',
    id: change.number,
    source: root,
    type: `${names.get(change.set) ?? change.set}.${done[change.operation]}`,
    subject: changeUrl(change, root, container)?.slice(root.length + 1),
    time: change.at,
  }));
  return JSON.stringify(events);
}

function printStandard(changes: readonly Change[], { root, container }: PayloadSource): string {
  const events = changes.map((change) => ({
    number: change.number,
    type: `${change.set}.${done[change.operation]}`,
    key: change.key,
    url: changeUrl(change, root, container),
    timestamp: change.at,
  }));
  return JSON.stringify({ type: 'changes', timestamp: changes.at(-1)?.at, data: { changes: events } });
}
