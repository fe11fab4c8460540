import { parseArgs } from 'node:util';
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
  unpinned: { type: 'boolean' },
} as const;

/** Reads the command line; invalid values are rejected. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({ args: [...args], options: flags });
  const known = workloads.map(({ id }) => id);
  const parts = [...known, pagesName, memoryName];
  return {
    help: values.help ?? false,
    listings: positive('listings', values.listings ?? String(usualListings)),
    fresh: values.fresh ?? false,
    rounds: positive('rounds', values.rounds ?? '3'),
    seconds: positive('seconds', values.seconds ?? '5'),
    only: values.only === undefined ? parts : chosen('only', values.only, parts),
    clients: values.clients?.split(',').map((text) => positive('clients', text)),
    servers: [...chosen('servers', values.servers ?? 'F2', ['F1', 'F2'] as const), 'Gable'],
    unpinned: values.unpinned ?? false,
    profile: values.profile === undefined ? undefined : chosen('profile', values.profile, known)[0],
  };
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
