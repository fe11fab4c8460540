/**
 * Security headers of every answer for a browser: no page, script or frame. These are the rows of `helmet` for an API;
 * HSTS is set by whoever terminates TLS.
 */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
];
