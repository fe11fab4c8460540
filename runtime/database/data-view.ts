/** A DataView of a buffer, whose multi-byte accesses take a fraction of the time of Buffer's. */
export function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
