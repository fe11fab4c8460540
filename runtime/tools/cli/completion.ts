import { ConfigError } from '../../config/config.js';
import { readArguments } from './read-arguments.js';

/** The help text of `gable completion`. */
export const help = `gable completion: prints a script that completes commands and options in a shell.

Usage: gable completion bash | zsh | fish

Exit codes: 0 printed, 1 internal error, 2 bad input

Examples:
  echo 'source <(gable completion bash)' >> ~/.bashrc
  echo 'source <(gable completion zsh)' >> ~/.zshrc
  gable completion fish > ~/.config/fish/completions/gable.fish
`;

/** Prints the script for a shell, from the help of all commands. */
export async function run(args: readonly string[], describe: () => Promise<readonly DescribedCommand[]>): Promise<number> {
  const { positionals } = readArguments(args, {});
  const [shell, second] = positionals;
  const print = shell !== undefined && Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (print === undefined || second !== undefined)
    throw new ConfigError(`Name a shell: gable completion ${Object.keys(scripts).join(', ')}.`);
  process.stdout.write(print((await describe()).map(commandOf)));
  return 0;
}

const scripts: { readonly [shell: string]: (commands: readonly Command[]) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly Command[]): string {
  const cases = commands.map(({ name, actions, options }) => {
    const words = [...actions, ...options.map((option) => option.name)];
    return `      ${name}) words='${words.join(' ')}' ;;\n`;
  });
  return `# bash completion of gable
_gable() {
  local words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map(({ name }) => name).join(' ')}'
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('')}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gable gable
`;
}

function zshScript(commands: readonly Command[]): string {
  const list = commands.map(({ name, summary }) => `    ${single(`${name}:${summary}`)}\n`);
  const cases = commands.map(({ name, actions, options }) => {
    const specs = options.map((option) =>
      single(`${option.name}[${option.description.replace(/[[\]\\]/g, '\\$&')}]${option.takesValue ? ':value:_files' : ''}`),
    );
    const words = actions.length > 0 ? single(`2:action:(${actions.join(' ')})`) : "'*:file:_files'";
    return `    ${name}) _arguments '1:command:' ${[...specs, words].join(' ')} ;;\n`;
  });
  return `#compdef gable
# zsh completion of gable
_gable() {
  local -a commands
  commands=(
${list.join('')}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join('')}  esac
}
if [ "$funcstack[1]" = _gable ]; then _gable "$@"; else compdef _gable gable; fi
`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, summary, actions, options }) => {
    const within = `complete -c gable -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c gable -f -n __fish_use_subcommand -a ${name} -d ${fishText(summary)}`,
      ...(actions.length > 0 ? [`${within} -f -a '${actions.join(' ')}'`] : []),
      ...options.map(
        (option) => `${within} -l ${option.name.slice(2)}${option.takesValue ? ' -r' : ''} -d ${fishText(option.description)}`,
      ),
    ];
  });
  return `# fish completion of gable\n${lines.join('\n')}\n`;
}

// Within single quotes a shell reads every character but the quote as itself.
function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishText(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly help: string;
}

interface Command {
  readonly name: string;
  readonly summary: string;
  /** Words that may follow, such as the plan of `gable migrate plan`. */
  readonly actions: readonly string[];
  readonly options: readonly { readonly name: string; readonly description: string; readonly takesValue: boolean }[];
}

/** The words that a help text describes: those of its usage, and the options with a line of their own. */
export function commandOf({ name, summary, help }: DescribedCommand): Command {
  const [, usage = ''] = /^Usage: ([^]*?)\n\n/m.exec(help) ?? [];
  const descriptions = new Map(
    [...help.matchAll(optionLine)].flatMap(([, names = '', text = '']) => optionsIn(names).map((option) => [option, text])),
  );
  const valued = new Set(
    [...`${usage}\n${help.split('\nExit codes:')[0]}`.matchAll(/(--[a-z][\w-]*)[ =](?=[A-Z"\d])/g)].map(([, option]) => option),
  );
  return {
    name,
    summary,
    actions: unique([...usage.matchAll(/(?<=[ [])(?<!--[\w-]+ )[a-z]{3,}(?=[ \]\n]|$)/g)].map(([word]) => word)).filter(
      (word) => word !== 'gable' && word !== 'options' && word !== name,
    ),
    options: unique([...optionsIn(usage), ...descriptions.keys()]).map((option) => ({
      name: option,
      description: descriptions.get(option) ?? '',
      takesValue: valued.has(option),
    })),
  };
}

// Options that share a description are on one line, which a long one leaves to the next.
const optionLine = /^ +(--[a-z]\S*(?: \S+)*)(?: {2,}|\n {3,})(\S.*)$/gm;

function optionsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([option]) => option);
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
