import { suggestion } from '../../runtime/errors/suggest.js';
import type { JsonMember, JsonValue } from '../csdl/json-tree.js';
import type { Positioned } from '../csdl/make-annotation.js';
import { faults, type Report } from '../faults.js';

/** An object of the overlay with known members; anything else is reported. */
export class OverlayObject {
  readonly #members: ReadonlyMap<string, JsonMember>;

  constructor(
    value: JsonValue,
    readonly what: string,
    known: readonly string[] | undefined,
    private readonly report: Report,
  ) {
    const members = value.kind === 'object' ? value.members : [];
    if (value.kind !== 'object') report(faults.overlayValue(value.at, what, 'an object'));
    this.#members = new Map(members.map((member) => [member.name, member]));
    for (const { at, name } of members) {
      if (known !== undefined && !known.includes(name)) report(faults.overlayMember(at, what, name, suggestion(name, known)));
    }
  }

  /** The members of an object whose names are names of the model. */
  get entries(): readonly JsonMember[] {
    return [...this.#members.values()];
  }

  at(name: string): number {
    return this.#members.get(name)?.at ?? 0;
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  text(name: string): Positioned<string> | undefined {
    return this.#read(name, 'a text', (value) => (value.kind === 'string' ? value.value : undefined));
  }

  isObject(name: string): boolean {
    return this.#members.get(name)?.value.kind === 'object';
  }

  /** One of the choices; `wanted` names them, and any other form of the value. */
  choice(
    name: string,
    choices: readonly string[],
    wanted = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
  ): Positioned<string> | undefined {
    const hint = (value: JsonValue): string => (value.kind === 'string' ? suggestion(value.value, choices) : '');
    return this.#read(name, wanted, (value) => (value.kind === 'string' ? choices.find((each) => each === value.value) : undefined), hint);
  }

  flag(name: string): Positioned<boolean> | undefined {
    return this.#read(name, 'true or false', (value) => (value.kind === 'boolean' ? value.value : undefined));
  }

  number(name: string): Positioned<number> | undefined {
    return this.#read(name, 'a whole number', (value) =>
      value.kind === 'number' && /^\d{1,9}$/.test(value.value) ? Number(value.value) : undefined,
    );
  }

  /** A list of texts, or a single text. */
  texts(name: string): Positioned<readonly Positioned<string>[]> | undefined {
    return this.#read(name, 'a string or a list of strings', (value) => textsOf(value));
  }

  items(name: string): readonly JsonValue[] {
    return this.#read(name, 'a list', (value) => (value.kind === 'array' ? value.items : undefined))?.value ?? [];
  }

  object(name: string, known?: readonly string[]): OverlayObject | undefined {
    const member = this.#members.get(name);
    return member && new OverlayObject(member.value, `${this.what}/${name}`, known, this.report);
  }

  /** Pairs of names, such as the properties that join two types. */
  pairs(name: string): Positioned<readonly (readonly [Positioned<string>, Positioned<string>])[]> | undefined {
    return this.#read(name, 'an object of names, such as { "OwnerKey": "Key" }', (value) => {
      if (value.kind !== 'object' || value.members.length === 0) return undefined;
      const pairs = value.members.map((member) => [{ at: member.at, value: member.name }, textOf(member.value)] as const);
      return pairs.every((pair): pair is readonly [Positioned<string>, Positioned<string>] => pair[1] !== undefined) ? pairs : undefined;
    });
  }

  #read<Value>(
    name: string,
    wanted: string,
    read: (value: JsonValue) => Value | undefined,
    hint: (value: JsonValue) => string = () => '',
  ): Positioned<Value> | undefined {
    const member = this.#members.get(name);
    if (member === undefined) return undefined;
    const value = read(member.value);
    if (value === undefined) this.report(faults.overlayValue(member.value.at, `${this.what}/${name}`, wanted, hint(member.value)));
    return value === undefined ? undefined : { at: member.at, value };
  }
}

/** A list of texts, or one text as a list; otherwise undefined. */
export function textsOf(value: JsonValue): readonly Positioned<string>[] | undefined {
  const items = value.kind === 'array' ? value.items.map(textOf) : [textOf(value)];
  return items.every((item): item is Positioned<string> => item !== undefined) ? items : undefined;
}

function textOf(value: JsonValue): Positioned<string> | undefined {
  return value.kind === 'string' ? { at: value.at, value: value.value } : undefined;
}
