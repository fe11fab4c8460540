import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { errors } from '../../runtime/errors/catalogue.js';
import { documentation, documentedErrors, type DocumentedError } from '../../runtime/errors/documentation.js';

const codes = [...new Set(Object.values(errors).map(({ code }) => code))];

test('the page of errors says what the catalogue holds', (t) => {
  const page = `# Errors

Errors have the JSON format of OData 4.01: \`{"error":{"code","message","target","details","innererror"}}\`.
Codes are stable and never reused. Messages are for people; \`Content-Language\` names their language.
\`innererror.requestId\` is also in the \`X-Request-Id\` header and in the log of the service.
\`innererror.position\` is the place of the error in the query string, the path or the body, where it has one: \`{"option":"$filter","at":11,"length":2}\`. \`at\`, from 1, and \`length\` count UTF-16 code units of the decoded text; a value of a JSON body has a \`pointer\`, too: \`{"option":"body","at":15,"length":2,"pointer":"/ListPrice"}\`.
\`option\` is a query option, a parameter alias, \`resource path\`, or \`/$filter\` for the condition of that path segment. \`at\` and \`length\` count UTF-16 code units of the percent-decoded value; \`at\` begins at 1, as positions in messages do, and \`length\` is 0 where something is missing at the end.

| HTTP | Code | Meaning | Remedy |
|---|---|---|---|
${documentedErrors.map(row).join('\n')}
`;
  if (process.env['UPDATE'] === '1') writeFileSync('ERRORS.md', page);
  t.is(page, readFileSync('ERRORS.md', 'utf8'));
});

function row({ statuses, code, meaning, remedy }: DocumentedError): string {
  return `| ${statuses.join(', ')} | ${code} | ${meaning} | ${remedy} |`;
}

test('every code is documented, and nothing else is', (t) => {
  t.deepEqual(codes.toSorted(), Object.keys(documentation).toSorted());
});

// These require a broken or overloaded service, or another model; each has its own test next to its cause.
const provokedElsewhere: { readonly [code: string]: string } = {
  1400: 'test/http/client-error.test.ts',
  1408: 'test/http/client-error.test.ts',
  1110: 'test/operations/operations.test.ts',
  1508: 'test/database/database.test.ts',
  1504: 'test/operations/operations.test.ts',
  1413: 'test/http/limits.test.ts',
  1414: 'test/http/limits.test.ts',
  1431: 'test/http/client-error.test.ts',
  1417: 'test/attack/smuggling.slow.test.ts',
  1416: 'test/media-streams/streams.slow.test.ts',
  1428: 'test/toy/models.slow.test.ts',
  1055: 'test/toy/models.slow.test.ts',
  1498: 'test/streaming/chunked-body.test.ts',
  1499: 'test/database/unhurried.test.ts',
  1500: 'test/fault/failing-store.test.ts',
  1503: 'test/fault/failing-store.test.ts',
  1505: 'test/operation/overload.slow.test.ts',
  1506: 'test/operation/overload.slow.test.ts',
  1507: 'test/operation/standby.slow.test.ts',
  1550: 'test/fault/failing-store.test.ts',
};

test('every example has the code that it is an example of', (t) => {
  for (const { code, statuses, example } of documentedErrors) t.true(example.code === code && statuses.includes(example.status), code);
});

test('every code is provoked by a case', (t) => {
  const answers = readdirSync(join('test', 'http'))
    .filter((name) => name.endsWith('.http'))
    .map((name) => readFileSync(join('test', 'http', name), 'utf8'))
    .join('\n');
  const silent = codes.filter((code) => !answers.includes(`"code":"${code}"`));
  t.deepEqual(
    silent.filter((code) => !(code in provokedElsewhere)),
    [],
  );
  const unprovoked = silent.filter((code) => !readFileSync(provokedElsewhere[code] ?? '', 'utf8').includes(`'${code}'`));
  t.deepEqual(unprovoked, []);
});
