/** Whether a list of ETags, or `*`, names the given one; weak comparison (RFC 9110, 8.8.3.2). */
export function matchesETag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((candidate) => candidate.replace(/^W\//, '') === opaque);
}
