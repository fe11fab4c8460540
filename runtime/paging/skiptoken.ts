import { createHash, hash } from 'node:crypto';
import { errors } from '../errors/catalogue.js';
import { remembered } from '../uri/remembered.js';
import { seal, unsealed } from './seal.js';

/** The content of a `$skiptoken`. */
export interface SkipToken {
  /** Values of the order's terms for the last entity of the page, in the database's text form. */
  readonly after: readonly (string | null)[];
  /** Where `$top` is the total, the number of remaining entities. */
  readonly remaining?: number;
  /** The data that a feature carries from page to page. */
  readonly carried?: string;
}

/** The request that a token is valid for. */
export interface TokenBinding {
  /** The resource path and the options that determine members and order. */
  readonly request: string;
  /** The ETag of `$metadata`. */
  readonly model: string;
}

/** Seals and opens tokens with a key of the service, so that order values are neither readable nor forgeable. */
export interface TokenSeal {
  readonly seal: (token: SkipToken, binding: TokenBinding) => string;
  /** `option` is the one that has the token, for errors. */
  readonly open: (text: string, binding: TokenBinding, option?: string) => SkipToken;
}

/** A seal with a secret, which all processes of a service share. */
export function createTokenSeal(secret: string): TokenSeal {
  const key = createHash('sha256').update(`gable skiptoken\0${secret}`).digest();
  // The first page of a list is requested often, and its link stays the same while the data does.
  const sealText = remembered((text) => seal(key, text));
  return {
    seal: (token, binding) => sealText(JSON.stringify({ m: shortHash(binding.model), r: shortHash(binding.request), ...token })),
    open: (text, binding, option = '$skiptoken') => {
      const token = unsealed(key, text);
      if (token === undefined) throw errors.badSkiptoken('this service did not issue it', option).at(option);
      // Only this service can have sealed the token, so its shape is known.
      return requireBound(JSON.parse(token) as SealedToken, binding, option);
    },
  };
}

interface SealedToken extends SkipToken {
  readonly m: string;
  readonly r: string;
}

function requireBound({ m, r, ...token }: SealedToken, binding: TokenBinding, option: string): SkipToken {
  if (m !== shortHash(binding.model)) throw errors.staleSkiptoken('the model has changed since it was issued', option).at(option);
  if (r !== shortHash(binding.request)) throw errors.badSkiptoken('it belongs to another request', option).at(option);
  return token;
}

// All tokens hash the same model name, and those of consecutive pages the same request.
const shortHash = remembered((text) => hash('sha256', text, 'base64url').slice(0, 16));
