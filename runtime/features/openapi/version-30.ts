import type { Json } from './json-document.js';

/** A document of version 3.1 in 3.0: its schemas have no null type, and nothing next to a reference. */
export function toVersion30(document: Json): Json {
  return { ...(convert(document) as Json), openapi: '3.0.3' };
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const { type, anyOf, $ref, ...others } = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)])) as {
    readonly type?: unknown;
    readonly anyOf?: unknown;
    readonly $ref?: unknown;
  };
  if (typeof $ref === 'string') return Object.keys(others).length === 0 ? { $ref } : { allOf: [{ $ref }], ...others };
  return { ...typeIn30(type), ...alternatives(anyOf), ...others };
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
