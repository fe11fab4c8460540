import test, { type ExecutionContext } from 'ava';
import { containerClaims, setClaims, type Claimed, type Probe } from './claims.js';
import { expressionRules } from './expression-rules.js';
import { startSecond } from './second-service.js';
import { containerOf, setsOf, type CsdlDocument, type CsdlElement } from './served-model.js';
import { startService, type TestService } from '../support/service.js';

/** The service, and the facts that probes of its claims need. */
interface Scene {
  readonly service: TestService;
  readonly caller: string;
  readonly callers: Claimed['callers'];
  readonly samples: Readonly<Record<string, Partial<Pick<Claimed, 'draft' | 'change' | 'record'>>>>;
}

const draft = {
  ListAgentKey: 'M1',
  ListOfficeKey: 'M2',
  PropertyType: 'Residential',
  StreetNumber: '1',
  StreetName: 'Claim',
  City: 'Toronto',
};

test('what $metadata says of the listing service is true', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const callers = { 'listing.read': 'read', 'listing.read.all': 'all' };
  const { document, wrong } = await checkSets({
    service,
    caller: 'write',
    callers,
    samples: { Property: { draft, change: { ChangedByMemberKey: 'M1' }, record: "/Property('4')" } },
  });
  t.deepEqual([...wrong, ...(await checkContainer(t, document, service))], []);
});

test('what $metadata says of the second model is true', async (t) => {
  const service = await startSecond();
  t.teardown(() => service.stop());
  t.deepEqual(
    (await checkSets({ service, caller: 'write', callers: {}, samples: { Parties: { draft: { Id: 1, Name: 'Claim' } } } })).wrong,
    [],
  );
});

async function checkSets({
  service,
  caller,
  callers,
  samples,
}: Scene): Promise<{ readonly document: CsdlDocument; readonly wrong: readonly string[] }> {
  const wrong: string[] = [];
  const document = (await (await request(service, { ask: 'GET /$metadata?$format=json', statuses: [200] }, caller)).json()) as CsdlDocument; // The shape of CSDL JSON.
  for (const set of setsOf(document)) {
    const record = samples[set.name]?.record ?? (await firstRecord(service, set.name, caller));
    const claimed = { document, set, callers, ...samples[set.name], record };
    for (const [term, value] of claims(set.claims)) {
      const probes = setClaims[term];
      wrong.push(
        ...(probes === undefined
          ? [`${set.name}: nothing tries ${term}`]
          : await checkProbes(`${set.name} ${term}`, probes(value as never, claimed), { service, caller })),
      );
    }
  }
  return { document, wrong };
}

async function checkContainer(t: ExecutionContext, document: CsdlDocument, service: TestService): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [term, value] of claims(containerOf(document))) {
    if (term === 'Capabilities.ConformanceLevel') t.is(value, 'Advanced', 'test/conformance/score.md shows every rule of it');
    else if (term === 'Capabilities.FilterFunctions') wrong.push(...(await checkFunctions(t, value as readonly string[], service)));
    else if (containerClaims[term] === undefined) wrong.push(`nothing tries ${term}`);
    else wrong.push(...(await checkProbes(term, containerClaims[term](value as never), { service, caller: 'write' })));
  }
  return wrong;
}

// Each function that is said to be there, by the filter of its rule.
async function checkFunctions(t: ExecutionContext, names: readonly string[], service: TestService): Promise<readonly string[]> {
  const filters = new Map(expressionRules.flatMap((trial) => ('filter' in trial ? [[trial.rule, trial.filter] as const] : [])));
  const missing = names.filter((name) => !filters.has(`FUNC-${name}`));
  t.deepEqual(missing, [], 'every function has a rule');
  const probes = names.map((name): Probe => ({
    ask: `GET /Property?$top=1&$filter=${filters.get(`FUNC-${name}`) ?? ''}`,
    statuses: [200],
  }));
  return checkProbes('Capabilities.FilterFunctions', probes, { service, caller: 'write' });
}

function claims(element: CsdlElement): readonly (readonly [string, unknown])[] {
  return Object.entries(element).flatMap(([name, value]) =>
    /^@(Capabilities\.|Core\.ODataVersions)/.test(name) ? [[name.slice(1), value] as const] : [],
  );
}

async function checkProbes(
  claim: string,
  probes: readonly Probe[],
  { service, caller }: Pick<Scene, 'service' | 'caller'>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const probe of probes) {
    const response = await request(service, probe, caller);
    const text = `${[...response.headers].map(([name, value]) => `${name}: ${value}\n`).join('')}\n${await response.text()}`;
    if (!probe.statuses.includes(response.status))
      wrong.push(
        `${claim}: ${probe.ask} is ${response.status}, and not ${probe.statuses.join(' or ')}: ${text.slice(text.indexOf('\n\n')).trim()}`,
      );
    else if (probe.shows?.test(text) === false) wrong.push(`${claim}: ${probe.ask} does not show ${probe.shows.source}: ${text}`);
    else if (probe.hides?.test(text)) wrong.push(`${claim}: ${probe.ask} shows ${probe.hides.source}`);
  }
  return wrong;
}

async function firstRecord(service: TestService, set: string, caller: string): Promise<string | undefined> {
  const response = await request(
    service,
    { ask: `GET /${set}?$top=1`, statuses: [200], headers: { Accept: 'application/json;odata.metadata=full' } },
    caller,
  );
  const { value: [first] = [] } = (await response.json()) as { value?: readonly { '@odata.id': string }[] }; // An answer of records.
  return first?.['@odata.id'].slice(service.root.length);
}

async function request(service: TestService, { ask, headers, body, as }: Probe, caller: string): Promise<Response> {
  const [method = '', path = ''] = ask.split(/ (.*)/s);
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const url = service.root + path.replaceAll(/[ "']/g, (character) => encodeURIComponent(character));
  return fetch(url, {
    method,
    headers: { Authorization: `Bearer ${await service.token(as ?? caller)}`, ...type, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}
