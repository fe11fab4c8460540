import type { Bind, Statement } from './statement.js';

/** Collects the binds of one statement; a value has no other way into SQL. */
export class StatementBuilder {
  readonly #binds: Bind[] = [];

  /** The parameter that carries the value, cast to a type of the model: `$3::numeric`. */
  bind(value: Bind, sqlType: string): string {
    this.#binds.push(value);
    return `$${this.#binds.length}::${sqlType}`;
  }

  /** The finished statement. */
  statement(text: string): Statement {
    return { text, bind: this.#binds };
  }

  /** The finished statement, one whose plan is the same for all values: by key, or a write. */
  reusableStatement(text: string): Statement {
    return { text, bind: this.#binds, reusable: true };
  }
}

/** An identifier of the model, quoted; the model's names have been checked, the doubling is for safety. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A column of an aliased table. */
export function columnReference(alias: string, column: string): string {
  return `${alias}.${identifier(column)}`;
}
