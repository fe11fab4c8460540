import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../config/config.js';
import { generateClient } from '../generate.js';
import { lockIn, planTree, writeTree } from '../output/output-tree.js';
import { exitCodes } from './exit-codes.js';
import { openModel, missingFile } from './open-model.js';
import { clientPolicy, headerOf, openService, type Opened } from './open-service.js';
import { withFaults } from './print-diagnostics.js';

/** The help text of `gable types`. */
export const help = `gable types: writes the types of a service, and its table for gable/client

Usage: gable types SERVICE --out DIR [--check] [--header 'NAME: VALUE']...

  SERVICE                the address of a service or of its $metadata, or a CSDL document in XML or JSON
  --out DIR              the output folder; only generated files in it are replaced
  --header 'N: V'        a header for the request of $metadata, such as another Authorization
  --check                write nothing; exit with 4 if the output is not current

A token is read from GABLE_TOKEN. Any OData 4 service will do. Gaps of its document are accepted and counted.

Exit codes: 0 done, 1 internal error, 2 bad input or edited file, 4 not current (--check)

Examples:
  GABLE_TOKEN=$(gable token --scope listing.read) gable types http://localhost:4004/odata --out src/api
  gable types https://services.example.com/odata/ --out src/api --header "Authorization: Basic $CREDENTIALS"
  gable types metadata.xml --out src/api --check
`;

/** Runs the command and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: declared });
  const [service, ...others] = positionals;
  if (service === undefined || others.length > 0) throw new UsageError('Name one service or document: gable types SERVICE --out DIR');
  if (values.out === undefined) throw new UsageError('Name the output folder: --out DIR');
  const opened = /^https?:/.test(service)
    ? await openService(service, process.env['GABLE_TOKEN'], Object.fromEntries((values.header ?? []).map(headerOf)))
    : openDocument(service);
  const output = { out: values.out, isCheck: values.check };
  return withFaults(() => write(opened, output));
}

const declared = {
  out: { type: 'string' },
  header: { type: 'string', multiple: true },
  check: { type: 'boolean', default: false },
} as const;

interface Output {
  readonly out: string;
  readonly isCheck: boolean;
}

function write({ source, options }: Opened, { out, isCheck }: Output): number {
  const found = generateClient(source, options);
  if (found.diagnostics.length > 0) process.stderr.write(`${found.diagnostics.length} gaps accepted; gable doctor explains them\n`);
  const before = lockIn(out);
  const plan = planTree(out, found.files);
  const [refused] = plan.refused;
  if (refused) throw new UsageError(`${out}/${refused.path} was not generated or has been edited; move it away.`);
  const { added, changed, removed } = plan;
  const count = added.length + changed.length + removed.length;
  if (!isCheck) writeTree(out, found.files, plan, before);
  process.stdout.write(`${out}: ${added.length} added, ${changed.length} changed, ${removed.length} removed\n`);
  return isCheck && count > 0 ? exitCodes.stale : exitCodes.ok;
}

function openDocument(path: string): Opened {
  if (!existsSync(path)) throw new UsageError(missingFile(path));
  return openModel({ model: path, policy: clientPolicy, overlay: undefined });
}
