import { documentedErrors } from '../runtime/errors/documentation.js';
import { renderError } from '../runtime/errors/odata-error.js';
import { withNames } from '../runtime/errors/sample-names.js';
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

/** Every fault of a model and every error of the service. */
export function explanations(): readonly Explanation[] {
  return [...modelExplanations(), ...errorExplanations()];
}

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

// A message that consists of names and reasons means what its example says.
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
