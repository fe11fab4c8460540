import { changeExplanations, type Explanation, migrationExplanations, modelExplanations, runExplanations } from '../explanations.js';
import type { Page } from './site.js';

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
