import test from 'ava';
import { commandOf } from '../../runtime/tools/cli/completion.js';
import { runCommand, runGable } from '../support/run-command.js';

const scriptOf = async (shell: string): Promise<string> => (await runGable(['completion', shell])).stdout;

// oxfmt-ignore
const completions: readonly { readonly words: readonly string[]; readonly expected: string }[] = [
  { words: ['gable', 'ge'], expected: 'generate' },
  { words: ['gable', 'do'], expected: 'doctor docs' },
  { words: ['gable', 'migrate', ''], expected: 'plan apply status verify abandon --until --migrations --json' },
  { words: ['gable', 'completion', 'z'], expected: 'zsh' },
  { words: ['gable', 'generate', 'model.xml', '--dr'], expected: '--dry-run --dropped' },
  { words: ['gable', 'openapi', '--version', '3.0', '--s'], expected: '--sets --scope' },
  { words: ['gable', 'generate', 'model.xml', '--ren'], expected: '--renamed --renamed-value' },
  { words: ['gable', 'replicate', '--fi'], expected: '--filter' },
  { words: ['gable', 'replicate', 'o'], expected: '' },
  { words: ['gable', 'generate', 'mod'], expected: '' },
  { words: ['gable', 'unknown', ''], expected: '' },
];

test('bash completes commands, actions and options', async (t) => {
  const script = await scriptOf('bash');
  for (const { words, expected } of completions) {
    const line = words.map((word) => `'${word}'`).join(' ');
    const { stdout } = await runCommand('bash', [
      '-c',
      `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _gable; echo "\${COMPREPLY[*]}"`,
    ]);
    t.is(stdout.trim(), expected, line);
  }
});

test('zsh and fish get commands, actions and options with their descriptions', async (t) => {
  const zsh = await scriptOf('zsh');
  t.true(zsh.includes("    'generate:generate the server'\\''s code from the model'\n"));
  t.regex(
    zsh,
    /^ {4}migrate\) _arguments '1:command:' '--until\[stop after .*\]:value:_files' .* '2:action:\(plan apply status verify abandon\)' ;;$/m,
  );
  const fish = await scriptOf('fish');
  t.true(fish.includes("complete -c gable -f -n __fish_use_subcommand -a generate -d 'generate the server\\'s code from the model'\n"));
  t.true(fish.includes("complete -c gable -n '__fish_seen_subcommand_from migrate' -f -a 'plan apply status verify abandon'\n"));
  t.regex(fish, /^complete -c gable -n '__fish_seen_subcommand_from openapi' -l url -r -d 'address of the service /m);
});

test('an unknown shell is refused', async (t) => {
  t.deepEqual(await runGable(['completion', 'tcsh']), {
    status: 2,
    stdout: '',
    stderr: 'gable: Name a shell: gable completion bash, zsh, fish.\n',
  });
});

test('the words of a command are those of its help', (t) => {
  const help = `gable play: plays.

Usage: gable play [GAME] [start | stop NAME] [--speed slow|fast] [--loud]
       gable play list --of "KIND ..."

  GAME            the game
  --speed SPEED   slow or fast: it's [slow]
  --loud          with sound
  --calm, --brave TEXT  a mood
  --with-a-long-name NAME
                  a name

Exit codes: 0 done, 1 internal error, 2 bad input

Examples:
  gable play chess --no-such | jq --raw
`;
  t.deepEqual(commandOf({ name: 'play', summary: 'play a game', help }), {
    name: 'play',
    summary: 'play a game',
    actions: ['start', 'stop', 'list'],
    options: [
      { name: '--speed', description: "slow or fast: it's [slow]", takesValue: true },
      { name: '--loud', description: 'with sound', takesValue: false },
      { name: '--of', description: '', takesValue: true },
      { name: '--calm', description: 'a mood', takesValue: false },
      { name: '--brave', description: 'a mood', takesValue: true },
      { name: '--with-a-long-name', description: 'a name', takesValue: true },
    ],
  });
});
