import type { Example } from '../emit/example.js';
import { examplesOf } from '../emit/examples.js';
import type { EntityNode, FieldNode } from '../graph/model-graph.js';
import { codeSamples, exampleUrl } from './code-samples.js';
import { drawDiagram } from './diagram.js';
import { fieldRows, type OwnersNotes } from './field-rows.js';
import { jsonHtml } from './html.js';
import { navigationDiagram, stateDiagram } from './model-diagrams.js';
import { linksFrom, type Page, type Site } from './site.js';

/** The page of an entity source. */
export function setPage({ entity, view, path }: Site['sets'][number], site: Site): Page {
  const hrefOf = linksFrom(path, site);
  const [navigation, states] = [navigationDiagram(view, hrefOf), stateDiagram(view)];
  const fields = fieldRows(view.fields, nodesOf(entity), hrefOf, notesOf(entity));
  return {
    path,
    title: view.set,
    template: 'set',
    terms: { kind: view.set, names: fields.map(({ name }) => name), anchor: 'f-' },
    view: {
      ...view,
      kind: view.name === view.set ? undefined : view.name,
      operations: view.operations.map((row) => ({ ...row, text: uses[row.operation] })),
      fields,
      count: fields.length,
      navigation: view.navigation.map((row) => ({ ...row, href: hrefOf(row.target) })),
      rules: view.rules.filter(({ rule }) => !shownByField.has(rule)),
      diagram: navigation && drawDiagram(navigation),
      states: states && drawDiagram(states),
      examples: examplesOf(entity, site.graph).map(exampleView),
    },
  };
}

/** The purpose of a request to an endpoint, in words. */
const uses: { readonly [Name in Site['sets'][number]['view']['operations'][number]['operation']]: string } = {
  readCollection: 'Read records, a page at a time',
  createEntity: 'Create a record',
  readEntity: 'Read a record',
  updateEntity: 'Change some values of a record',
  replaceEntity: 'Replace a record',
  deleteEntity: 'Delete a record',
};

function nodesOf({ fields }: EntityNode): ReadonlyMap<string, FieldNode> {
  return new Map(fields.map((node) => [node.name, node]));
}

// These rules are in the rows of the fields; required references are not among the fields.
const shownByField: ReadonlySet<string> = new Set([
  'Set by the service',
  'On create only',
  'On create only with the initial value',
  'Required in every update',
]);

// The set's facts about a field, in addition to the field's own.
function notesOf({ key, rules, permissions }: EntityNode): (name: string) => OwnersNotes {
  const hidden = (name: string): readonly string[] =>
    (permissions.read ?? []).flatMap(({ scope, except }) => (except.includes(name) ? [scope] : []));
  return (name) => {
    const scopes = hidden(name);
    const target = rules.references[name];
    return {
      isKey: key.includes(name),
      required: rules.requiredOnCreate.includes(name),
      notes: [
        ...(rules.requiredOnUpdate.includes(name) ? ['Required in every update.'] : []),
        ...(target === undefined ? [] : [`The key of a record of ${target}.`]),
        ...(scopes.length === 0 ? [] : [`Hidden from ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`]),
      ],
    };
  };
}

/** An example in every language, with its answer. */
export function exampleView(example: Example, index: number) {
  const id = `e${index}`;
  const samples = codeSamples(example).map(({ language, code }, at) => ({ id: `${id}-${at}`, group: id, language, code, first: at === 0 }));
  return {
    id,
    title: example.title,
    samples,
    status: statusTexts[example.status] ?? String(example.status),
    answer: example.answer && jsonHtml(example.answer),
    note: notes[example.method],
    explorer: example.method === 'GET' ? `#${exampleUrl(example, 'GET')}` : undefined,
  };
}

const statusTexts: { readonly [status: number]: string } = { 200: '200 OK', 201: '201 Created', 204: '204 No Content' };

const notes: { readonly [Method in Example['method']]?: string } = {
  POST: 'The answer has the whole record; `Location` is its address.',
  PATCH: 'The answer has the whole record, with its new ETag.',
  DELETE: 'The answer has no body.',
};
