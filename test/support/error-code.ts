interface SentError {
  readonly code: string;
  readonly message: string;
}

/** The code of an error response. */
export async function codeOf(response: Response): Promise<string> {
  return (await errorOf(response)).code;
}

/** The code and message of an error response. */
export async function errorOf(response: Response): Promise<SentError> {
  return errorIn(await response.text());
}

/** The code in the body of an error response. */
export function codeIn(body: string): string {
  return errorIn(body).code;
}

function errorIn(body: string): SentError {
  return (JSON.parse(body) as { readonly error: SentError }).error;
}
