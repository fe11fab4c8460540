/** A step into a JSON value: a member's name, or an index. */
export type Step = string | number;

/** The place of a value in a JSON text: UTF-16 code units from 0, their number, and a JSON pointer (RFC 6901). */
export interface Place {
  readonly at: number;
  readonly length: number;
  readonly pointer: string;
}

/** Finds the place of the value at the end of a path in a well-formed text; undefined where the text lacks it. */
export function placesIn(text: string): (path: readonly Step[]) => Place | undefined {
  const tokens = [...text.matchAll(token)];
  return (path) => {
    let value = 0;
    const found: Step[] = [];
    for (const step of path) {
      const spelling = spellings(step).find((one) => childOf(tokens, value, one) !== undefined);
      if (spelling === undefined) return undefined;
      value = childOf(tokens, value, spelling) ?? 0;
      found.push(spelling);
    }
    const [first, last] = [tokens[value], tokens[endOf(tokens, value)]];
    return first && last && { at: first.index, length: last.index + last[0].length - first.index, pointer: pointerOf(found) };
  };
}

/** A JSON pointer (RFC 6901). */
export function pointerOf(path: readonly Step[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

// References to related records, and changes among them, stand under a name that is longer than that of the property.
function spellings(step: Step): readonly Step[] {
  return typeof step === 'number' ? [step] : ['', '@odata.bind', '@bind', '@odata.delta', '@delta'].map((end) => step + end);
}

type Tokens = readonly RegExpExecArray[];

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

// The index of a child's first token; commas and colons stand between the tokens of children.
function childOf(tokens: Tokens, parent: number, step: Step): number | undefined {
  const isObject = tokens[parent]?.[0] === '{';
  if (isObject !== (typeof step === 'string')) return undefined;
  for (let at = parent + 1, index = 0; at < tokens.length && !closes(tokens[at]); index++) {
    const value = isObject ? at + 2 : at;
    if (step === (isObject ? JSON.parse(tokens[at]?.[0] ?? '""') : index)) return value;
    at = endOf(tokens, value) + 2;
    if (tokens[at - 1]?.[0] !== ',') return undefined;
  }
  return undefined;
}

function endOf(tokens: Tokens, start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (/^[{[]$/.test(tokens[at]?.[0] ?? '')) depth++;
    else if (closes(tokens[at])) depth--;
    if (depth === 0) return at;
  }
  return tokens.length - 1;
}

function closes(one: RegExpExecArray | undefined): boolean {
  return one?.[0] === '}' || one?.[0] === ']';
}
