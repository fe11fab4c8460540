import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { readModel, type Model } from './model.js';
import { own } from '../../edm/index.js';

/** The service that agents may use. */
interface McpOptions {
  /** The service root, such as `http://localhost:4004/odata`. */
  readonly root: string;
  /** Bearer token of the caller, whose permissions and limits hold. */
  readonly token?: string | undefined;
  /** Whether tools that change data exist. */
  readonly write: boolean;
  readonly version: string;
}

/** An MCP server over the model of a service. Reads `$metadata` first, so that a wrong address or token fails immediately. */
export async function mcpServer({ root, token, write, version }: McpOptions): Promise<McpServer> {
  const ask = askService(root, token);
  const model = readModel(JSON.parse(await ask('GET', '$metadata')) as Parameters<typeof readModel>[0]);
  const server = new McpServer({ name: 'gable', version });
  for (const [name, tool] of Object.entries(tools)) if (write || tool.writes !== true) register(server, name, tool, { ask, model });
  return server;
}

function register(server: McpServer, name: string, tool: Tool, service: Service): void {
  const { description, properties, required, writes } = tool;
  const inputSchema = fromJsonSchema<Arguments>({
    type: 'object',
    properties: { ...properties },
    required: [...required],
    additionalProperties: false,
  });
  server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint: writes !== true } }, async (given) => {
    try {
      return { content: [{ type: 'text', text: await tool.run(given, service) }] };
    } catch (error) {
      // The agent reads the message and asks again.
      return { content: [{ type: 'text', text: (error as Error).message }], isError: true };
    }
  });
}

/** A tool: its arguments as JSON Schema, and its work, which resolves to the text for the agent. */
interface Tool {
  readonly description: string;
  readonly properties: { readonly [argument: string]: object };
  readonly required: readonly string[];
  /** Whether it changes data; such tools exist only with `--write`. */
  readonly writes?: true;
  readonly run: (given: Arguments, service: Service) => Promise<string>;
}

/** The arguments of the agent, checked against the tool's schema. */
export interface Arguments {
  readonly [argument: string]: unknown;
}

/** The service and its model, as the caller's token sees them. */
interface Service {
  readonly ask: Ask;
  readonly model: Model;
}

/** Records of a query without `top`, and the most of one query. */
const usualRecords = 20;
const mostRecords = 500;

// Context addresses and ETags of many records only cost an agent space; @odata.nextLink stays.
const withoutMetadata = 'application/json;odata.metadata=none';

const text = (description: string): object => ({ type: 'string', description });
const set = text('Name of an entity set, as list_sets gives it');
const key = {
  description: 'The key: a value, or an object with a value for each key property; none for a singleton',
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
  ],
};
const select = text('Properties, for example ListingKey,City');
const expand = text('Related records, for example Media($select=MediaURL;$top=1)');
const etag = text('The @odata.etag of the record when it was read; * to change any version');

/** The query options of `query`, by argument. */
const options: { readonly [argument: string]: { readonly option: string; readonly schema: object } } = {
  filter: { option: '$filter', schema: text("OData filter, for example City eq 'Toronto' and ListPrice lt 500000") },
  select: { option: '$select', schema: select },
  expand: { option: '$expand', schema: expand },
  orderby: { option: '$orderby', schema: text('For example ListPrice desc,ListingKey') },
  search: { option: '$search', schema: text('Words to find in the searchable properties') },
  apply: { option: '$apply', schema: text('For example groupby((City),aggregate($count as Count))') },
  top: {
    option: '$top',
    schema: { type: 'integer', minimum: 0, maximum: mostRecords, description: `Most records (default ${usualRecords})` },
  },
  skip: { option: '$skip', schema: { type: 'integer', minimum: 0, description: 'Records to skip' } },
  count: { option: '$count', schema: { type: 'boolean', description: 'Return the number of all matching records too' } },
};

