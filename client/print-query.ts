import { fieldsOf, isExpression, textOf, type Expression } from './expression.js';

type FromFields<T> = (fields: never) => T;

/** A query without the types of its record. */
export interface AnyQuery {
  readonly select?: readonly string[] | undefined;
  readonly expand?: { readonly [name: string]: true | AnyQuery | undefined } | undefined;
  readonly compute?: { readonly [name: string]: FromFields<Expression<unknown>> } | undefined;
  readonly filter?: Expression<boolean> | FromFields<Expression<boolean>> | undefined;
  readonly orderby?: readonly string[] | FromFields<readonly Expression<unknown>[]> | undefined;
  readonly search?: string | undefined;
  readonly top?: number | undefined;
  readonly skip?: number | undefined;
  readonly count?: boolean | undefined;
}

/** The query part of an address: '' or `?` and the options. */
export function printQuery(query: AnyQuery | undefined): string {
  return optionsText(optionsOf(query ?? {}, encode));
}

/** Options as the end of an address. */
export function optionsText(options: readonly string[]): string {
  return options[0] ? `?${options.join('&')}` : '';
}

// Characters that a query may have (RFC 3986, 3.4) stay readable.
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(24|2C|2F|3A|3D)/g, decodeURIComponent);
}

function optionsOf(query: AnyQuery, write: (text: string) => string): readonly string[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const print = printers[name as keyof typeof printers];
    const text = value === undefined ? '' : print ? print(query) : String(value);
    return text ? `$${name}=${write(text)}` : [];
  });
}

/** The text of the options that are not printed as they are. */
const printers = {
  compute: ({ compute = {} }: AnyQuery) =>
    Object.entries(compute)
      .map(([name, value]) => `${textOf(resolve(value))} as ${name}`)
      .join(),
  // A calculated value is in the result only if it is selected.
  select: ({ select = [], compute = {} }: AnyQuery) => [...select, ...Object.keys(compute)].join(),
  expand: ({ expand = {} }: AnyQuery) =>
    Object.entries(expand)
      .flatMap(([name, query]) => (query ? expandItem(name, query) : []))
      .join(),
  filter: ({ filter }: AnyQuery) => filter && textOf(resolve(filter)),
  orderby: ({ orderby = [] }: AnyQuery) => (typeof orderby === 'function' ? resolve(orderby).map(textOf) : orderby).join(),
};

function expandItem(name: string, query: true | AnyQuery): string {
  const options = query === true ? [] : optionsOf(query, String);
  return options[0] ? `${name}(${options.join(';')})` : name;
}

/** An option, or what the callback makes of the fields. */
export function resolve<T>(value: T | FromFields<T>): T {
  return typeof value === 'function' && !isExpression(value) ? (value as FromFields<T>)(fieldsOf('')) : (value as T);
}
