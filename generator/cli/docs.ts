import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder } from '../../runtime/tools/cli/make-folder.js';
import { UsageError } from '../config/config.js';
import type { OutputFile } from '../output/header.js';
import { exitCodes } from './exit-codes.js';
import { chooseModel, type ModelChoice, modelOptions, modelOptionsHelp, onlyModel, openModel, missingFile } from './open-model.js';
import { withFaults } from './print-diagnostics.js';

/** The help text of `gable docs`. */
export const help = `gable docs: writes the documentation of the service as static pages

Usage: gable docs [MODEL] [--output DIR] [--root URL] [--changelog FILE] [--scopes SCOPES]

  MODEL             the CSDL document, in XML or JSON (default: model/metadata.xml)
  --output DIR      the folder of the pages (default: dist/docs, which the service serves at /docs)
  --root URL        the service root in examples; without it, the service fills in its own
  --changelog FILE  the file whose "Model" sections become the page of changes (default: CHANGELOG.md, for the
                    project's model with all scopes)
  --scopes SCOPES   the scopes of the readers, separated by spaces: what these scopes hide is left out
${modelOptionsHelp}

The pages need no server and no script. An existing folder is replaced if it has pages of an earlier run.

Exit codes: 0 done, 1 internal error, 2 fault in the model or bad input

Examples:
  gable docs
  gable docs --output public --root https://api.example.com/odata
  gable docs --output public --scopes "listing.read"
`;

/** Runs the command and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: declared });
  const model = onlyModel(positionals);
  const { output, root, changelog, scopes } = values;
  if (root !== undefined && !/^https?:\/\/[^\s?#]+$/.test(root))
    throw new UsageError(`--root must be an http or https address, not '${root}'.`);
  const choice = await chooseModel({ ...values, model });
  if (!existsSync(choice.model)) throw new UsageError(missingFile(choice.model));
  return withFaults(async () => {
    const isWhole = model === undefined && scopes === undefined;
    const count = await writeDocs(choice, {
      output,
      root,
      changelog: changelog ?? (isWhole ? defaultChangelog : undefined),
      scopes: scopes?.split(' '),
    });
    process.stdout.write(`${count} pages in ${output}\n`);
    return exitCodes.ok;
  });
}

interface DocsOptions {
  readonly output?: string;
  readonly changelog?: string | undefined;
  readonly root?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** The changelog of a project. */
const defaultChangelog = 'CHANGELOG.md';

const defaultOutput = join('dist', 'docs');

/** Writes the documentation of a model, by default where a service finds it, and returns the number of pages. */
export async function writeDocs(
  choice: ModelChoice,
  { output = defaultOutput, changelog, root, scopes }: DocsOptions = {},
): Promise<number> {
  const { source, options } = openModel(choice);
  const [{ readModel }, { emitPortal }] = await Promise.all([import('../generate.js'), import('../portal/emit-portal.js')]);
  const { graph } = readModel(source, options);
  const files = emitPortal(graph, {
    changelog: changelogText(changelog),
    ...(root !== undefined && { root }),
    ...(scopes !== undefined && { scopes }),
  });
  writePages(output, files);
  return files.filter(({ path }) => path.endsWith('.html')).length;
}

const declared = {
  ...modelOptions,
  output: { type: 'string', default: defaultOutput },
  root: { type: 'string' },
  changelog: { type: 'string' },
  scopes: { type: 'string' },
} as const;

function changelogText(path: string | undefined): string {
  if (path === undefined) return '';
  if (existsSync(path)) return readFileSync(path, 'utf8');
  if (path !== defaultChangelog) throw new UsageError(missingFile(path));
  return '';
}

/** Replaces the pages in a folder; a folder with anything else is refused. */
export function writePages(folder: string, files: readonly OutputFile[]): void {
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'docs.css')))
    throw new UsageError(`${folder} has files that are no pages; name an empty or a new folder.`);
  rmSync(folder, { recursive: true, force: true });
  for (const { path, text } of files) {
    makeFolder(join(folder, dirname(path)));
    writeFileSync(join(folder, path), text);
  }
}
