import { parseArgs } from 'node:util';
import { UsageError } from '../generator/config/config.js';
import { headerOf } from '../generator/cli/open-service.js';
import type { SetQuery } from './set-query.js';
import { ways } from './ways.js';

const declared = {
  to: { type: 'string' },
  sets: { type: 'string' },
  select: { type: 'string', multiple: true },
  filter: { type: 'string', multiple: true },
  expand: { type: 'string', multiple: true },
  once: { type: 'boolean', default: false },
  follow: { type: 'boolean', default: false },
  way: { type: 'string' },
  interval: { type: 'string' },
  page: { type: 'string', default: '1000' },
  timestamp: { type: 'string', default: 'ModificationTimestamp' },
  overlap: { type: 'string', default: '600' },
  compare: { type: 'string' },
  'token-url': { type: 'string' },
  'client-id': { type: 'string' },
  scope: { type: 'string' },
  header: { type: 'string', multiple: true },
  origin: { type: 'string', multiple: true },
} as const;

/** The command line. */
export interface Options {
  readonly root: string;
  readonly to: string;
  readonly sets: readonly string[] | undefined;
  /** The query of a set; a query without a name is that of the only set. */
  readonly queryOf: (set: string, sets: readonly string[]) => SetQuery;
  readonly isFollowing: boolean;
  readonly way: string | undefined;
  readonly interval: number | undefined;
  readonly pageSize: number;
  readonly timestamp: string;
  readonly overlap: number;
  readonly compareEvery: number;
  readonly grant: { readonly tokenUrl: string; readonly clientId: string; readonly scope: string | undefined } | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly origins: readonly string[];
}

/** Reads the command line. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: declared });
  const [root, ...others] = positionals;
  if (root === undefined || others.length > 0) throw new UsageError('Name the address of one service: gable replicate URL --to TARGET');
  if (!/^https?:\/\//.test(root)) throw new UsageError(`The address of a service begins with https:// or http://, and not '${root}'.`);
  // A mistyped scheme is no folder.
  if (values.to === undefined || (/^[a-z][a-z\d+.-]*:\/\//i.test(values.to) && !/^postgres(ql)?:\/\//.test(values.to)))
    throw new UsageError(
      `Name the target: --to postgres://USER@HOST/DATABASE or --to FOLDER${values.to === undefined ? '' : `, and not '${values.to}'`}`,
    );
  if (values.once && values.follow) throw new UsageError('--once and --follow exclude each other.');
  if (values.way !== undefined && !ways.some(({ name }) => name === values.way))
    throw new UsageError(`--way is one of ${ways.map(({ name }) => name).join(', ')}, and not '${values.way}'.`);
  return {
    root: root.replace(/\/*$/, '/'),
    to: values.to,
    sets: values.sets === undefined ? undefined : namesIn('sets', values.sets),
    queryOf: (set, sets) => queryOf(values, set, sets),
    isFollowing: values.follow,
    way: values.way,
    interval: values.interval === undefined ? undefined : seconds('interval', values.interval),
    pageSize: pageSizeOf(values.page),
    timestamp: values.timestamp,
    overlap: seconds('overlap', values.overlap),
    compareEvery: seconds('compare', values.compare ?? (values.follow ? '3600' : '0')),
    grant: grantOf(values['token-url'], values['client-id'], values.scope),
    headers: Object.fromEntries((values.header ?? []).map(headerOf)),
    origins: (values.origin ?? []).map(originOf),
  };
}

interface Queries {
  readonly select?: readonly string[];
  readonly filter?: readonly string[];
  readonly expand?: readonly string[];
}

function queryOf(given: Queries, set: string, sets: readonly string[]): SetQuery {
  const text = (option: keyof Queries): string | undefined => {
    const own = (given[option] ?? []).flatMap((value) => {
      const [, name, rest] = /^(\w+):\s*(.*)$/s.exec(value) ?? [];
      if (name === undefined && sets.length > 1)
        throw new UsageError(`--${option} '${value}' names no set: write --${option} '${set}: ${value}', or name one set with --sets.`);
      if (name !== undefined && !sets.includes(name)) throw new UsageError(`--${option} names the set ${name}, which is not copied.`);
      return name === undefined ? [value] : name === set ? [rest ?? ''] : [];
    });
    if (own.length > 1) throw new UsageError(`--${option} is given ${own.length} times for ${set}.`);
    return own[0];
  };
  const [select, filter, expand] = [text('select'), text('filter'), text('expand')];
  return {
    ...(select !== undefined && { select: namesIn('select', select) }),
    ...(filter !== undefined && { filter }),
    ...(expand !== undefined && { expand }),
  };
}

function namesIn(option: string, text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.includes('')) return names;
  throw new UsageError(`--${option} is a list of names such as A,B, and not '${text}'; omit it for all.`);
}

function grantOf(tokenUrl: string | undefined, clientId: string | undefined, scope: string | undefined): Options['grant'] {
  if (tokenUrl === undefined && clientId === undefined) return undefined;
  if (tokenUrl !== undefined && clientId !== undefined) return { tokenUrl, clientId, scope };
  throw new UsageError('--token-url and --client-id go together; the secret is in GABLE_CLIENT_SECRET.');
}

function seconds(option: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  throw new UsageError(`--${option} is a number of seconds, and not '${text}'.`);
}

function originOf(text: string): string {
  if (URL.canParse(text)) return new URL(text).origin;
  throw new UsageError(`--origin is an address such as https://other.example.com, and not '${text}'.`);
}

function pageSizeOf(text: string): number {
  const size = Number(text);
  if (Number.isInteger(size) && size >= 1 && size <= 10_000) return size;
  throw new UsageError(`--page is a number from 1 to 10000, and not '${text}'.`);
}
