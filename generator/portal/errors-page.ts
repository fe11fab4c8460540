import { documentedErrors } from '../../runtime/errors/documentation.js';
import { withNames } from '../../runtime/errors/sample-names.js';
import { parseValue } from '../../runtime/json/parse-json.js';
import { root } from '../emit/example.js';
import { jsonHtml } from './html.js';
import type { Page } from './site.js';

/** The page of error codes; the code is the anchor. */
export function errorsPage({ hasModelErrors }: { readonly hasModelErrors: boolean }): Page {
  const rows = errorRows();
  return {
    path: 'errors.html',
    title: 'Errors',
    template: 'errors',
    terms: { kind: 'error', names: rows.map(({ code }) => code), anchor: '' },
    view: { hasModelErrors, errors: rows, sample: jsonHtml(parseValue(sample)) },
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
