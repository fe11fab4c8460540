import type { CsdlDocument, ServedSet } from './served-model.js';
import { navigationChain, propertiesOf } from './served-model.js';

/** A request that shows whether a claim of `$metadata` is true. */
export interface Probe {
  readonly ask: string;
  /** The statuses that agree with the claim. */
  readonly statuses: readonly number[];
  readonly shows?: RegExp;
  readonly hides?: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Who asks, where it matters. */
  readonly as?: string;
}

/** The context of a claim. */
export interface Claimed {
  readonly document: CsdlDocument;
  readonly set: ServedSet;
  /** The address of one record of the set, beneath the root. */
  readonly record: string | undefined;
  /** A body that creates a record, where the set takes any. */
  readonly draft?: Readonly<Record<string, unknown>>;
  /** Members that every change requires. */
  readonly change?: Readonly<Record<string, unknown>>;
  /** Callers by their scope. */
  readonly callers: Readonly<Record<string, string>>;
}

type Probes<Value> = (value: Value, claimed: Claimed) => readonly Probe[];

interface Flags {
  readonly [name: string]: unknown;
}

const offered = [200, 201, 204];
const refused = [400, 501];
const yes = (is: unknown, when: readonly number[] = offered, otherwise: readonly number[] = refused): readonly number[] =>
  is === false ? otherwise : when;
const get = (path: string, statuses: readonly number[] = [200], more: Partial<Probe> = {}): Probe => ({
  ask: `GET ${path}`,
  statuses,
  ...more,
});
const send = (ask: string, body: unknown, statuses: readonly number[], more: Partial<Probe> = {}): Probe => ({
  ask,
  body,
  statuses,
  ...more,
});
const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const none = "('none')";

