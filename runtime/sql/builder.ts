import { quote } from '../schema/identifier.js';
import type { EntityType } from '../edm/entity-type.js';
import { asIs, parameterOf } from '../expression/plan-parameter.js';
import type { Bind, Parameter, Statement } from './statement.js';

/** Collects the binds of one statement; its text has no values (`database/recurring-values.ts` may quote them into a copy). */
export class StatementBuilder {
  readonly #binds: Bind[];
  readonly #parameters: Parameter[] = [];

  /** `before` are the binds of a text to which this one is added. */
  constructor(before: readonly Bind[] = []) {
    this.#binds = [...before];
  }

  /** Binds a value and returns its parameter, cast to a type: `$3::numeric`. */
  bind(value: Bind, sqlType: string): string {
    this.#binds.push(value);
    return `$${this.#binds.length}::${sqlType}`;
  }

  /** Binds the value of a literal or key, converted for the database; a plan parameter can be bound again. */
  bindValueOf(node: { readonly value: string | null }, sqlType: string, form: (text: string) => Bind = asIs): string {
    const from = parameterOf(node);
    if (from === undefined) return this.bind(node.value === null ? null : form(node.value), sqlType);
    const bound = (text: string): Bind => form(from.form(text));
    this.#parameters.push({ at: this.#binds.length, parameter: from.parameter.index, bound });
    return this.bind(from.parameter.bound(bound), sqlType);
  }

  statement(text: string): Statement {
    return { text, bind: this.#binds, parameters: this.#parameters };
  }

  /** The finished statement, whose plan is the same for all values: by key, or a write. */
  reusableStatement(text: string): Statement {
    return { text, bind: this.#binds, parameters: this.#parameters, reusable: true };
  }

  /** The finished statement, reusable, which neither changes nor locks anything. */
  locklessStatement(text: string): Statement {
    return { lockless: true, ...this.reusableStatement(text) };
  }

  /** The finished statement, on the tables themselves without row filters: a write, or a lock. */
  unfilteredStatement(text: string): Statement {
    return { unfiltered: true, ...this.reusableStatement(text) };
  }

  get binds(): readonly Bind[] {
    return this.#binds;
  }
}

/** The statement with other literals of the same shape; `texts` are canonical, by parameter. */
export function withLiterals(statement: Statement, texts: readonly string[]): Statement {
  const { text, bind: first, parameters = [], reusable, unfiltered, lockless, unhurried } = statement;
  const bind = [...first];
  for (const { at, parameter, bound } of parameters) bind[at] = bound(texts[parameter] ?? '');
  // Member by member, for every request: adding a member to a copy takes V8 a microsecond.
  return { text, bind, parameters, reusable, repeated: true, unfiltered, lockless, unhurried };
}

const withWord = 'with ';

/** Adds common table expressions to a statement, before its existing ones. */
export function withTables(tables: readonly string[], text: string): string {
  const rest = text.startsWith(withWord) ? `, ${text.slice(withWord.length)}` : ` ${text}`;
  return `${withWord}${tables.join(', ')}${rest}`;
}

/** A column of an aliased table. */
export function columnReference(alias: string, column: string): string {
  return `${alias}.${quote(column)}`;
}

/** The most shapes kept for each type or selection; clients choose the properties that they send. */
export const mostShapes = 200;

/** The kept statements of each type or selection, by shape. */
export type KeptStatements<Of extends object = EntityType> = WeakMap<Of, Map<string, Statement>>;

/** The shape and the binds of a statement. */
interface Kept<Of> {
  readonly of: Of;
  /** Equal where the text is: the names of the bound values. */
  readonly shape: string;
  /** The varying values, which the statement binds first and in this order. */
  readonly binds: readonly Bind[];
}

/** The kept statement of the shape with other values, compiled if necessary; its prepared name is found without parsing the text. */
export function keptStatement<Of extends object>(
  kept: KeptStatements<Of>,
  { of, shape, binds }: Kept<Of>,
  compile: () => Statement,
): Statement {
  const shapes = kept.get(of) ?? new Map<string, Statement>();
  kept.set(of, shapes);
  const known = shapes.get(shape);
  if (known !== undefined) return { ...known, bind: [...binds, ...known.bind.slice(binds.length)] };
  const compiled = compile();
  if (shapes.size >= mostShapes) shapes.clear();
  shapes.set(shape, compiled);
  return compiled;
}
