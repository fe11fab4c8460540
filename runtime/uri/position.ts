import { type ErrorPosition, ODataError, type Node } from '../errors/odata-error.js';
import { placesIn, type Step } from '../json/place-in.js';
import { optionTexts, percentDecode, splitOption } from './decode-url.js';
import { pathTarget } from './parse-key.js';
import type { QueryOptions } from './query-options.js';
import type { ResourcePath } from './resource-path.js';
import { identifierPart, identifierStart } from '../edm/identifier.js';

/** A request whose errors are placed: its text, still percent-encoded, and its trees as far as they are parsed. */
export interface PlacedRequest {
  readonly path: string;
  readonly query: string;
  readonly parts?: ResourcePath['parts'];
  readonly options?: QueryOptions;
  /** The JSON body, once it has been read. */
  readonly body?: Uint8Array;
}

/** An error with its position in the path, an option or the body; what is no fault of these has none. */
export function positioned(error: unknown, request: PlacedRequest): unknown {
  if (error instanceof ODataError) {
    const position = error.position ?? positionOf(error, request);
    if (position) error.position = position;
  }
  return error;
}

// A text that cannot be decoded has no positions.
function positionOf(error: ODataError, request: PlacedRequest): ErrorPosition | undefined {
  try {
    return positionIn(error, request);
  } catch (failure) {
    if (failure instanceof ODataError) return undefined;
    throw failure;
  }
}

function positionIn({ node, target = '', details }: ODataError, request: PlacedRequest): ErrorPosition | undefined {
  const inBody = request.body && node === undefined ? positionInBody(details ?? [{ target }], request.body) : undefined;
  if (inBody) return inBody;
  const option = (node && optionOf(node, request)) ?? target;
  const text = textOf(option, request);
  if (text === undefined) return undefined;
  if (node === undefined) return { option, at: 1, length: text.length };
  const at = Math.min(named(node, target).at ?? 0, text.length);
  return { option, at: at + 1, length: lengthAt(text, at) };
}

const mostFaults = 20;

// The first fault whose value is in the body; a fault of a lacking value has no place.
function positionInBody(faults: readonly { readonly target?: string }[], body: Uint8Array): ErrorPosition | undefined {
  const placeOf = placesIn(new TextDecoder().decode(body));
  for (const { target = '' } of faults.slice(0, mostFaults)) {
    const path = stepsOf(target);
    const place = path.length > 0 && placeOf(path);
    if (place) return { option: 'body', at: place.at + 1, length: place.length, pointer: place.pointer };
  }
  return undefined;
}

// `Rooms[0]/RoomType` and `Rooms[0].RoomType` as name, index and name; the points of `@odata.type` belong to the name.
function stepsOf(target: string): readonly Step[] {
  return target.split(/[/[\]]+\.?|(?<!@[^/[\]]*)\./).flatMap((step) => (step === '' ? [] : /^\d+$/.test(step) ? Number(step) : step));
}

// An error of a whole path may name the segment that it concerns.
function named(node: Node, target: string): Node {
  const { path } = node as { readonly path?: readonly (Node & { readonly name: string })[] };
  return path?.find(({ name }) => name === target) ?? node;
}

function optionOf(node: Node, { parts = [], options = {} }: PlacedRequest): string | undefined {
  if (node.option !== undefined) return node.option;
  if (parts.some((part) => part === node)) return pathTarget;
  const found = Object.entries(options).find(([, value]) => contains(value, node));
  if (found) return `$${found[0]}`;
  // The conditions of a path are planned as copies, in which aliases have their values.
  return parts.some(({ filter }) => filter) ? filterSegment : undefined;
}

function contains(tree: unknown, node: Node): boolean {
  if (typeof tree !== 'object' || tree === null) return false;
  return tree === node || Object.values(tree).some((inner) => contains(inner, node));
}

/** `/$filter(...)` of a path, whose offsets begin at the condition. */
const filterSegment = '/$filter';

function textOf(option: string, { path, query }: PlacedRequest): string | undefined {
  if (option === pathTarget) return percentDecode(path, pathTarget);
  if (option === filterSegment) return /\/\$filter\((.*)/su.exec(percentDecode(path, pathTarget))?.[1];
  if (!/^[$@]/.test(option)) return undefined;
  const found = optionTexts(query)
    .map(splitOption)
    .find(({ name }) => name === option || `$${name}`.toLowerCase() === option || name.toLowerCase() === option);
  return found && (found.value ?? '');
}

/** A quoted text, a name with the text in quotes after it, a number, or else one character. */
const extent = new RegExp(
  String.raw`'(?:[^']|'')*'?|"(?:\\.|[^"\\])*"?|[${identifierStart}$@][${identifierPart}.]*(?:'(?:[^']|'')*')?|[-+]?\d[\w.:+-]*|\S`,
  'uy',
);

function lengthAt(text: string, at: number): number {
  extent.lastIndex = at;
  return extent.exec(text)?.[0].length ?? 0;
}
