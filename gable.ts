#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { suggestion } from './runtime/errors/suggest.js';
import { usageMistake } from './runtime/tools/cli/usage.js';

/** The exports of a verb's module. */
interface Verb {
  /** Runs the verb and gives the exit code; `describe` gives all verbs with their help. */
  readonly run: (args: readonly string[], describe: typeof describeAll) => Promise<number>;
  readonly help: string;
}

interface VerbEntry {
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}

/** The verbs, each loaded only when it is called: serving never loads what generating needs. */
const verbs: { readonly [name: string]: VerbEntry } = {
  try: { summary: 'serve any model temporarily, with sample records', load: () => loadVerb('./runtime/tools/cli/try.js') },
  init: { summary: 'create a project from a model', load: () => loadVerb('./generator/cli/init.js') },
  generate: { summary: "generate the server's code from the model", load: () => loadVerb('./generator/cli/generate.js') },
  diff: { summary: 'list the changes between two models and what they break', load: () => loadVerb('./generator/cli/diff.js') },
  types: { summary: 'write the types and the client table of any service', load: () => loadVerb('./generator/cli/types.js') },
  doctor: { summary: 'list the gaps of a model, and write its overlay', load: () => loadVerb('./generator/cli/doctor.js') },
  explain: { summary: 'explain an error code, with an example and the fix', load: () => loadVerb('./generator/cli/explain.js') },
  dev: { summary: 'serve a project and follow every change of its model', load: () => loadVerb('./runtime/tools/cli/dev.js') },
  openapi: { summary: 'print the OpenAPI document of the model', load: () => loadVerb('./runtime/tools/cli/openapi.js') },
  docs: { summary: 'write the documentation as static pages', load: () => loadVerb('./generator/cli/docs.js') },
  start: { summary: 'prepare the database with sample data, and serve', load: () => loadVerb('./runtime/tools/cli/start.js') },
  serve: { summary: 'serve on a current database', load: () => loadVerb('./serve/serve.js') },
  migrate: { summary: 'apply migrations to the database', load: () => loadVerb('./runtime/tools/cli/migrate.js') },
  database: { summary: "prepare the database's role for a pooler", load: () => loadVerb('./runtime/tools/cli/database.js') },
  seed: { summary: 'write sample data', load: () => loadVerb('./runtime/tools/cli/seed.js') },
  config: { summary: 'print every setting and its source', load: () => loadVerb('./runtime/tools/cli/config.js') },
  client: { summary: 'add, list and revoke clients of the token endpoint', load: () => loadVerb('./runtime/tools/cli/client.js') },
  hook: { summary: 'manage webhooks, which deliver changes to consumers', load: () => loadVerb('./runtime/tools/cli/hook.js') },
  replicate: { summary: 'copy a service into a database or files', load: () => loadVerb('./replicate/cli.js') },
  mcp: { summary: 'offer a service to agents', load: () => loadVerb('./runtime/tools/cli/mcp.js') },
  completion: { summary: 'complete commands in bash, zsh or fish', load: () => loadVerb('./runtime/tools/cli/completion.js') },
  token: { summary: 'issue a bearer token for development', load: () => loadVerb('./runtime/tools/cli/token.js') },
};

/** Errors of a disk, each with its remedy. */
const diskFailures: { readonly [code: string]: string } = {
  EACCES: 'permission is denied. Let this user read and write there',
  EPERM: 'permission is denied. Let this user read and write there',
  EROFS: 'the file system is read-only. Mount it for writing, or work in another folder',
  ENOSPC: 'the disk is full. Make room',
  EDQUOT: 'the disk quota is used up. Make room',
  ENOTDIR: 'a part of its path is a file. Move it away',
  EISDIR: 'it is a folder. Move it away',
  EEXIST: 'an entry with this name exists. Move it away',
};

