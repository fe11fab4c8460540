/** Sizes in bytes; the head of a request is its line and all headers. */
export const httpLimits = { requestLine: 16 * 1024, head: 32 * 1024, body: 256 * 1024 } as const;

/** Whether the request line for an address would exceed the limit. */
export function isTooLong(method: string, address: string): boolean {
  return method.length + address.length + ' HTTP/1.1 '.length > httpLimits.requestLine;
}
