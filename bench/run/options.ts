import { parseArgs } from 'node:util';
import { usageMistake } from '../../runtime/tools/cli/usage.js';
import { usualListings } from '../prepare/prepare.js';
import { pagesName } from './late-page.js';
import { memoryName } from './memory.js';
import { workloads, type ServerName } from '../workloads/workloads.js';

/** Text of `npm run bench -- --help`. */
export const help = `npm run bench: measures Gable against a server without OData, on the same data.

Usage: npm run bench -- [options]

  --listings N      listings in the database, 100000 unless given; made once and kept
  --fresh           makes the database again
  --rounds N        rounds, 3 unless given; their medians are shown
  --seconds N       seconds of each round, 5 unless given
  --only W1,memory  these workloads only; memory is what pages, bodies, batches and a slow reader take, and pages what
                    page 900 of a walk costs in comparison with page 2
  --clients 1,16    these numbers of clients instead of each workload's own
  --servers F1,F2   the floors to measure beside Gable, F2 unless given
  --unpinned        leaves all processes on the processors that the system gives them
  --quick           a minute: W1, W2, W3 and W7 at 16 clients over 20000 listings, compared with the kept ratios
  --keep            with --quick, keeps its ratios as those to compare with
  --growth          each workload over 10000, 100000 and 1000000 listings, up to --listings: how its processor time grows
  --changes         what the change log costs: W7 with and without it, and a page of a delta link beside a read by keys
  --profile W2      no comparison, but where Gable's time goes: the 25 functions that take most themselves
`;

/** The measurements to make, and their duration. */
export interface BenchOptions {
  readonly help: boolean;
  readonly listings: number;
  readonly fresh: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly only: readonly string[];
  readonly clients: readonly number[] | undefined;
  readonly servers: readonly ServerName[];
  readonly profile: string | undefined;
  /** Measure how costs grow with the number of listings. */
  readonly growth: boolean;
  /** Measure the cost of the change log. */
  readonly changes: boolean;
  /** Seconds of requests before a workload is measured. */
  readonly warmUp: number;
  /** Compare with the kept ratios, or keep these. */
  readonly quick: 'compare' | 'keep' | undefined;
  /** Leave processes where the system puts them. */
  readonly unpinned: boolean;
}

const flags = {
  help: { type: 'boolean' },
  listings: { type: 'string' },
  fresh: { type: 'boolean' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  only: { type: 'string' },
  clients: { type: 'string' },
  servers: { type: 'string' },
  profile: { type: 'string' },
  growth: { type: 'boolean' },
  changes: { type: 'boolean' },
  quick: { type: 'boolean' },
  keep: { type: 'boolean' },
  unpinned: { type: 'boolean' },
} as const;

// The values of options that are not given.
const defaults = { listings: String(usualListings), rounds: '3', seconds: '5', only: undefined, clients: undefined, warmUp: 8 };
const growthDefaults = {
  ...defaults,
  listings: '1000000',
  rounds: '3',
  seconds: '3',
  only: workloads.map(({ id }) => id).join(),
  warmUp: 4,
};
const changesDefaults = { ...defaults, listings: '20000', rounds: '4', seconds: '2', clients: '1,8,16' };
const quickDefaults = { listings: '20000', rounds: '3', seconds: '1', only: 'W1,W2,W3,W7', clients: '16', warmUp: 3 };

/** Reads the command line; invalid values are rejected. */
export function readOptions(args: readonly string[]): BenchOptions {
  const given = parsed(args);
  const usual = given.quick ? quickDefaults : given.growth ? growthDefaults : given.changes ? changesDefaults : defaults;
  const values = { ...usual, ...given };
  if (given.keep && !given.quick) throw new Error('--keep needs --quick.');
  const known = workloads.map(({ id }) => id);
  const parts = [...known, pagesName, memoryName];
  return {
    help: values.help ?? false,
    listings: positive('listings', values.listings),
    fresh: values.fresh ?? false,
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    only: values.only === undefined ? parts : chosen('only', values.only, parts),
    clients: values.clients?.split(',').map((text) => positive('clients', text)),
    servers: [...chosen('servers', values.servers ?? 'F2', ['F1', 'F2'] as const), 'Gable'],
    warmUp: values.warmUp,
    quick: given.quick ? (given.keep ? 'keep' : 'compare') : undefined,
    unpinned: values.unpinned ?? false,
    growth: values.growth ?? false,
    changes: values.changes ?? false,
    profile: values.profile === undefined ? undefined : chosen('profile', values.profile, known)[0],
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags }).values;
  } catch (failure) {
    throw new Error(usageMistake(failure, help) ?? String(failure), { cause: failure });
  }
}

function positive(name: string, text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`--${name} must be a whole number greater than 0; it is '${text}'.`);
  return Number(text);
}

function chosen<Choice extends string>(name: string, text: string, choices: readonly Choice[]): readonly Choice[] {
  return text.split(',').map((part) => {
    const choice = choices.find((candidate) => candidate === part.trim());
    if (choice === undefined) throw new Error(`--${name} knows ${choices.join(', ')}; it is '${part}'.`);
    return choice;
  });
}