const diskCalls: ReadonlySet<unknown> = new Set([
  'open',
  'write',
  'mkdir',
  'rename',
  'unlink',
  'rmdir',
  'rm',
  'scandir',
  'fsync',
  'copyfile',
  'lstat',
  'stat',
]);

// Keeps compiled code in the folder for temporary files. Node 20, whose types are used here, cannot.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

process.exitCode = await main(process.argv.slice(2)).catch(fail);

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') return print(`gable ${version()}`);
  if (name === undefined || name === '--help' || name === '-h') return print(overview());
  if (name === 'help') return args[0] === undefined ? print(overview()) : main([args[0], '--help']);
  const entry = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (entry === undefined) {
    process.stderr.write(`gable: unknown command '${name}'.${suggestion(name, Object.keys(verbs))}\nRun 'gable --help' for the list.\n`);
    return 2;
  }
  const verb = await entry.load();
  if (args.includes('--help') || args.includes('-h')) return print(verb.help);
  return verb.run(withNumbers(args), describeAll).catch((failure: unknown) => {
    const mistake = usageMistake(failure, verb.help);
    if (mistake === undefined) throw failure;
    process.stderr.write(`gable ${name}: ${mistake}\nRun 'gable ${name} --help' for its options.\n`);
    return 2;
  });
}

function describeAll(): Promise<readonly { readonly name: string; readonly summary: string; readonly help: string }[]> {
  return Promise.all(Object.entries(verbs).map(async ([name, { summary, load }]) => ({ name, summary, help: (await load()).help })));
}

// Node takes a negative number for an option; the verb checks the number.
function withNumbers(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    if (/^-\d/.test(arg) && isOption(args[index - 1])) return [];
    const next = args[index + 1];
    return [isOption(arg) && next !== undefined && /^-\d/.test(next) ? `${arg}=${next}` : arg];
  });
}

function isOption(arg: string | undefined): boolean {
  return arg !== undefined && /^--[a-z][a-z-]*$/.test(arg);
}

// A fault that the user can fix is reported in a sentence; any other is a defect of Gable, whose stack helps to find it.
function fail(failure: unknown): never {
  const { message = '', stack, exitCode } = failure as Partial<Error> & { readonly exitCode?: unknown };
  const disk = diskFailure(failure);
  const known = typeof exitCode === 'number' ? message : disk;
  process.stderr.write(`gable: ${known ?? stack ?? String(failure)}\n`);
  // Open connections would keep the process alive.
  process.exit(disk !== undefined ? 2 : typeof exitCode === 'number' ? exitCode : 1);
}

// Errors of the disk. A run without its journal has written nothing; the next run completes any other.
function diskFailure(failure: unknown): string | undefined {
  const { code, syscall, path } = failure as Partial<NodeJS.ErrnoException>;
  const why = code !== undefined && Object.hasOwn(diskFailures, code) ? diskFailures[code] : undefined;
  if (why === undefined || !diskCalls.has(syscall)) return undefined;
  return `${path ?? 'Writing a file'}: ${why}, and run again. (${code}, ${syscall})`;
}

// A path that the compiler does not follow, so that the generator builds without the runtime and what it generates.
function loadVerb(path: string): Promise<Verb> {
  return import(new URL(path, import.meta.url).href) as Promise<Verb>;
}

function overview(): string {
  const rows = Object.entries(verbs).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return [
    'gable: an OData 4.01 server, generated from its model',
    '',
    'Usage: gable COMMAND [options]',
    '',
    'Commands:',
    ...rows,
    '',
    'Examples:',
    '  gable try model.xml         serve any model, with sample records',
    '  gable start                 serve on an embedded database',
    '  gable generate              after a change of model/metadata.xml',
    '  gable generate --check      in CI: exit with 4 if generated/ is not current',
    '',
    "Run 'gable COMMAND --help' for its options.",
  ].join('\n');
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return manifest.version;
}

function print(text: string): number {
  process.stdout.write(`${text.replace(/\n*$/, '\n')}`);
  return 0;
}
