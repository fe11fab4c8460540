import type { LiteralParameters } from '../expression/cursor.js';
import { readLiteral } from '../expression/lexer.js';
import { PlanParameter } from '../expression/plan-parameter.js';
import type { RawOption } from './query-options.js';
import { remembered } from './remembered.js';
import { optionTexts, rawOption, splitOption } from './decode-url.js';
import { identifierPart, identifierStart } from '../edm/identifier.js';

/** A request without its literals: requests of one shape have one plan, unless a plan looked at a literal. */
export interface RequestShape {
  readonly text: string;
  /** The literals as written, percent-decoded, in the order of the request. */
  readonly literals: readonly string[];
  /** The path, followed by one part for each option. */
  readonly parts: readonly ShapePart[];
  /** The options as links repeat them. */
  readonly raw: readonly RawOption[];
  /** The value of `$skiptoken`, which differs on every page. */
  readonly skiptoken: string | undefined;
}

/** A part of a request; offsets are those of the parsers. */
interface ShapePart {
  readonly text: string;
  readonly literals: readonly string[];
  readonly places: readonly Place[];
}

interface Place {
  readonly at: number;
  readonly end: number;
}

/** The longest request for which a plan is kept. */
const longest = 4096;

// The mark for a literal, and the end of a part; a request that contains either has no shape.
const placeholder = '\u0001';
const separator = '\u0000';
const control = /[\u0000-\u001f]/;

// A name is skipped as a whole, so that its digits are no literal. The parser sorts out the rest.
const candidates = new RegExp(String.raw`[${identifierStart}$@][${identifierPart}.]*|('(?:[^']|'')*'|[-+]?\d[\w.:+-]*)`, 'gu');

/** The shape of a request for reading; undefined where its literals are not evident, as with percent-encoded paths and aliases. */
export function shapeOf(path: string, query: string): RequestShape | undefined {
  if (path.length + query.length > longest || path.includes('%') || path.includes('$query') || /@|%40/.test(query)) return undefined;
  if (control.test(path)) return undefined;
  const first = partOf('', path);
  const parts = [first];
  const literals = [...first.literals];
  let shape = first.text;
  const raw: RawOption[] = [];
  let skiptoken: string | undefined;
  for (const text of optionTexts(query)) {
    // A token does not recur, so it is not cached.
    const option = text.startsWith(tokenStart) ? shapeOption(text) : shapedOption(text);
    if (option === 'shapeless') return undefined;
    raw.push(option.raw);
    parts.push(option.part);
    literals.push(...option.part.literals);
    shape += separator + option.part.text;
    if (option.isToken) skiptoken = option.raw.value;
  }
  return { text: shape, literals, parts, raw, skiptoken };
}

const tokenStart = '$skiptoken=';

/** Most options recur; between requests usually one of them differs. */
const shapedOption = remembered(shapeOption);

function shapeOption(text: string): { readonly part: ShapePart; readonly raw: RawOption; readonly isToken: boolean } | 'shapeless' {
  const split = splitOption(text);
  const { name, value } = split;
  if (control.test(name) || (value !== undefined && control.test(value))) return 'shapeless';
  const isToken = name === '$skiptoken' && value !== undefined;
  const start = value === undefined ? name : `${name}=`;
  return { part: partOf(start, isToken ? '' : (value ?? '')), raw: rawOption(split), isToken };
}

function partOf(start: string, value: string): ShapePart {
  const part = { text: start, literals: [] as string[], places: [] as Place[] };
  let copied = 0;
  // `matchAll` would compile a copy of the expression each time.
  candidates.lastIndex = 0;
  for (let found = candidates.exec(value); found !== null; found = candidates.exec(value)) {
    const literal = found[1];
    if (literal === undefined) continue;
    part.text += value.slice(copied, found.index) + placeholder;
    copied = found.index + literal.length;
    part.literals.push(literal);
    part.places.push({ at: found.index, end: copied });
  }
  part.text += value.slice(copied);
  return part;
}

/** Converts the text of a literal to the canonical text of a parameter; undefined when it is no literal of that kind. */
type ReadText = (text: string) => string | undefined;

/** Assigns parameters to the literals of a request while it is parsed, and matches other requests with the plan. */
export class ParameterRecording {
  readonly #shape: RequestShape;
  readonly #parameters = new Map<number, { readonly parameter: PlanParameter; readonly read: ReadText }>();
  readonly #indexes = new Map<string, number>();

  constructor(shape: RequestShape) {
    this.#shape = shape;
    for (const [part, { places }] of shape.parts.entries())
      for (const { at, end } of places) this.#indexes.set(`${part}:${at}:${end}`, this.#indexes.size);
  }

  /** The parameters of a part of the request, for its parser. */
  literalsOf(part: number): LiteralParameters {
    return { take: ({ at, end, type, value }) => this.#take(part, at, end, value, (text) => literalText(text, type)) };
  }

  /** The parameter for a key in the path; `text` is without quotes. */
  keyAt(at: number, end: number, text: string): PlanParameter | undefined {
    return this.#take(0, at, end, text, keyReader(this.#shape.literals[this.#indexes.get(`0:${at}:${end}`) ?? -1] ?? ''));
  }

  #take(part: number, at: number, end: number, text: string, read: ReadText): PlanParameter | undefined {
    const index = this.#indexes.get(`${part}:${at}:${end}`);
    // A literal that depends on its context, such as a number that ends at a colon, gets no parameter.
    if (index === undefined || read(this.#shape.literals[index] ?? '') !== text) return undefined;
    const parameter = new PlanParameter(index, text);
    this.#parameters.set(index, { parameter, read });
    return parameter;
  }

  /** Ends observing: the plan is kept. */
  seal(): void {
    for (const { parameter } of this.#parameters.values()) parameter.seal();
  }

  /** The canonical texts of another request's literals, by parameter; undefined when the plan does not fit it. */
  match(literals: readonly string[]): readonly string[] | undefined {
    const texts: string[] = [];
    for (const [index, literal] of literals.entries()) {
      const known = this.#parameters.get(index);
      const text = known === undefined ? literal : known.read(literal);
      const fits = known === undefined ? literal === this.#shape.literals[index] : text !== undefined && known.parameter.admits(text);
      if (!fits) return undefined;
      texts.push(text ?? '');
    }
    return texts;
  }
}

function literalText(text: string, type: string): string | undefined {
  const found = readLiteral(text);
  return found?.type === type ? found.value : undefined;
}

// A quoted key is without its quotes, any other key as written.
function keyReader(sample: string): ReadText {
  if (sample.startsWith(`'`)) return (text) => (text.startsWith(`'`) ? text.slice(1, -1).replaceAll(`''`, `'`) : undefined);
  const type = readLiteral(sample)?.type;
  return (text) => (type !== undefined && readLiteral(text)?.type === type ? text : undefined);
}
