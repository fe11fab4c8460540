import { errors } from '../errors/catalogue.js';
import type { Target } from '../plan/path/path-target.js';
import { type QueryOptions, uriLimits } from '../uri/query-options.js';
import { pathOfUrl, type ServiceAddress } from './own-address.js';
import { encodeNonAscii } from '../uri/decode-url.js';
import { parseResourcePath } from '../uri/parse-resource-path.js';
import type { ResourcePath } from '../uri/resource-path.js';

/** The path to read: that of the id after `/$entity` (protocol, "Resolving an Entity-Id"), any other path as it is. */
export function resolveEntityId(
  path: ResourcePath,
  { id }: QueryOptions,
  { root, host, method }: ServiceAddress & { readonly method: string },
): ResourcePath {
  const [first, cast, beyond] = path.parts;
  if (first?.name !== '$entity') {
    // DELETE of a reference in a collection names it by its id (protocol 11.4.6.2).
    if (id !== undefined && path.parts.at(-1)?.name !== '$ref')
      throw errors.badOption('$id can only be used with /$entity and /$ref.').at('$id');
    if (id !== undefined && method !== 'DELETE')
      throw errors
        .badOption(
          `$id names the reference that DELETE removes; ${method} does not accept $id. A single reference is addressed by its key, as in ‹related›(...)/$ref.`,
        )
        .at('$id');
    return path;
  }
  const wrong = cast && (cast.key || !cast.name.includes('.')) ? cast : beyond;
  if (wrong)
    throw errors
      .notFound(`${wrong.name} after /$entity`, ' Only the qualified name of a type is allowed there; select its properties with $select.')
      .at(wrong.name);
  if (id === undefined) throw errors.badOption(`/$entity needs the id of a record: write /$entity?$id=‹set›(‹key›).`).at('$id');
  const { parts } = parseEntityId(id, { root, host, path: '/$entity' });
  return { parts: cast ? [...parts, cast] : parts };
}

/** The addresses that a relative id is resolved against. */
interface IdBase extends ServiceAddress {
  /** The path of the request below the root. */
  readonly path: string;
}

/** The path of an id: absolute, from the host's root, relative to the service root, or relative to the request with leading dots. */
export function parseEntityId(id: string, base: IdBase): ResourcePath {
  if (id.length > uriLimits.entityId)
    throw errors.limitExceeded(`The id of a record has more than ${uriLimits.entityId} characters.`).at('$id');
  if (/[?#]/.test(id))
    throw errors.badOption('The id of a record has no query string or fragment; send other options separately from $id.').at('$id');
  // The option has been decoded, but a path is parsed in its encoded form.
  return parseResourcePath(encodeNonAscii(pathOf(id, base)));
}

/** Rejects an id that is not an entity's. */
export function requireRecord(target: Target): void {
  if (target.kind !== 'entity' || target.suffix !== '') throw errors.badOption('The $id does not address a single record.').at('$id');
}

// A relative id is resolved against the service root, which ends in a slash (RFC 3986, 5.2).
function pathOf(id: string, base: IdBase): string {
  if (/^\.\.?\//.test(id)) return fromRequest(id, base);
  const path = /^(?:[a-z][a-z\d+.-]*:\/)?\//i.test(id) ? pathOfUrl(id, base) : relativePath(id, base);
  if (path !== undefined) return path;
  // Clients of Dataverse write `/Customers(3)` for an id relative to the service root.
  if (!/^\/[^/(]+\(/.test(id)) throw foreign(base.root);
  return id;
}

function relativePath(id: string, { root }: IdBase): string {
  // A URI with another scheme, such as a URN, is the id of another service's entity.
  if (/^[a-z][a-z\d+.-]*:/i.test(id)) throw foreign(root);
  return `/${id}`;
}

// URL conventions 4.8: `../../Products(0)` after `Categories(1)/Products/$ref`.
function fromRequest(id: string, { root, path }: IdBase): string {
  const folders = path.split('/').slice(1, -1);
  const names = id.split('/');
  const start = names.findIndex((name) => name !== '.' && name !== '..');
  const up = names.slice(0, start).filter((name) => name === '..').length;
  if (start < 0 || up > folders.length) throw foreign(root);
  return `/${[...folders.slice(0, folders.length - up), ...names.slice(start)].join('/')}`;
}

function foreign(root: string): Error {
  return errors.badOption(`The id is not an address of this service, whose root is ${root}/.`).at('$id');
}
