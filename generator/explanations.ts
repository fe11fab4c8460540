import { documentedErrors } from '../runtime/errors/documentation.js';
import { migrationCodes } from '../runtime/errors/migration-codes.js';
import { renderError } from '../runtime/errors/odata-error.js';
import { withNames } from '../runtime/errors/sample-names.js';
import { gravestOf } from './diff/diff.js';
import { audiences, rules, type Verdict } from './diff/rules.js';
import { faultExamples } from './fault-examples.js';
import { faults } from './faults.js';
import { recoveries, severityOf, strictPolicy } from './policy.js';

/** The explanation of the code of a fault or error. */
export interface Explanation {
  readonly code: string;
  /** Its severity or HTTP status. */
  readonly kind: string;
  /** In messages of a model's faults, dots stand for names. */
  readonly meaning: string;
  readonly example?: string;
  readonly fix: string;
  /** The effect of lenient mode. */
  readonly lenient?: string;
}

/** Examples of faults that no model of the tests has. */
const furtherExamples: typeof faultExamples = {
  CSDL039: { message: 'Two properties of Order would be stored in the column Customer#id', fix: 'Rename one of them.', source: '' },
  CSDL077: {
    message: 'The run stopped after 1000 faults',
    fix: 'Correct the first ones; the others may be their consequences.',
    source: '',
  },
};

/** Every fault of a model, question of a migration, change of a model and error of the service. */
export function explanations(): readonly Explanation[] {
  return [...modelExplanations(), ...runExplanations, ...migrationExplanations(), ...changeExplanations(), ...errorExplanations()];
}

// oxfmt-ignore
/** The files of a run: the model that is missing, and output that is not the generator's or not current. */
export const runExplanations: readonly Explanation[] = [
  { code: 'CSDL000', kind: 'error', meaning: 'There is no file of the name.', example: 'There is no such file.', fix: 'Name the model: gable generate PATH, or model in gable.config.ts.' },
  { code: 'file-edited', kind: 'error', meaning: 'A generated file was edited by hand.', example: 'generated/types.ts: edited by hand.', fix: 'Move the edit to the model, delete the file, and run again.' },
  { code: 'file-foreign', kind: 'error', meaning: 'A file of the output folder was not written by gable.', example: 'generated/notes.txt: not written by gable.', fix: 'Move it away, or choose another folder with --output.' },
  { code: 'handler-unused', kind: 'warning', meaning: 'The model no longer has the operation of a handler, which belongs to you and stays.', example: 'extensions/operations/close.ts: not used any more, because the model has no Action Ns.Close(Ns.Order).', fix: 'Move its code to the handler of another operation, or delete the file.' },
  { code: 'output-stale', kind: 'error', meaning: 'The generated files are not those of the model.', example: 'generated is not current. Run: gable generate', fix: 'Run gable generate, and commit the model and the output together.' },
];

/** Every question and refusal of migrations. */
export function migrationExplanations(): readonly Explanation[] {
  return Object.values(migrationCodes).map(({ command, ...row }) => ({ ...row, kind: command }));
}

/** Every change that `gable diff` lists, with sample names. */
export function changeExplanations(): readonly Explanation[] {
  return Object.entries(rules).map(([code, rule]) => ({
    code,
    kind: audiences.map((audience) => `${audience} ${rule[audience]}`).join(', '),
    meaning: rule.print({ name: 'NAME', from: 'OLD', to: 'NEW' }),
    fix: remedies[gravestOf(rule)],
  }));
}

const remedies: { readonly [verdict in Verdict]: string } = {
  breaking:
    'Keep the former element next to the new one until nothing uses it, or release the change with a major version and describe it in the changelog.',
  additive: 'Nothing is to be done; a minor version announces it.',
  patch: 'Nothing is to be done.',
};

/** Every fault of a model. */
export function modelExplanations(): readonly Explanation[] {
  return Object.values(faults)
    .map((make) => make(0, '...', '...', '...', '...'))
    .map(({ code, message, hint }) => {
      const example = faultExamples[code] ?? furtherExamples[code];
      const lenient = recoveries.get(code);
      return {
        code,
        kind: severityOf(code, strictPolicy) ?? 'off in strict mode',
        meaning: meaningOf(message, example?.message),
        ...(example && { example: [...(example.source === '' ? [] : [example.source]), `${example.message}.`].join('\n') }),
        fix: capitalized(example?.fix ?? hint),
        ...(lenient !== undefined && { lenient }),
      };
    })
    .sort((one, other) => one.code.localeCompare(other.code, 'en'));
}

// A message that consists of placeholders alone is explained by its example.
function meaningOf(message: string, example: string | undefined): string {
  return /[a-z]/i.test(message) || example === undefined ? message.replace(/\.{4}$/, '...') : `${example}.`;
}

function errorExplanations(): readonly Explanation[] {
  return documentedErrors.map(({ code, statuses, meaning, remedy, example }) => ({
    code,
    kind: `HTTP ${statuses.join(', ')}`,
    meaning,
    example: withNames(renderError(example, { requestId: '...' })),
    fix: remedy,
  }));
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
