/** A query that is copied: the service root, and the address below it, percent-encoded. */
export interface Copied {
  readonly root: string;
  readonly address: string;
}

interface CopyForm {
  readonly name: string;
  readonly label: string;
  readonly write: (query: Copied) => string;
}

function optionsOf(address: string): readonly (readonly [name: string, value: string])[] {
  const [, query = ''] = address.split('?', 2);
  return query
    .split('&')
    .filter((option) => option !== '')
    .map((option) => {
      const [name = '', ...value] = option.split('=');
      return [decodeURIComponent(name), decodeURIComponent(value.join('='))] as const;
    });
}

function pathOf(address: string): string {
  return address.split('?', 1)[0] ?? '';
}

// A text in the quotes of JSON, which those of Python, R and JavaScript read too.
function quoted(text: string): string {
  return JSON.stringify(text);
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

// M doubles a quote within a text.
function power(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function python({ root, address }: Copied): string {
  const options = optionsOf(address).map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},\n`);
  return `import os
import requests

response = requests.get(
    ${quoted(root + pathOf(address))},
    params={
${options.join('')}    },
    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},
)
response.raise_for_status()
for record in response.json()["value"]:
    print(record)
`;
}

function rScript({ root, address }: Copied): string {
  const options = optionsOf(address).map(([name, value]) => `\`${name}\` = ${quoted(value)}`);
  return `library(httr2)

response <- request(${quoted(root + pathOf(address))}) |>
  req_url_query(${options.join(', ')}) |>
  req_auth_bearer_token(Sys.getenv("TOKEN")) |>
  req_perform()
records <- resp_body_json(response, simplifyVector = TRUE)$value
`;
}

function client({ root, address }: Copied): string {
  const [name = '', key] = /^\/(\w+)(?:\('(.*)'\))?$/.exec(pathOf(address))?.slice(1) ?? [];
  const members = optionsOf(address).map(([option, value]) => clientOption(option, value));
  const query = members.length === 0 ? '' : `{\n${members.map((member) => `  ${member},\n`).join('')}}`;
  const call = key === undefined ? `api.${name}.find(${query}).page()` : `api.${name}.get(${quoted(key)}${query && `, ${query}`})`;
  return `import { createClient, filter } from 'gable/client';
import { service } from 'gable/service';

const api = createClient(service, ${quoted(root)}, { token: process.env.TOKEN });
const records = await ${call};
`;
}

function clientOption(option: string, value: string): string {
  switch (option) {
    case '$filter':
      return `filter: filter\`${value.replace(/[\\`$]/g, '\\$&')}\``;
    case '$select':
      return value.includes('(') ? `select: ${quoted(value)}` : `select: [${value.split(',').map(quoted).join(', ')}]`;
    case '$top':
    case '$skip':
    case '$count':
      return `${option.slice(1)}: ${value}`;
    default:
      return `${option.slice(1)}: ${quoted(value)}`;
  }
}

// prettier-ignore
/** The forms in which a query is copied; a new one is a row here. */
export const copyForms: readonly CopyForm[] = [
  { name: 'url', label: 'URL', write: ({ root, address }) => root + address },
  { name: 'curl', label: 'curl', write: ({ root, address }) => `curl -s -H "Authorization: Bearer $TOKEN" ${shell(root + address)}` },
  { name: 'fetch', label: 'fetch', write: ({ root, address }) => `const response = await fetch(${quoted(root + address)}, {\n  headers: { Authorization: \`Bearer \${process.env.TOKEN}\` },\n});\nif (!response.ok) throw new Error(await response.text());\nconst { value } = await response.json();\n` },
  { name: 'client', label: "Gable's client", write: client },
  { name: 'python', label: 'Python', write: python },
  { name: 'r', label: 'R', write: rScript },
  { name: 'power-query', label: 'Power Query', write: ({ root, address }) => `let\n  Source = OData.Feed(${power(root + address)}, [Authorization = "Bearer " & Token], [Implementation = "2.0", ODataOmitValues = ODataOmitValues.Nulls])\nin\n  Source\n` },
];
