import { readFileSync } from 'node:fs';

// From the compiled file: generator, dist, and from there to the package.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** The version of this generator, which the lock of every output names. */
export const generatorVersion = manifest.version;
