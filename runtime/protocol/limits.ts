/** Sizes in bytes. */
export const httpLimits = { requestLine: 16 * 1024, body: 256 * 1024 } as const;

/** Whether a request for an address would be refused for the length of its first line. */
export function isTooLong(method: string, address: string): boolean {
  return method.length + address.length + ' HTTP/1.1 '.length > httpLimits.requestLine;
}
