import { readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site } from '../../http/outside.js';

/** A folder of static pages. */
interface PageFolder {
  /** Its path, and the name of its setting. */
  readonly path: string;
  readonly setting: string;
  readonly folder: (site: Site) => string | undefined;
}

// Compiled code runs from `dist`.
const explorer = fileURLToPath(new URL('../../../explorer/site', import.meta.url));

// prettier-ignore
/** The folders of pages; one that does not exist is not served. */
export const pageFolders: readonly PageFolder[] = [
  { path: '/docs', setting: 'docs', folder: ({ built }) => built && join(built, 'docs') },
  { path: '/explorer', setting: 'explorer', folder: () => explorer },
];

/** A file of pages. */
export interface PageFile {
  readonly file: string;
  readonly type: string;
}

/** Every file of the folders that a site shows, by its percent-encoded path; `index.html` has that of its folder, too. */
export function pageFiles(site: Site): ReadonlyMap<string, PageFile> {
  const shown = pageFolders.filter(({ setting }) => site.pages.has(setting));
  return new Map(shown.flatMap(({ path, folder }) => filesOf(folder(site), path)));
}

function filesOf(folder: string | undefined, path: string): readonly (readonly [path: string, file: PageFile])[] {
  if (folder === undefined) return [];
  return namesIn(folder).flatMap((name) => {
    const type = types[extname(name)];
    const paths = name === 'index.html' ? ['', name] : [encodeURI(name)];
    return type === undefined ? [] : paths.map((each) => [`${path}/${each}`, { file: join(folder, name), type }] as const);
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw failure;
  }
}

// prettier-ignore
const types: { readonly [extension: string]: string | undefined } = {
  '.html': 'text/html;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
  '.js': 'text/javascript;charset=utf-8',
  '.json': 'application/json;charset=utf-8',
  '.txt': 'text/plain;charset=utf-8',
  '.http': 'text/plain;charset=utf-8',
  '.pq': 'text/plain;charset=utf-8',
  '.odc': 'text/x-ms-odc;charset=utf-8',
  '.svg': 'image/svg+xml;charset=utf-8',
  '.png': 'image/png',
};
