import { clientCall } from './copy-client.js';

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
  const [, ...query] = address.split('?');
  return query
    .join('?')
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

// Whether the answer is text, not JSON.
function isText(address: string): boolean {
  return /\/\$(count|value)$/.test(decodeURIComponent(pathOf(address)));
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
    headers={"Authorization": "Bearer " + os.environ.get("TOKEN", "")},
)
response.raise_for_status()
print(response.${isText(address) ? 'text' : 'json()'})
`;
}

function rScript({ root, address }: Copied): string {
  const options = optionsOf(address).map(([name, value]) => `\`${name}\` = ${quoted(value)}`);
  return `library(httr2)

response <- request(${quoted(root + pathOf(address))}) |>
  req_url_query(${options.join(', ')}) |>
  req_auth_bearer_token(Sys.getenv("TOKEN")) |>
  req_perform()
answer <- ${isText(address) ? 'resp_body_string' : 'resp_body_json'}(response)
`;
}

function fetching({ root, address }: Copied): string {
  return `const response = await fetch(${quoted(root + address)}, {
  headers: { Authorization: \`Bearer \${process.env.TOKEN}\` },
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.${isText(address) ? 'text' : 'json'}());
`;
}

// Chosen as anonymous, since the query sends the token.
function powerQuery({ root, address }: Copied): string {
  return `let
  Token = "TOKEN",
  Source = OData.Feed(${power(root + address)}, [Authorization = "Bearer " & Token], [Implementation = "2.0", ODataVersion = 4, OmitValues = ODataOmitValues.Nulls])
in
  Source
`;
}

function client({ root, address }: Copied): string {
  const call = clientCall(pathOf(address), optionsOf(address));
  if (call === undefined) return `// The client's queries do not have this; fetch does.\n${fetching({ root, address })}`;
  return `import { createClient${call.includes('filter`') ? ', filter' : ''} } from 'gable/client';
import { service } from 'gable/service';

const api = createClient(service, { baseUrl: ${quoted(root)}, token: process.env.TOKEN });
${call}
`;
}

// oxfmt-ignore
/** The forms in which a query is copied; a new one is a row here. */
export const copyForms: readonly CopyForm[] = [
  { name: 'url', label: 'URL', write: ({ root, address }) => root + address },
  { name: 'curl', label: 'curl', write: ({ root, address }) => `curl -s -H "Authorization: Bearer $TOKEN" ${shell(root + address)}` },
  { name: 'fetch', label: 'fetch', write: fetching },
  { name: 'client', label: "Gable's client", write: client },
  { name: 'python', label: 'Python', write: python },
  { name: 'r', label: 'R', write: rScript },
  { name: 'power-query', label: 'Power Query', write: powerQuery },
];
