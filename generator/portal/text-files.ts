import { root } from '../emit/example.js';
import type { OutputFile } from '../output/header.js';
import { errorRows } from './errors-page.js';
import { typeText } from './field-rows.js';
import { requestsFile } from './requests-file.js';
import type { Page, Site } from './site.js';

/** The files of the documentation for programs. */
export function textFiles(site: Site, pages: readonly Page[]): readonly OutputFile[] {
  return [
    { path: 'search.json', text: JSON.stringify(searchIndex(pages)) },
    { path: 'requests.http', text: requestsFile(site) },
    { path: 'llms.txt', text: llmsText(site, pages) },
  ];
}

/** Every page by address and title, with the names on it: the anchor of a name is the prefix and the name. */
function searchIndex(pages: readonly Page[]): readonly object[] {
  return pages.map(({ path, title, terms }) => ({ path, title, ...terms }));
}

// The form of llmstxt.org: a title, a summary, and lists of links, here with the model itself.
function llmsText({ sets, reference }: Site, pages: readonly Page[]): string {
  const guide = pages.filter(({ path }) => !path.includes('/')).map(({ path, title }) => `- [${title}](${path})`);
  const models = sets.map(({ entity, view, path }) => {
    const fields = entity.fields
      .filter(({ name }) => view.fields.some((row) => row.name === name))
      .map(({ name, field }) => `${name} ${typeText(field)}${field.nullable ? '?' : ''}`);
    const navigation = view.navigation.map(({ name, type }) => `${name} -> ${type}`);
    const key = view.key.length === 0 ? 'One record, without a key.' : `Key: ${view.key.join(', ')}.`;
    return `### [${view.set}](${path})

${[view.description, key, `Methods: ${[...new Set(view.operations.map(({ method }) => method))].join(', ')}.`, view.filter].filter(Boolean).join(' ')}
Fields: ${fields.join(', ')}.
${navigation.length === 0 ? '' : `Related: ${navigation.join(', ')}.\n`}`;
  });
  const codes = errorRows().map(({ code, status, meaning }) => `- ${code} (${status}): ${meaning}`);
  return `# ${reference.title} API

> ${reference.description ?? 'An OData 4.01 service.'} Its address is ${root}; requests need the header Authorization: Bearer TOKEN.

Collections are answered in pages: follow @odata.nextLink until a page has none. Query options: $filter, $select, $orderby, $expand, $top, $skip, $count. Texts in conditions are in single quotes, which are doubled within: City eq 'O''Slo'. A question mark after a type: the value may be null.

## Pages

${guide.join('\n')}

## Sets

${models.join('\n')}
## Errors

${codes.join('\n')}
`;
}