/** The probes of an entity set's claims, by term; the test reports a term without probes. */
export const setClaims: { readonly [term: string]: Probes<never> } = {
  'Capabilities.ReadRestrictions': ({ Readable, Permissions }: Flags, { set, callers }) => [
    get(`/${set.name}?$top=1`, yes(Readable, [200], [405])),
    ...permissions(Permissions).flatMap(({ Scope, RestrictedProperties = '*' }) => {
      const as = callers[Scope];
      if (as === undefined) return [];
      const hidden = RestrictedProperties.split(',').flatMap((name) => (name.startsWith('-') ? [name.slice(1)] : []));
      return [
        get(`/${set.name}?$top=1`, [200], { as }),
        ...hidden.map((name) => get(`/${set.name}?$top=1&$select=${name}`, [200], { as, hides: new RegExp(`"${name}":`) })),
      ];
    }),
    ...(permissions(Permissions).length > 0 ? [get(`/${set.name}?$top=1`, [403], { as: 'none' })] : []),
  ],
  'Capabilities.InsertRestrictions': (
    { Insertable, RequiredProperties, NonInsertableProperties, Permissions }: Flags,
    { set, draft = {} },
  ) => [
    ...(Insertable === false
      ? [send(`POST /${set.name}`, {}, [405])]
      : [
          send(`POST /${set.name}`, draft, [201]),
          ...list(RequiredProperties).map((name) =>
            send(`POST /${set.name}`, without(draft, name), [400], { shows: new RegExp(`"target":"${name}"`) }),
          ),
        ]),
    ...list(NonInsertableProperties).map((name) =>
      send(`POST /${set.name}`, { ...draft, [name]: 'Closed' }, [400], { shows: new RegExp(name) }),
    ),
    ...(permissions(Permissions).length > 0 ? [send(`POST /${set.name}`, draft, [403], { as: 'read' })] : []),
  ],
  'Capabilities.UpdateRestrictions': (
    { Updatable, Upsertable, UpdateMethod = 'PATCH', DeltaUpdateSupported, FilterSegmentSupported, RequiredProperties, Permissions }: Flags,
    { set, record = `/${set.name}${none}`, change = {} },
  ) => {
    if (Updatable === false)
      return [
        send(`PATCH ${record}`, {}, [405]),
        send(`PUT ${record}`, {}, [405]),
        send(`PATCH /${set.name}`, { value: [] }, [405]),
        send(`PATCH /${set.name}/$each`, {}, [405]),
      ];
    return [
      ...['PATCH', 'PUT'].map((method) =>
        send(`${method} ${record}`, change, String(UpdateMethod).includes(method) ? [200, 204, 404] : [405]),
      ),
      ...list(RequiredProperties).map((name) =>
        send(`PATCH ${record}`, without(change, name), [400], { shows: new RegExp(`"target":"${name}"`) }),
      ),
      ...(Upsertable === false ? [send(`PATCH /${set.name}${none}`, change, [404])] : []),
      ...(DeltaUpdateSupported === undefined ? [] : [send(`PATCH /${set.name}`, { value: [] }, yes(DeltaUpdateSupported, [204], [405]))]),
      ...(FilterSegmentSupported === undefined
        ? []
        : [send(`PATCH /${set.name}/$filter(false)/$each`, change, yes(FilterSegmentSupported, [204], [405, 428]))]),
      ...(permissions(Permissions).length > 0 ? [send(`PATCH ${record}`, change, [403], { as: 'read' })] : []),
    ];
  },
  'Capabilities.DeleteRestrictions': (
    { Deletable, FilterSegmentSupported, Permissions }: Flags,
    { set, record = `/${set.name}${none}` },
  ) => [
    ...(Deletable === false
      ? [send(`DELETE ${record}`, undefined, [405]), send(`DELETE /${set.name}/$each`, undefined, [405])]
      : [send(`DELETE /${set.name}${none}`, undefined, [404, 400])]),
    ...(FilterSegmentSupported === undefined
      ? []
      : [send(`DELETE /${set.name}/$filter(false)/$each`, undefined, yes(FilterSegmentSupported, [204], [405, 428]))]),
    ...(permissions(Permissions).length > 0 ? [send(`DELETE ${record}`, undefined, [403], { as: 'read' })] : []),
  ],
  'Capabilities.DeepInsertSupport': ({ Supported, ContentIDSupported }: Flags, { document, set, draft }) =>
    nested(document, set).flatMap(({ name, body }) => [
      send(
        `POST /${set.name}`,
        { ...draft, ...another(draft), [name]: [{ '@Core.ContentID': 'within', ...body }] },
        yes(Supported, [201], [400, 403, 501]),
        Supported !== false && ContentIDSupported ? { shows: /"@Core\.ContentID":"within"/ } : {},
      ),
    ]),
  'Capabilities.DeepUpdateSupport': ({ Supported }: Flags, { document, set, change, record }) =>
    record === undefined
      ? []
      : nested(document, set).map(({ name, body }) =>
          send(`PATCH ${record}`, { ...change, [name]: [body] }, yes(Supported, [200], [400, 403, 501])),
        ),
  'Capabilities.FilterRestrictions': ({ Filterable, NonFilterableProperties }: Flags, { document, set }) => {
    const not = new Set(list(NonFilterableProperties));
    return propertiesOf(document, set).map(({ name, collection }) =>
      get(
        `/${set.name}?$top=1&$filter=${collection ? `${name}/any()` : `${name} eq null`}`,
        yes(Filterable !== false && !not.has(name), [200], [400, 501]),
      ),
    );
  },
  'Capabilities.SortRestrictions': ({ Sortable, NonSortableProperties }: Flags, { document, set }) => {
    const not = new Set(list(NonSortableProperties));
    return propertiesOf(document, set).flatMap(({ name }) =>
      ['', ' desc'].map((direction) =>
        get(`/${set.name}?$top=1&$orderby=${name}${direction}`, yes(Sortable !== false && !not.has(name), [200], [400, 501])),
      ),
    );
  },
  'Capabilities.ExpandRestrictions': ({ Expandable, NonExpandableProperties, MaxLevels }: Flags, { document, set }) => {
    const not = new Set(list(NonExpandableProperties));
    const names = propertiesOf(document, set, 'NavigationProperty').map(({ name }) =>
      get(`/${set.name}?$top=1&$expand=${name}`, yes(Expandable !== false && !not.has(name), [200], [400, 501])),
    );
    const levels = Number(MaxLevels ?? -1);
    const [deepest, deeper] = [navigationChain(document, set, levels), navigationChain(document, set, levels + 1)];
    return [
      ...names,
      ...(deepest === undefined || levels < 1 ? [] : [get(`/${set.name}?$top=1&$expand=${deepest}`)]),
      ...(deeper === undefined || levels < 1 ? [] : [get(`/${set.name}?$top=1&$expand=${deeper}`, [400])]),
    ];
  },
  'Capabilities.CountRestrictions': ({ Countable }: Flags, { set }) => [
    get(`/${set.name}?$top=1&$count=true`, yes(Countable, [200]), { shows: /"@odata\.count":\d+/ }),
    get(`/${set.name}/$count`, yes(Countable, [200])),
  ],
  'Capabilities.SearchRestrictions': ({ Searchable }: Flags, { set }) => [
    get(`/${set.name}?$top=1&$search=word`, yes(Searchable, [200])),
    get(`/${set.name}?$top=1&$search=word AND NOT "a phrase" OR other`, yes(Searchable, [200])),
  ],
  'Capabilities.IndexableByKey': (is: boolean, { set, record }) => [
    get(record ?? `/${set.name}${none}`, yes(is, record === undefined ? [404, 400] : [200], [404, 405])),
  ],
  'Capabilities.ChangeTracking': ({ Supported, ExpandableProperties }: Flags, { set }) => [
    get(`/${set.name}?$deltatoken=latest`, yes(Supported, [200]), Supported === false ? {} : { shows: /"@odata\.deltaLink":/ }),
    ...list(ExpandableProperties).map((name) =>
      get(`/${set.name}?$expand=${name}&$deltatoken=latest`, [200], { shows: /"@odata\.deltaLink":/ }),
    ),
  ],
  'Capabilities.TopSupported': (is: boolean, { set }) => [get(`/${set.name}?$top=0`, yes(is, [200]), { shows: /"value":\[\]/ })],
  'Capabilities.SkipSupported': (is: boolean, { set }) => [get(`/${set.name}?$top=1&$skip=1`, yes(is, [200]))],
  'Capabilities.ComputeSupported': (is: boolean, { set }) => [
    get(`/${set.name}?$top=1&$compute=1 add 1 as Two&$select=Two`, yes(is, [200])),
  ],
};

