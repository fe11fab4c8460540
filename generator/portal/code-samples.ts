import { isArray, isObject, type Json, printJson } from '../../runtime/json/json.js';
import { type Example, headersOf, root } from '../emit/example.js';

/** An example in one language. */
interface CodeSample {
  readonly language: string;
  readonly code: string;
}

// oxfmt-ignore
const printers: readonly { readonly language: string; readonly print: (example: Example) => string }[] = [
  { language: 'HTTP', print: printHttp },
  { language: 'curl', print: printCurl },
  { language: 'JavaScript', print: printJavaScript },
  { language: 'Python', print: printPython },
];

/** An example in every language. */
export function codeSamples(example: Example): readonly CodeSample[] {
  return printers.map(({ language, print }) => ({ language, code: print(example) }));
}

/** The address of an example, encoded as far as it must be to be read anywhere. */
export function exampleUrl({ path, options }: Example, base: string = root): string {
  const query = options.map(([name, value]) => `${name}=${encodeURI(value).replace(/[&#+]/g, encodeURIComponent)}`).join('&');
  return `${base}/${encodeURI(path)}${query === '' ? '' : `?${query}`}`;
}

/** An example as HTTP, its options on lines of their own and encoded where they would be read differently. */
function printHttp(example: Example): string {
  const { method, path, options, body } = example;
  const query = options.map(([name, value], index) => `${index === 0 ? '?' : '&'}${name}=${value.replace(/[%&#+]/g, encodeURIComponent)}`);
  const head = [`${method} /odata/${path}`, ...query.map((option) => `    ${option}`), 'Authorization: Bearer TOKEN'];
  const headers = headersOf(example).map(([name, value]) => `${name}: ${value}`);
  return [...head, ...headers, ...(body === undefined ? [] : ['', bodyText(body)])].join('\n');
}

function printCurl(example: Example): string {
  const { method, path, options, body } = example;
  const flag = method === 'GET' ? (options.length === 0 ? '' : '-G ') : `-X ${method} `;
  return [
    `curl ${flag}${quoted(`${root}/${path}`)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...options.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...headersOf(example).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(printJson(body))}`]),
  ].join(' \\\n  ');
}

// In double quotes unless the text has none of the characters that they keep.
function quoted(text: string): string {
  return /["$`\\!]/.test(text) && !text.includes("'") ? `'${text}'` : `"${text.replace(/["$`\\]/g, String.raw`\$&`)}"`;
}

function printJavaScript(example: Example): string {
  const { method, body } = example;
  const headers = ['Authorization: `Bearer ${process.env.TOKEN}`', ...headersOf(example).map(([name, value]) => `'${name}': '${value}'`)];
  const members = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { ${headers.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${bodyText(body).replaceAll('\n', '\n  ')}),`]),
  ];
  const names = isPage(example) ? '{ value }' : 'record';
  const result = method === 'DELETE' ? [] : [`const ${names} = await response.json();`];
  return [`const response = await fetch(${JSON.stringify(exampleUrl(example))}, {`, ...members, '});', ...result].join('\n');
}

function isPage({ answer = null }: Example): boolean {
  return isObject(answer) && isArray(answer.members.get('value') ?? null);
}

function printPython(example: Example): string {
  const { method, path, options, body } = example;
  // The library sends the type of a JSON body.
  const more = headersOf(example)
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const parameters = options.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return [
    'import os',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(`${root}/${path}`)},`,
    ...(parameters.length === 0 ? [] : ['    params={', ...parameters, '    },']),
    `    headers={"Authorization": "Bearer " + os.environ.get("TOKEN", "")${more.join('')}},`,
    ...(body === undefined ? [] : [`    json=${pythonText(bodyText(body)).replaceAll('\n', '\n    ')},`]),
    ')',
    'response.raise_for_status()',
    ...(method === 'DELETE' ? [] : [isPage(example) ? 'records = response.json()["value"]' : 'record = response.json()']),
  ].join('\n');
}

function bodyText(body: Json): string {
  return JSON.stringify(JSON.parse(printJson(body)), null, 2);
}

// JSON's literals are the only ones that Python spells differently; they stand after a colon, a comma or a bracket.
function pythonText(json: string): string {
  const names: { readonly [literal: string]: string } = { true: 'True', false: 'False', null: 'None' };
  return json.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => names[token] ?? token);
}
