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
  const options = optionsOf(query ?? {}).map(([name, text]) => `${name}=${encode(text)}`);
  return options.length ? `?${options.join('&')}` : '';
}

// Characters that a query may have (RFC 3986, 3.4) stay readable.
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(24|2C|2F|3A|3D)/g, decodeURIComponent);
}

function optionsOf(query: AnyQuery): readonly (readonly [name: string, text: string])[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const print = printers[name as keyof typeof printers];
    const text = value === undefined ? undefined : print ? print(query) : String(value);
    return text === undefined ? [] : [[`$${name}`, text] as const];
  });
}

/** The text of the options that are not printed as they are. */
const printers = {
  compute: ({ compute = {} }: AnyQuery) => list(Object.entries(compute).map(([name, value]) => `${textOf(resolve(value))} as ${name}`)),
  // A calculated value is in the result only if it is selected.
  select: ({ select = [], compute = {} }: AnyQuery) => list([...select, ...Object.keys(compute)]),
  expand: ({ expand = {} }: AnyQuery) => list(Object.entries(expand).flatMap(([name, query]) => (query ? [expandItem(name, query)] : []))),
  filter: ({ filter }: AnyQuery) => filter && textOf(resolve(filter)),
  orderby: ({ orderby = [] }: AnyQuery) => list(typeof orderby === 'function' ? resolve(orderby).map(textOf) : orderby),
};

function list(items: readonly string[]): string | undefined {
  return items.join() || undefined;
}

function expandItem(name: string, query: true | AnyQuery): string {
  const options = query === true ? [] : optionsOf(query).map(([option, text]) => `${option}=${text}`);
  return options.length ? `${name}(${options.join(';')})` : name;
}

function resolve<T>(value: T | FromFields<T>): T {
  return typeof value === 'function' && !isExpression(value) ? (value as FromFields<T>)(fieldsOf('')) : (value as T);
}
