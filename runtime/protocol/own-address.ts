import { remembered } from '../uri/remembered.js';

/** The addresses by which clients know the service. */
export interface ServiceAddress {
  /** The absolute URL of the service root. */
  readonly root: string;
  /** The Host header of the request, by which clients behind a proxy may address the service. */
  readonly host: string | undefined;
}

/**
 * The path below the service root, still encoded, of a URL that begins with a scheme, `//` or `/`; undefined for a URL
 * of another service. A proxy may have changed the scheme, so that http and https are equal.
 */
export function pathOfUrl(url: string, { root, host }: ServiceAddress): string | undefined {
  // As the service writes them itself.
  if (url.startsWith(root) && url[root.length] === '/') return url.slice(root.length);
  const [, origin = '', absolute = ''] = /^((?:[a-z][a-z\d+.-]*:)?\/\/[^/]*|)(\/.*)?$/is.exec(url) ?? [];
  const own = parsedRoot(root);
  if (origin !== '' && !isOwn(origin.startsWith('//') ? `${own.protocol}${origin}` : origin, [own.host, host?.toLowerCase()]))
    return undefined;
  const start = own.pathname.replace(/\/$/, '');
  return absolute === start || absolute.startsWith(`${start}/`) ? absolute.slice(start.length) : undefined;
}

// A batch needs it for every part.
const parsedRoot = remembered((root) => new URL(root));

function isOwn(origin: string, hosts: readonly (string | undefined)[]): boolean {
  if (!URL.canParse(origin) || origin.includes('@')) return false;
  const { protocol, host } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && hosts.includes(host);
}