function permissions(value: unknown): readonly { readonly Scope: string; readonly RestrictedProperties?: string }[] {
  const given = (value ?? []) as readonly {
    readonly Scopes?: readonly { readonly Scope: string; readonly RestrictedProperties?: string }[];
  }[]; // The form of Capabilities.PermissionType.
  return given.flatMap(({ Scopes = [] }) => Scopes);
}

// Where the client says the key, the next one.
function another(draft: Claimed['draft'] = {}): object {
  return typeof draft['Id'] === 'number' ? { Id: draft['Id'] + 1 } : {};
}

function without(body: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([member]) => member !== name));
}

// The first collection-valued navigation property, with the minimal body of its type.
function nested(
  document: CsdlDocument,
  set: ServedSet,
): readonly { readonly name: string; readonly body: Readonly<Record<string, unknown>> }[] {
  return propertiesOf(document, set, 'NavigationProperty')
    .filter(({ collection }) => collection)
    .slice(0, 1)
    .map(({ name, type }) => ({
      name,
      body: Object.fromEntries(
        propertiesOf(document, { name: '', type })
          .filter(({ nullable }) => !nullable)
          .map((property) => [property.name, /Int|Decimal|Double/.test(property.type) ? 4711 : 'x']),
      ),
    }));
}

// oxfmt-ignore
/** The probes of claims about the whole service. */
export const containerClaims: { readonly [term: string]: (value: never) => readonly Probe[] } = {
  'Core.ODataVersions': (value: string) => value.split(' ').flatMap((version) => [get('/', [200], { headers: { 'OData-MaxVersion': version }, shows: new RegExp(`odata-version: ${version.replace('.', '\\.')}\n`) }), get('/', [200], { headers: { 'OData-MaxVersion': '4.0' }, shows: /odata-version: 4\.0\n/ })]),
  'Capabilities.SupportedFormats': (value: readonly string[]) => value.map((format) => get('/', [200], { headers: { Accept: format }, shows: new RegExp(`content-type: application/json;odata\\.metadata=${/metadata=(\w+)/.exec(format)?.[1]}${/=true/.test(format) ? ';IEEE754Compatible=true' : ''}\n`) })),
  'Capabilities.SupportedMetadataFormats': (value: readonly string[]) => value.map((format) => get('/$metadata', [200], { headers: { Accept: format }, shows: new RegExp(`content-type: ${format}`) })),
  'Capabilities.KeyAsSegmentSupported': (is: boolean) => [get('/Property/3', yes(is, [200], [404]))],
  'Capabilities.BatchSupported': (is: boolean) => [send('POST /$batch', { requests: [{ id: '1', method: 'get', url: '$metadata' }] }, yes(is, [200], [405, 501]))],
  'Capabilities.BatchSupport': (value: Flags) => batchProbes(value),
  'Capabilities.AsynchronousRequestsSupported': (is: boolean) => [get('/Property?$top=1', is ? [202] : [200], { headers: { Prefer: 'respond-async' }, hides: /preference-applied: [^\n]*respond-async/ })],
  'Capabilities.CrossJoinSupported': (is: boolean) => [get('/$crossjoin(Property,Office)?$top=1', yes(is, [200], [404, 501]))],
  'Capabilities.QuerySegmentSupported': (is: boolean) => [send('POST /Property/$query', '$top=1', yes(is, [200], [404, 405, 501]), { headers: { 'Content-Type': 'text/plain' } })],
  'Capabilities.ModificationQueryOptions': (value: Flags) => [
    ['ExpandSupported', '$expand=Rooms'], ['SelectSupported', '$select=City'], ['ComputeSupported', '$compute=1 as One&$select=One'], ['FilterSupported', "$filter=City eq 'x'"], ['SearchSupported', '$search=x'], ['SortSupported', '$orderby=City'],
  ].map(([flag = '', option = '']) => send(`PATCH /Property('4')?${option}`, { ChangedByMemberKey: 'M1' }, value[flag] === true ? [200] : [400, 501])),
  'Capabilities.SelectSupport': (value: Flags) => [
    ['Supported', 'ArchitecturalStyle'], ['Filterable', "ArchitecturalStyle($filter=$this ne 'x')"], ['Sortable', 'ArchitecturalStyle($orderby=$this)'], ['TopSupported', 'ArchitecturalStyle($top=1)'], ['SkipSupported', 'ArchitecturalStyle($skip=1)'],
    ['Countable', 'ArchitecturalStyle($count=true)'], ['Searchable', 'ArchitecturalStyle($search=x)'], ['ComputeSupported', 'ArchitecturalStyle($compute=1 as One)'],
  ].map(([flag = '', item = '']) => get(`/Property?$top=1&$select=${item}`, value[flag] === true ? [200] : [400, 501])),
};

