import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { anySeed } from '../support/script-options.js';
import { examineModel, type Examined } from './examine-model.js';
import { examineRandom } from './examine-random.js';
import { printTable } from './print-table.js';
import { randomModel } from './random/random-model.js';

const help = `npm run models -- PATH...: takes every CSDL document through its whole life, and tells how far it comes
npm run models -- --random N [--seed S] [--print]: makes up N models, and asks everything of each

  PATH        a document, or a folder; of a folder every .xml and .json is taken, however deep it lies
  --random N  how many models are made up, one a seed from S on
  --seed S    the first seed, another number in every run unless given; one seed is one model, and the same questions
  --print     prints the models, and asks nothing

Each is generated from (leniently), type-checked, migrated, served and filled with samples; in every entity set
one record is created where the model allows it, one is read by key, one is filtered for, one is expanded.
DATABASE_URL names a server, on which every document has a database of its own; without it embedded ones are used.
A model that is made up is read strictly, as XML and as JSON, and its sets get records of random values; of every
property and every navigation property answers are compared with what was written.

Exit codes: 0 everything held, 1 something did not, 2 bad input
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { random: { type: 'string' }, seed: { type: 'string' }, print: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const fault = values.random === undefined ? faultOfPaths(positionals) : faultOfNumbers(values.random, values.seed);
  if (values.help || fault !== undefined) {
    process.stdout.write(values.help ? help : (fault ?? help));
    return values.help ? 0 : 2;
  }
  const seeds = values.random === undefined ? [] : seedsFrom(Number(values.seed ?? anySeed.unless), Number(values.random));
  if (values.print) {
    seeds.forEach((seed) => process.stdout.write(randomModel(seed)));
    return 0;
  }
  return examineAll([
    ...positionals.flatMap(documentsOf).map((path) => ({ name: path, examine: () => examineModel(path) })),
    ...seeds.map((seed) => ({ name: `seed ${seed}`, examine: () => examineRandom(seed) })),
  ]);
}

async function examineAll(subjects: readonly { readonly name: string; readonly examine: () => Promise<Examined> }[]): Promise<number> {
  const results: Examined[] = [];
  for (const { name, examine } of subjects) {
    process.stderr.write(`${name}\n`);
    results.push(await examine());
  }
  process.stdout.write(printTable(results));
  return results.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

function faultOfPaths(paths: readonly string[]): string | undefined {
  const missing = paths.find((path) => !existsSync(path));
  return paths.length === 0 ? help : missing && `There is no ${missing}.\n`;
}

function faultOfNumbers(...numbers: readonly (string | undefined)[]): string | undefined {
  const wrong = numbers.find((number) => number !== undefined && !/^\d{1,9}$/.test(number));
  return wrong === undefined ? undefined : `--random and --seed must be whole numbers; one is '${wrong}'.\n`;
}

function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

function documentsOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(xml|json)$/.test(name));
  return names.sort().map((name) => join(path, name));
}
