import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { generatorVersion, packageRoot } from '../version.js';

/** The dependency of a new project on this package: where it was installed from, or the path of a checkout. */
export function usualDependency(folder: string): string {
  const modules = dirname(packageRoot);
  if (!packageRoot.split(sep).includes('node_modules')) return fileFrom(folder, packageRoot);
  const tarball = installedFrom(modules);
  return tarball === undefined ? generatorVersion : fileFrom(folder, tarball);
}

function fileFrom(folder: string, target: string): string {
  return `file:${relative(resolve(folder), target).split(sep).join('/')}`;
}

// npm records installed packages in node_modules, a tarball by its relative path.
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
