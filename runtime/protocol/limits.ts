/** Sizes in bytes; the head of a request is its line and all its headers. */
export const httpLimits = { requestLine: 16 * 1024, head: 32 * 1024, body: 256 * 1024 } as const;

/** Whether a request for an address would be refused for the length of its first line. */
export function isTooLong(method: string, address: string): boolean {
  return method.length + address.length + ' HTTP/1.1 '.length > httpLimits.requestLine;
}