function batchProbes(value: Flags): readonly Probe[] {
  const failing = { id: '1', method: 'get', url: 'Nothing' };
  const batch = (requests: readonly object[], shows: RegExp, headers: Readonly<Record<string, string>> = {}): Probe =>
    send('POST /$batch', { requests }, [200], { shows, headers: { 'Content-Type': 'application/json', ...headers } });
  const draft = {
    ListAgentKey: 'M1',
    ListOfficeKey: 'M2',
    PropertyType: 'Residential',
    StreetNumber: '1',
    StreetName: 'Claim',
    City: 'Toronto',
  };
  const made = { id: 'a', method: 'post', url: 'Property', body: draft };
  const rows: readonly (readonly [string, Probe])[] = [
    [
      'ContinueOnErrorSupported',
      batch([failing, { id: '2', method: 'get', url: 'Office' }], /"id":"2","status":200/, { Prefer: 'continue-on-error=true' }),
    ],
    [
      'ReferencesInRequestBodiesSupported',
      batch(
        [
          { id: 'm', method: 'get', url: "Member('M1')" },
          { id: 'b', dependsOn: ['m'], method: 'post', url: 'Property', body: { ...draft, 'ChangedByMember@odata.bind': '$m' } },
        ],
        /"id":"b","status":201/,
      ),
    ],
    [
      'ReferencesAcrossChangeSetsSupported',
      batch(
        [
          { ...made, atomicityGroup: 'g' },
          {
            id: 'b',
            atomicityGroup: 'h',
            dependsOn: ['g'],
            method: 'patch',
            url: '$a',
            body: { ChangedByMemberKey: 'M1', CrossStreet: 'x' },
          },
        ],
        /"id":"b",[^}]*"status":200/,
      ),
    ],
    [
      'EtagReferencesSupported',
      batch(
        [
          made,
          {
            id: 'b',
            dependsOn: ['a'],
            method: 'patch',
            url: '$a',
            headers: { 'If-Match': '$a' },
            body: { ChangedByMemberKey: 'M1', CrossStreet: 'x' },
          },
        ],
        /"id":"b","status":200/,
      ),
    ],
    [
      'RequestDependencyConditionsSupported',
      batch([made, { id: 'b', dependsOn: ['a'], if: "$a/City eq 'Nowhere'", method: 'delete', url: '$a' }], /"id":"b","status":424/),
    ],
  ];
  const supported = list(value['SupportedFormats']);
  return [
    ...rows.map(([flag, probe]) => (value[flag] === true ? probe : { ...probe, hides: probe.shows ?? /^/ })),
    ...(supported.includes('multipart/mixed')
      ? [
          send('POST /$batch', '--b\r\nContent-Type: application/http\r\n\r\nGET Office HTTP/1.1\r\n\r\n\r\n--b--\r\n', [200], {
            headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
            shows: /HTTP\/1\.1 200/,
          }),
        ]
      : []),
  ];
}
