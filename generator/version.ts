import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, two levels above the compiled file. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string };

/** The version of this generator, which every lock names. */
export const generatorVersion = manifest.version;
