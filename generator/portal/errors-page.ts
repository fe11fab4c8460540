import { documentedErrors } from '../../runtime/errors/documentation.js';
import { withNames } from '../../runtime/errors/sample-names.js';
import { parseValue } from '../../runtime/json/parse-json.js';
import { root } from '../emit/example.js';
import { jsonHtml } from './html.js';
import type { Page, Site } from './site.js';
import { changeExplanations, type Explanation, migrationExplanations, modelExplanations, runExplanations } from '../explanations.js';

/** The page of error codes; the code is the anchor. */
export function errorsPage({ isPartial = false }: Site): Page {
  const rows = errorRows();
  return {
    path: 'errors.html',
    title: 'Errors',
    template: 'errors',
    terms: { kind: 'error', names: rows.map(({ code }) => code), anchor: '' },
    view: { hasModelErrors: !isPartial, errors: rows, sample: jsonHtml(parseValue(sample)) },
  };
}

/** Every error code with its statuses, in their order. */
export function errorRows() {
  return documentedErrors.map(({ statuses, example, ...row }) => ({
    ...row,
    status: statuses.join(', '),
    example: withNames(example.message),
  }));
}

const sample = JSON.stringify({
  error: {
    code: '1041',
    message: 'Property has no Citty. Did you mean City?',
    target: 'Citty',
    innererror: {
      requestId: '6f9b…',
      position: { option: '$filter', at: 1, length: 5 },
      help: `${root.slice(0, -'/odata'.length)}/docs/errors.html#1041`,
    },
  },
});

/** The page of the codes of a model's faults, migrations and changes, for those who write models; the code is the anchor. */
export function modelErrorsPage(): Page {
  const rows = [...modelExplanations(), ...runExplanations, ...migrationExplanations(), ...changeExplanations()];
  return {
    path: 'model-errors.html',
    title: 'Errors of models and migrations',
    template: 'model-errors',
    terms: { kind: 'model error', names: rows.map(({ code }) => code), anchor: '' },
    view: { errors: rows.map(partsOf) },
  };
}

// The last line of an example is its message, and those before it are a part of a document.
function partsOf({ example = '', ...row }: Explanation) {
  const lines = example.split('\n');
  return { ...row, message: lines.at(-1), source: lines.slice(0, -1).join('\n') };
}
