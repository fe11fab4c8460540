import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { usageMistake } from '../../runtime/tools/cli/usage.js';
import { gable, runGable } from '../support/run-gable.js';

const print = (...args: readonly string[]): string => execFileSync(process.execPath, [gable, ...args], { encoding: 'utf8' });
const told = async (...args: readonly string[]): Promise<string> => (await runGable('.', ...args)).err.split('\n')[0] ?? '';

const overview = print('--help');
const commands = [...((overview.split('Commands:')[1] ?? '').split('Examples:')[0]?.matchAll(/^ {2}(\w+) +\S/gm) ?? [])].map(
  ([, name]) => name ?? '',
);

// The modules of commands. One process loads them all; a process for each would take as long as all other tests of commands.
const modules = new Map<string, Command>();
for (const folder of ['runtime/tools/cli', 'generator/cli', 'replicate'])
  for (const file of readdirSync(`dist/${folder}`).filter((each) => each.endsWith('.js')))
    if (readFileSync(`dist/${folder}/${file}`, 'utf8').includes('export const help =')) await addModule(`../../${folder}/${file}`);

interface Command {
  readonly help: string;
  readonly run: (args: readonly string[], describe: () => Promise<[]>) => Promise<number>;
}

async function addModule(path: string): Promise<void> {
  const module = (await import(path)) as Command;
  modules.set(/^gable (\w+):/.exec(module.help)?.[1] ?? path, module);
}

test('every command is listed', (t) => {
  for (const name of [
    'try',
    'init',
    'generate',
    'diff',
    'doctor',
    'explain',
    'openapi',
    'start',
    'serve',
    'migrate',
    'seed',
    'config',
    'client',
    'token',
  ])
    t.true(commands.includes(name), name);
});

test('a process prints the help of a command, and refuses an option that it does not have', (t) => {
  t.is(print('token', '--help'), modules.get('token')?.help ?? '');
  const { status, stderr, stdout } = spawnSync(process.execPath, [gable, 'serve', '--no-such-option'], { encoding: 'utf8' });
  t.is(status, 2, stderr);
  t.is(stdout, '');
  t.is(stderr, "gable serve: unknown option --no-such-option\nRun 'gable serve --help' for its options.\n");
});

for (const name of commands) {
  test(`gable ${name} --help says its usage, its exit codes and examples of it, without colours`, (t) => {
    const text = modules.get(name)?.help ?? '';
    t.regex(text, new RegExp(`^gable ${name}: \\S`));
    t.regex(text, new RegExp(`^Usage: gable ${name}\\b`, 'm'));
    t.regex(text, /^Exit codes: 0 .*\b1 internal error.*\b2 /m);
    t.regex(text.split('\nExamples:\n')[1] ?? '', new RegExp(`^ {2}.*\\bgable ${name}\\b|^ {2}npm ${name}\\b`, 'm'));
    t.notRegex(text, /\u001b/);
    t.deepEqual(
      text.split('\n').filter((line) => line.length > 130),
      [],
    );
  });

  test(`gable ${name} refuses an option that it does not have`, async (t) => {
    const { run, help } = modules.get(name) as Command;
    const failure = await t.throwsAsync(
      run(['--no-such-option'], () => Promise.resolve([])),
      { any: true },
    );
    t.is(usageMistake(failure, help), 'unknown option --no-such-option');
  });
}

test('gable help COMMAND is its help', async (t) => {
  t.is((await runGable('.', 'help', 'generate')).out, modules.get('generate')?.help ?? '');
  t.is((await runGable('.', 'help')).out, overview);
});

test('what is typed a little wrong is told with what it may have meant', async (t) => {
  t.is(await told('generate', '--chek'), 'gable generate: unknown option --chek; did you mean --check?');
  t.is(await told('generate', '--allow'), 'gable generate: unknown option --allow; did you mean --allow-lossy?');
  t.is(await told('migrate', '--jsn'), 'gable migrate: unknown option --jsn; did you mean --json?');
  t.is(await told('init', '--hlep'), 'gable init: unknown option --hlep; did you mean --help?');
  t.is(await told('generate', '-q'), 'gable generate: unknown option -q');
  t.is(await told('generate', '--check=yes'), 'gable generate: --check takes no value');
  t.is(await told('generate', '--output'), 'gable generate: --output needs a value, as in --output=VALUE');
  t.is(await told('generate', '--output', '--check'), 'gable generate: --output needs a value, as in --output=VALUE');
  t.is(await told('config', 'extra'), "gable config: unexpected argument 'extra'");
  t.is(await told('try', 'test/project/towns.xml', '--samples', '-1'), "gable: --samples must be a whole number from 0 to 9999, not '-1'.");
  t.is(await told('client'), 'gable: gable client: name an action: add, list or revoke.');
  t.is(await told('client', 'ad'), "gable: gable client has no 'ad'. Did you mean add?");
  t.is(
    await told('init', 'p', '--model', 'test/project/towns.xml', '--package', ''),
    'gable: --package is empty; write a version, or file: and a tarball.',
  );
  t.is(await told('help', 'genrate'), "gable: unknown command 'genrate'. Did you mean generate?");
  t.is(await told('genrate'), "gable: unknown command 'genrate'. Did you mean generate?");
});
