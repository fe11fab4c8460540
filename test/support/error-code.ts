/** The code of an error response. */
export async function codeOf(response: Response): Promise<string> {
  return codeIn(await response.text());
}

/** The code in the body of an error response. */
export function codeIn(body: string): string {
  return (JSON.parse(body) as { readonly error: { readonly code: string } }).error.code;
}
