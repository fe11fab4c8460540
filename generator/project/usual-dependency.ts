import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { generatorVersion, packageRoot } from '../version.js';

/** What the manifest of a new project says of this package: where it was installed from, and a checkout, which is on no registry, where it lies. */
export function usualDependency(folder: string): string {
  const modules = dirname(packageRoot);
  if (!packageRoot.split(sep).includes('node_modules')) return fileFrom(folder, packageRoot);
  const tarball = installedFrom(modules);
  return tarball === undefined ? generatorVersion : fileFrom(folder, tarball);
}

function fileFrom(folder: string, target: string): string {
  return `file:${relative(resolve(folder), target).split(sep).join('/')}`;
}

// npm notes what it has installed beside it, a tarball by its path from the folder with node_modules.
function installedFrom(modules: string): string | undefined {
  const lock = join(modules, '.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8')) as {
    readonly packages?: { readonly [path: string]: { readonly resolved?: string } };
  };
  const { resolved = '' } = packages[`node_modules/${basename(packageRoot)}`] ?? {};
  const path = resolve(dirname(modules), resolved.replace(/^file:/, ''));
  return resolved.startsWith('file:') && existsSync(path) ? path : undefined;
}
