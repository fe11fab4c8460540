import { randomBytes } from 'node:crypto';

/** Tokens by the codes of links that have not been opened yet. */
const tokens = new Map<string, string>();

/** A code that is exchanged for the token once. */
export function issueCode(token: string): string {
  const code = randomBytes(24).toString('base64url');
  tokens.set(code, token);
  return code;
}

/** The token of a code, which is used up by that; undefined for any other text. */
export function redeemCode(code: string): string | undefined {
  const token = tokens.get(code);
  tokens.delete(code);
  return token;
}
