import { type Json, mapValues } from './json-document.js';

interface Document30 {
  readonly info: Json;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly Json[];
  readonly security: readonly Json[];
  readonly paths: { readonly [path: string]: Json };
  readonly components: {
    readonly schemas: Json;
    readonly parameters: { readonly [name: string]: Json };
    readonly responses: { readonly [name: string]: Json };
    readonly securitySchemes: { readonly clientCredentials: { readonly flows: { readonly clientCredentials: Json } } };
  };
}

/** A document of version 3.0 in 2.0, for Power Platform: its schemas have no alternatives, and one example. */
export function toVersion20(document: Json): Json {
  const { info, servers, tags, security, paths, components } = document as unknown as Document30; // `buildDocument` wrote it.
  const { protocol, host, pathname } = new URL(servers[0]?.url ?? '');
  return {
    swagger: '2.0',
    info,
    host,
    basePath: pathname,
    schemes: [protocol.slice(0, -1)],
    consumes: ['application/json'],
    produces: ['application/json'],
    security,
    tags,
    paths: mapValues(paths, pathItem),
    definitions: schemaOf(components.schemas),
    parameters: mapValues(components.parameters, parameter),
    responses: mapValues(components.responses, response),
    securityDefinitions: {
      bearer: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Bearer, a space and the token' },
      ...('basic' in components.securitySchemes && { basic: { type: 'basic' } }),
      clientCredentials: { type: 'oauth2', flow: 'application', ...components.securitySchemes.clientCredentials.flows.clientCredentials },
    },
  };
}

function pathItem({ parameters, ...operations }: Json): Json {
  return {
    ...(Array.isArray(parameters) && { parameters: (parameters as readonly Json[]).map(parameter) }),
    ...mapValues(operations, (operation) => operationOf(operation as Json)),
  };
}

function operationOf({ requestBody, parameters, responses, ...others }: Json): Json {
  const content = contentOf(requestBody);
  const isJson = content?.type === 'application/json';
  return {
    ...others,
    ...(content && !isJson && { consumes: [content.type] }),
    parameters: [
      ...((parameters ?? []) as readonly Json[]).map(parameter),
      ...(content
        ? [{ name: 'body', in: 'body', required: true, schema: isJson ? content.schema : { type: 'string', format: 'binary' } }]
        : []),
    ],
    responses: mapValues(responses as { readonly [status: string]: Json }, response),
  };
}

// A parameter's schema becomes a part of it, without references.
function parameter({ schema, ...others }: Json): Json {
  const { $ref, ...inline } = schemaOf(schema ?? {}) as Json;
  if (others['$ref'] !== undefined) return schemaOf(others) as Json;
  return { ...others, ...($ref === undefined && 'type' in inline ? inline : { type: 'string' }) };
}

function response({ description, headers, content, $ref }: Json): Json {
  if (typeof $ref === 'string') return schemaOf({ $ref }) as Json;
  const found = contentOf({ content });
  return {
    description,
    ...(headers !== undefined && { headers: mapValues(headers as { readonly [name: string]: Json }, parameter) }),
    ...(found && { schema: found.schema }),
    ...(found?.example !== undefined && { examples: { [found.type]: found.example } }),
  };
}

function contentOf(holder: unknown): { readonly type: string; readonly schema: unknown; readonly example: unknown } | undefined {
  const { content = {} } = (holder ?? {}) as { readonly content?: Json };
  const [first] = Object.entries(content) as readonly (readonly [string, { readonly schema: unknown; readonly examples?: Json }])[];
  if (first === undefined) return undefined;
  const [type, { schema, examples = {} }] = first;
  const [example] = Object.values(examples) as readonly { readonly value: unknown }[];
  return { type, schema: schemaOf(schema), example: example?.value };
}

function schemaOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(schemaOf);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf: _, nullable, writeOnly: __, ...others } = value as Json;
  const converted = mapValues(others, schemaOf);
  const { $ref } = converted;
  return {
    ...converted,
    ...(typeof $ref === 'string' && { $ref: $ref.replace('#/components/schemas/', '#/definitions/').replace('#/components/', '#/') }),
    ...(nullable === true && { 'x-nullable': true }),
  };
}

/** A document of version 3.1 in 3.0: its schemas have no null type, and nothing next to a reference. */
export function toVersion30(document: Json): Json {
  return { ...(convert(document) as Json), openapi: '3.0.3' };
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const { type, anyOf, $ref, ...others } = mapValues(withFlags(value as Json), convert);
  if (typeof $ref === 'string') return Object.keys(others).length === 0 ? { $ref } : { allOf: [{ $ref }], ...others };
  return { ...typeIn30(type), ...alternatives(anyOf), ...others };
}

// An exclusive limit is a flag next to the limit. A property of that name has a schema.
function withFlags({ exclusiveMinimum: low, exclusiveMaximum: high, ...others }: Json): Json {
  return {
    ...others,
    ...(typeof low === 'number' ? { minimum: low, exclusiveMinimum: true } : low !== undefined && { exclusiveMinimum: low }),
    ...(typeof high === 'number' ? { maximum: high, exclusiveMaximum: true } : high !== undefined && { exclusiveMaximum: high }),
  };
}

function typeIn30(type: unknown): Json {
  if (Array.isArray(type)) return { type: (type as readonly unknown[]).find((one) => one !== 'null'), nullable: true };
  return type === undefined ? {} : { type };
}

function alternatives(anyOf: unknown): Json {
  if (!Array.isArray(anyOf)) return anyOf === undefined ? {} : { anyOf };
  const others = (anyOf as readonly Json[]).filter(({ type }) => type !== 'null');
  const schemas = others.length === 1 ? { allOf: others } : { anyOf: others };
  return others.length === anyOf.length ? schemas : { ...schemas, nullable: true };
}
