/** A command with its help text. */
export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly help: string;
}

/** The words of a command line. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Words that may follow, such as the plan of `gable migrate plan`. */
  readonly actions: readonly string[];
  readonly options: readonly Option[];
}

interface Option {
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
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
