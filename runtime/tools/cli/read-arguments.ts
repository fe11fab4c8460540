import { parseArgs, type ParseArgsConfig } from 'node:util';

/** An option with a value. */
export const text = { type: 'string' } as const;
/** An option with a value that may be repeated. */
export const texts = { type: 'string', multiple: true, default: [] as string[] } as const;
/** An option without a value. */
export const flag = { type: 'boolean', default: false } as const;

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<Known extends Options, Words extends boolean> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: Words; options: Known }>
>;

/** The options of a command line that has nothing else. */
export function readOptions<const Known extends Options>(args: readonly string[], options: Known): Parsed<Known, false>['values'] {
  return parseArgs({ args: [...args], allowPositionals: false, options }).values;
}

/** The options of a command line, and its other words. */
export function readArguments<const Known extends Options>(args: readonly string[], options: Known): Parsed<Known, true> {
  return parseArgs({ args: [...args], allowPositionals: true, options });
}
