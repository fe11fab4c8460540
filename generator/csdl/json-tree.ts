import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { faults } from '../faults.js';
import { inputLimits } from './limits.js';
import type { ReadText } from './read-text.js';

/** A JSON value with its position. Numbers keep their text. */
export type JsonValue = { readonly at: number } & (
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'string' | 'number'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
);

/** A member of an object, at the position of its name. */
export interface JsonMember {
  readonly at: number;
  readonly name: string;
  readonly value: JsonValue;
}

/** Extensions of JSON; files that people write by hand may have comments. */
interface JsonDialect {
  readonly comments: boolean;
}

/** Parses a JSON document; throws for syntax errors, repeated members, and exceeded limits. */
export function parseJsonTree(source: ReadText, { comments }: JsonDialect): JsonValue {
  const { text, refuse } = source;
  checkSize(source);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: !comments, allowTrailingComma: comments });
  const [first] = errors;
  if (first !== undefined) refuse((at) => faults.malformedJson(at, messageOf(first)), first.offset);
  return root === undefined ? refuse((at) => faults.malformedJson(at, 'there is no value'), 0) : toValue(root, source);
}

/** The parser's error in words: InvalidSymbol becomes "invalid symbol". */
export function messageOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<!^)([A-Z])/g, ' $1')
    .toLowerCase();
}

// Before the tree is built, so that a hostile text costs neither stack nor memory.
function checkSize({ text, refuse }: ReadText): void {
  let depth = 0;
  let values = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{},]/g)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    else values++;
    if (depth > inputLimits.depth) refuse((at) => faults.limit(at, 'levels of values', String(inputLimits.depth)), index);
    if (values > inputLimits.values) refuse((at) => faults.limit(at, 'values', String(inputLimits.values)), index);
  }
}

function toValue(node: Node, source: ReadText): JsonValue {
  const at = source.start + node.offset;
  switch (node.type) {
    case 'object':
      return { at, kind: 'object', members: membersOf(node, source) };
    case 'array':
      return { at, kind: 'array', items: (node.children ?? []).map((child) => toValue(child, source)) };
    case 'number':
      return { at, kind: 'number', value: source.text.slice(node.offset, node.offset + node.length) };
    case 'string':
      return { at, kind: 'string', value: String(node.value) };
    case 'boolean':
      return { at, kind: 'boolean', value: node.value === true };
    default:
      return { at, kind: 'null' };
  }
}

function membersOf(node: Node, source: ReadText): readonly JsonMember[] {
  const seen = new Set<string>();
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    if (key === undefined || value === undefined) return [];
    const name = String(key.value);
    if (seen.has(name)) source.refuse((at) => faults.duplicate(at, `the member ${name}`, 'One object'), key.offset);
    seen.add(name);
    return [{ at: source.start + key.offset, name, value: toValue(value, source) }];
  });
}