/** The tools by name. */
export const tools: { readonly [name: string]: Tool } = {
  list_sets: {
    description: 'Lists the entity sets and singletons of the service, with their types.',
    properties: {},
    required: [],
    run: async (_, { model }) => JSON.stringify(model.sets()),
  },
  describe_type: {
    description: 'Describes the type of an entity set, or a type: key, properties with types and allowed values, navigation properties.',
    properties: { name: text('Name of an entity set or of a type') },
    required: ['name'],
    run: async ({ name }, { model }) => JSON.stringify(model.describe(String(name))),
  },
  query: {
    description:
      'Reads records of an entity set with the OData query options. @odata.nextLink means that there are more: use skip, or a larger top. An error says what to write instead.',
    properties: { set, ...Object.fromEntries(Object.entries(options).map(([name, { schema }]) => [name, schema])) },
    required: ['set'],
    run: async (given, { ask, model }) => {
      const isSingle = model.sets().some(({ name, kind }) => name === given['set'] && kind === 'Singleton');
      const limit = isSingle ? {} : { top: usualRecords };
      return ask('GET', `${segment(given['set'])}?${queryText({ ...limit, ...given })}`, { accept: withoutMetadata });
    },
  },
  get: {
    description: 'Reads one record by its key, or a singleton.',
    properties: { set, key, select, expand },
    required: ['set'],
    run: async (given, service) => service.ask('GET', `${recordPath(given, service)}?${queryText(given)}`),
  },
  create: {
    description: 'Creates a record and returns it.',
    properties: { set, record: { type: 'object', description: 'Its properties' } },
    required: ['set', 'record'],
    writes: true,
    run: async (given, { ask }) => ask('POST', segment(given['set']), { body: given['record'] as object }),
  },
  update: {
    description: 'Changes properties of a record and returns it.',
    properties: { set, key, changes: { type: 'object', description: 'The changed properties' }, etag },
    required: ['set', 'changes', 'etag'],
    writes: true,
    run: async (given, service) =>
      service.ask('PATCH', recordPath(given, service), { body: given['changes'] as object, etag: String(given['etag']) }),
  },
  delete: {
    description: 'Deletes a record.',
    properties: { set, key, etag },
    required: ['set', 'key', 'etag'],
    writes: true,
    run: async (given, service) => (await service.ask('DELETE', recordPath(given, service), { etag: String(given['etag']) })) || 'Deleted.',
  },
};

function queryText(given: Arguments): string {
  return Object.entries(options)
    .filter(([name]) => given[name] !== undefined)
    .map(([name, { option }]) => `${option}=${encodeURIComponent(String(given[name]))}`)
    .join('&');
}

function segment(name: unknown): string {
  return encodeURIComponent(String(name));
}

// The service reports a key that is missing, misspelt or too much.
function recordPath({ set: name, key: given }: Arguments, { model }: Service): string {
  const types = model.keyOf(String(name));
  const [only] = Object.values(types);
  if (given === undefined) return only === undefined ? segment(name) : `${segment(name)}()`;
  if (typeof given !== 'object' || given === null) return `${segment(name)}(${keyLiteral(only, given)})`;
  const parts = Object.entries(given).map(([property, value]) => `${segment(property)}=${keyLiteral(own(types, property), value)}`);
  return `${segment(name)}(${parts.join()})`;
}

/** Types whose literals have no quotes. */
const unquoted = /^Edm\.(?:Boolean|S?Byte|Date|DateTimeOffset|Decimal|Double|Guid|Int\d+|Single|TimeOfDay)$/;

function keyLiteral(type: string | undefined, value: unknown): string {
  const raw = String(value);
  return encodeURIComponent(unquoted.test(type ?? '') ? raw : `'${raw.replaceAll("'", "''")}'`);
}

/** Sends a request to the service; resolves to the text of its response, or throws its error as a sentence. */
type Ask = (
  method: string,
  path: string,
  options?: { readonly body?: object; readonly etag?: string; readonly accept?: string },
) => Promise<string>;

/** Requests to a service root with the caller's token, if any. */
export function askService(root: string, token: string | undefined): Ask {
  return async (method, path, { body, etag, accept = 'application/json' } = {}) => {
    const response = await fetch(`${root.replace(/\/*$/, '')}/${path}`, {
      method,
      headers: {
        Accept: accept,
        'OData-MaxVersion': '4.01',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json', Prefer: 'return=representation' }),
        ...(etag !== undefined && { 'If-Match': etag }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(unreachable);
    const text = await response.text();
    if (response.ok) return text;
    throw new Error(`${response.status}: ${errorText(text)}`);
  };
}

// The message of fetch itself is "fetch failed".
function unreachable({ message, cause }: Error): never {
  throw new Error(`the service does not answer: ${cause instanceof Error ? cause.message : message}`);
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: readonly { readonly message?: string }[] };
}

// The messages of the service name the thing, the place and the rule; a body that is not OData's is shown as it is.
function errorText(text: string): string {
  try {
    const { code, message, details = [] } = (JSON.parse(text) as ErrorBody).error ?? {};
    if (message === undefined) return text;
    return [`${code ?? ''} ${message}`.trim(), ...details.flatMap((each) => each.message ?? [])].join('\n');
  } catch {
    return text.slice(0, 500);
  }
}
