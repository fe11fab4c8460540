/** The part of a representation that a Range header selects; `last` is the offset of the last byte. */
type ByteRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' };

const whole: ByteRange = { kind: 'whole' };

/**
 * The byte range of a Range header for a content length (RFC 9110, 14.1.2). Other units, several ranges and invalid
 * headers are ignored, as the standard permits: the answer is complete.
 */
export function byteRange(header: string | undefined, length: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return whole;
  if (from === '')
    return Number(to) === 0 || length === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'part', first: Math.max(0, length - Number(to)), last: length - 1 };
  if (to !== '' && Number(to) < Number(from)) return whole;
  if (Number(from) >= length) return { kind: 'unsatisfiable' };
  return { kind: 'part', first: Number(from), last: to === '' ? length - 1 : Math.min(Number(to), length - 1) };
}

/**
 * Whether If-Range permits the range: the ETag matches in the strong comparison (RFC 9110, 13.1.5). A date never does,
 * since streams have none.
 */
export function rangePermitted(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
