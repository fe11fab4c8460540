/** Sends a request to the service; resolves to the text of its response, or throws its error as a sentence. */
export type Ask = (
  method: string,
  path: string,
  options?: { readonly body?: object; readonly etag?: string; readonly accept?: string },
) => Promise<string>;

/** Requests to a service root with the caller's token, if any. */
export function askService(root: string, token: string | undefined, fetchOne: typeof fetch = fetch): Ask {
  return async (method, path, { body, etag, accept = 'application/json' } = {}) => {
    const response = await fetchOne(`${root.replace(/\/*$/, '')}/${path}`, {
      method,
      headers: {
        Accept: accept,
        'OData-MaxVersion': '4.01',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json', Prefer: 'return=representation' }),
        ...(etag !== undefined && { 'If-Match': etag }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return text;
    throw new Error(`${response.status}: ${errorText(text)}`);
  };
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: readonly { readonly message?: string }[] };
}

// The messages of the service name the thing, the place and the rule; a body that is not OData's is shown as it is.
function errorText(text: string): string {
  try {
    const { code, message, details = [] } = (JSON.parse(text) as ErrorBody).error ?? {};
    if (message === undefined) return text;
    return [`${code ?? ''} ${message}`.trim(), ...details.flatMap((each) => each.message ?? [])].join('\n');
  } catch {
    return text.slice(0, 500);
  }
}
