import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's own folder. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The package as npm would publish it, and a project that has it and nothing else. */
interface Packed {
  readonly tarball: string;
  readonly consumer: string;
  /** Where the tarball is unpacked, as an install would do. */
  readonly installed: string;
  /** Every file in it, from its own root. */
  readonly files: readonly string[];
  readonly remove: () => void;
}

/** How a program ended, and all that it wrote. */
interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Packs what is built, and installs it into a copy of `test/types` without asking a registry for anything. */
export function packAndInstall(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'gable-package-'));
  const tarball = join(folder, pack(folder));
  const consumer = join(folder, 'consumer');
  const installed = join(consumer, 'node_modules', 'gable');
  cpSync(join(root, 'test/types'), consumer, { recursive: true });
  // The copy is a project of its own; the original has no manifest, so that an editor finds `gable/types` in this one.
  writeFileSync(join(consumer, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  mkdirSync(installed, { recursive: true });
  succeed(run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'], folder));
  return { tarball, consumer, installed, files: filesBelow(installed), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs one of the project's Node programs to its end. */
export function runNode(program: string, args: readonly string[], folder: string): Ended {
  return run(process.execPath, [program, ...args], folder);
}

// Scripts are left out: the build has run, and a second one would change what other tests run on.
function pack(folder: string): string {
  succeed(run('npm', ['pack', '--ignore-scripts', '--offline', '--no-update-notifier', '--pack-destination', folder], root));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack ended well and wrote no tarball.');
  return tarball;
}

function run(program: string, args: readonly string[], folder: string): Ended {
  // On Windows npm is a script of the shell.
  const shell = process.platform === 'win32' && program === 'npm';
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, shell, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (error !== undefined) throw error;
  return { code: status, output: `${stdout}${stderr}` };
}

function succeed({ code, output }: Ended): void {
  if (code !== 0) throw new Error(output);
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
