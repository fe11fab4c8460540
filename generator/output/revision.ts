import { createHash } from 'node:crypto';
import type { OutputFile } from './header.js';

/** Appends the hash of the generated code to its index, so that compiled code of an earlier run is noticed at the start. */
export function withRevision(files: readonly OutputFile[]): readonly OutputFile[] {
  const hash = createHash('sha256');
  for (const { path, text } of files) if (path.endsWith('.ts')) hash.update(`${path}\0${text}\0`);
  const revision = `\n/** The hash of the generated code. */\nexport const revision = '${hash.digest('hex').slice(0, 16)}';\n`;
  return files.map((file) => (file.path === 'index.ts' ? { ...file, text: file.text + revision } : file));
}
