import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { examineModel } from './examine-model.js';
import { printTable } from './print-table.js';

const help = `npm run models -- PATH...: takes every CSDL document through its whole life, and tells how far it comes

  PATH   a document, or a folder; of a folder every .xml and .json is taken, however deep it lies

Each is generated from (leniently), type-checked, migrated, served and filled with samples; in every entity set
one record is created where the model allows it, one is read by key, one is filtered for, one is expanded.
DATABASE_URL names a server, on which every document has a database of its own; without it embedded ones are used.

Exit codes: 0 everything held, 1 something did not, 2 bad input
`;

process.exitCode = await main(process.argv.slice(2));

async function main(paths: readonly string[]): Promise<number> {
  const missing = paths.find((path) => !existsSync(path));
  if (paths.length === 0 || paths.includes('--help') || missing !== undefined) {
    process.stdout.write(missing === undefined || paths.includes('--help') ? help : `There is no ${missing}.\n`);
    return paths.includes('--help') ? 0 : 2;
  }
  const results = [];
  for (const document of paths.flatMap(documentsOf)) {
    process.stderr.write(`${document}\n`);
    results.push(await examineModel(document));
  }
  process.stdout.write(printTable(results));
  return results.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

function documentsOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(xml|json)$/.test(name));
  return names.sort().map((name) => join(path, name));
}
