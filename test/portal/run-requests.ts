/** Sends the requests of an .http file from top to bottom, as editors do, and returns the ones that fail. */
export async function runRequests(text: string, variables: { readonly root: string; readonly token: string }): Promise<readonly string[]> {
  const values = new Map<string, string>(Object.entries(variables));
  const failed: string[] = [];
  for (const request of text.split(/^### /m).slice(1)) {
    const { name, method, address, headers, body } = parseRequest(filled(request, values));
    const response = await fetch(address, { method, headers, ...(body !== '' && { body }) });
    if (!response.ok) failed.push(`${request.trim()}\n${response.status} ${await response.text()}`);
    for (const [header, value] of response.headers) values.set(`${name}.response.headers.${header}`, value);
  }
  return failed;
}

// Names of headers are in any case.
function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{(.*?)\}\}/g, (whole, name: string) => values.get(name.replace(/[^.]*$/, (last) => last.toLowerCase())) ?? whole);
}

interface Request {
  readonly name: string | undefined;
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function parseRequest(text: string): Request {
  const [, ...lines] = text.trim().split('\n');
  const name = lines.flatMap((line) => /^# @name (\w+)$/.exec(line)?.[1] ?? [])[0];
  const [head = '', ...rest] = lines.filter((line) => !line.startsWith('#'));
  const [method = '', address = ''] = head.split(' ');
  const end = rest.includes('') ? rest.indexOf('') : rest.length;
  const headers = Object.fromEntries(rest.slice(0, end).map((line) => line.split(': ') as [string, string]));
  return { name, method, address, headers, body: rest.slice(end + 1).join('\n') };
}
