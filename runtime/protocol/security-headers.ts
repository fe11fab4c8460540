/**
 * What every answer says to a browser that is led to it: nothing here is a page, a script or a frame. These are the
 * rows of `helmet` that concern an API; HSTS is the business of whoever terminates TLS.
 */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
];
