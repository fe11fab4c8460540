import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { missingFile } from '../../../generator/cli/missing-file.js';
import { chooseModel } from '../../../generator/cli/open-model.js';
import { printDiagnostics } from '../../../generator/cli/print-diagnostics.js';
import { diagnosticsToJson } from '../../../generator/cli/print-outcome.js';
import { ModelError } from '../../../generator/model-error.js';
import { ConfigError } from '../../config/config.js';
import { barsOf } from './progress.js';
import { fillWithSamples, samplesOf, printSamples } from './samples.js';
import { beginTrial, type Trial } from './trial.js';
import { requestsToTry, type TryRequest } from './try-requests.js';
import { untilSignal } from './until-signal.js';

/** The help text of `gable try`. */
export const help = `gable try: serves any model with sample records, and deletes everything afterwards.

Usage: gable try MODEL [--port PORT] [--samples N] [--overlay FILE] [--strict] [--json]

  MODEL           the CSDL document, in XML or JSON; gaps are accepted with a warning each
  --port PORT     port to listen on (default: PORT, or 4004)
  --samples N     number of records per type (default 10)
  --overlay FILE  supplements to the document (default: overlay.jsonc next to the model)
  --strict        reject a document with gaps
  --json          print one JSON line instead of text when it serves: address, requests to try, gaps, samples

It needs no token, and serves this machine only. The project is in a temporary folder, with an embedded PostgreSQL;
with DATABASE_URL, in a temporary database on that server. Ctrl+C deletes both.

Exit codes: 0 normal exit, 1 internal error, 2 fault in the model or bad input, 130 interrupted before it served

Examples:
  gable try towns.xml
  gable try towns.json --port 8080 --samples 100
  gable try towns.xml --port 0 --json > service.json &
`;

/** Serves until SIGINT or SIGTERM. */
export async function run(args: readonly string[]): Promise<number> {
  const {
    values,
    positionals: [model, second],
  } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: 'string' },
      samples: { type: 'string' },
      overlay: { type: 'string' },
      strict: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (model === undefined || second !== undefined) throw new ConfigError('Name one model: gable try MODEL.');
  if (!existsSync(model)) throw new ConfigError(missingFile(model));
  const samples = samplesOf(values.samples);
  const { overlay, policy } = await chooseModel({ model, overlay: values.overlay, lenient: !values.strict, strict: values.strict });
  const trial = beginTrial({ ...process.env, ...(values.port !== undefined && { PORT: values.port }) });
  const signalled = untilSignal().then(() => 'signalled' as const);
  try {
    const begun = await Promise.race([begin(trial, { model, overlay, policy, samples, json: values.json }), signalled]);
    if (begun === 'signalled') return await leave(trial);
    await signalled;
    return 0;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (values.json) process.stdout.write(`${JSON.stringify({ url: null, exitCode: 2, refused: diagnosticsToJson(error) })}\n`);
    else process.stderr.write(printDiagnostics(error, process.stderr));
    return 2;
  } finally {
    await trial.end();
  }
}

// Started work continues in the background, and would find its folder removed.
async function leave(trial: Trial): Promise<never> {
  await trial.end();
  process.exit(130);
}

type Chosen = Pick<Awaited<ReturnType<typeof chooseModel>>, 'model' | 'overlay' | 'policy'> & {
  readonly samples: number;
  readonly json: boolean;
};

async function begin(trial: Trial, { model, overlay, policy, samples, json }: Chosen): Promise<void> {
  const generated = trial.make(model, overlay, policy, barsOf(process.stderr).show);
  const gaps = generated.diagnostics.length;
  if (gaps > 0 && !json)
    process.stderr.write(
      `${gaps === 1 ? 'One gap' : `${gaps} gaps`} of ${model} ${gaps === 1 ? 'was' : 'were'} filled; gable doctor ${model} lists ${gaps === 1 ? 'it' : 'them'}.\n`,
    );
  const served = await trial.load();
  const database = await trial.open(served);
  const filled = await fillWithSamples(database.sequelize, served.container, samples, json ? () => undefined : printSamples);
  const { url } = await trial.serve(served, database);
  const requests = requestsToTry(served.container, `${url}/odata`);
  process.stdout.write(
    json
      ? `${JSON.stringify({ url: `${url}/odata`, requests, gaps: diagnosticsToJson(generated), samples: filled })}\n`
      : introduce(`${url}/odata`, requests),
  );
}

function introduce(url: string, requests: readonly TryRequest[]): string {
  return `\nGable serves ${url}\n\nTry, without a token:\n\n${requests.map((request) => `  curl '${request.url}'\n`).join('')}\nCtrl+C stops it and deletes everything.\n`;
}
