import { randomBytes } from 'node:crypto';
import { Script } from 'node:vm';
import { IndentationText, Project, QuoteKind, StructureKind, ts, type compiler, type StatementStructures } from './ts-morph.js';
import type { OnProgress } from '../../runtime/tools/cli/progress.js';
import { withHeader, type OutputFile } from '../output/header.js';
import type { Artifact } from './artifacts.js';
import { placeImports, type Home } from './place-imports.js';
import type { Emitted } from './structures.js';

/** The content of headers, the prefix of imports, and the progress callback. */
interface Rendering {
  readonly source: string;
  readonly home: Home;
  readonly onProgress: OnProgress | undefined;
}

/** Prints every file, or throws before anything is written. */
export function renderAll(
  artifacts: readonly Artifact[],
  { source, home, onProgress = () => undefined }: Rendering,
): readonly OutputFile[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Single },
  });
  return artifacts.map((artifact, index) => {
    const file = withHeader(artifact.path, renderBody(artifact, project, home), source);
    onProgress('files generated', index + 1, artifacts.length);
    return file;
  });
}

function renderBody(artifact: Artifact, project: Project, home: Home): string {
  if ('text' in artifact) return artifact.text;
  return renderTypeScript(artifact.path, placeImports(artifact.path, artifact.structure(), home), project);
}

function renderTypeScript(path: string, statements: Emitted, project: Project): string {
  // One name for all, since ts-morph keeps every folder.
  const file = project.createSourceFile('emitted.ts', { statements: statements.map(spaced).map(withPlaceholders) });
  const tables = statements.flatMap(tablesOf);
  checkParsed(path, file.compilerNode, isSame(file.compilerNode.statements.map(parsedName), statements.map(expectedName)));
  for (const table of tables) checkTable(path, table);
  const remaining = tables.values();
  // Line breaks in literals are escaped, so blank lines are the printer's.
  const text = file
    .getFullText()
    .replace(/^\s+/, '')
    .replace(/ +$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n')
    .replaceAll(placeholder, () => remaining.next().value ?? '');
  file.forget();
  return text;
}

// Tables are most of the text: ts-morph would parse them once more, and indent their lines. A model cannot know the name.
const placeholder = `_${randomBytes(16).toString('hex')}`;

function withPlaceholders(statement: StatementStructures): StatementStructures {
  if (statement.kind !== StructureKind.VariableStatement) return statement;
  const declarations = statement.declarations.map((one) => ({ ...one, initializer: placeholder + typingOf(String(one.initializer)) }));
  return { ...statement, declarations };
}

function tablesOf(statement: StatementStructures): readonly string[] {
  if (statement.kind !== StructureKind.VariableStatement) return [];
  return statement.declarations.map(({ initializer }) => withoutTyping(String(initializer)));
}

// The end of an initializer that is no JavaScript.
const typing = / as const satisfies [^'"]+$/;

function typingOf(initializer: string): string {
  return typing.exec(initializer)?.[0] ?? '';
}

function withoutTyping(initializer: string): string {
  return initializer.slice(0, initializer.length - typingOf(initializer).length);
}

// Imports and exports are grouped; everything else is preceded by a blank line.
function spaced(statement: StatementStructures, index: number, all: readonly StatementStructures[]): StatementStructures {
  const isJoined = isImportOrExport(statement) && isImportOrExport(all[index - 1]);
  return index === 0 || isJoined ? statement : { ...statement, leadingTrivia: '\n' };
}

function isImportOrExport(statement: StatementStructures | undefined): boolean {
  return statement?.kind === StructureKind.ImportDeclaration || statement?.kind === StructureKind.ExportDeclaration;
}

// Text of the model that left its literal would have to end both kinds of brackets, or add an expression where only one may be.
// V8 parses tables at a twentieth of what the compiler takes.
function checkTable(path: string, table: string): void {
  const text = table.replaceAll(' as const', '');
  try {
    void [new Script(`(${text})`), new Script(`({ [${text}]: 0 })`)];
  } catch (failure) {
    throw invalid(path, (failure as SyntaxError).message);
  }
}

function checkParsed(path: string, file: compiler.SourceFile, isExpected: boolean): void {
  // The parsed file has syntax errors that the compiler's declarations omit; a program would cost ten times as much.
  const { parseDiagnostics: diagnostics } = file as unknown as { readonly parseDiagnostics: readonly compiler.Diagnostic[] };
  if (diagnostics.length === 0 && isExpected) return;
  throw invalid(path, ts.flattenDiagnosticMessageText(diagnostics[0]?.messageText ?? 'it declares something else than the model', ' '));
}

function invalid(path: string, reason: string): Error {
  return new Error(`${path} is emitted as invalid TypeScript: ${reason}`);
}

function isSame(parsed: readonly string[], expected: readonly string[]): boolean {
  return parsed.join('\n') === expected.join('\n');
}

function parsedName(statement: compiler.Statement): string {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => (ts.isIdentifier(name) ? name.text : '?')).join(',');
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isFunctionDeclaration(statement))
    return statement.name?.text ?? '?';
  const isModule = (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) && statement.moduleSpecifier !== undefined;
  return isModule && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : '?';
}

function expectedName(statement: StatementStructures): string {
  switch (statement.kind) {
    case StructureKind.VariableStatement:
      return statement.declarations.map(({ name }) => name).join(',');
    case StructureKind.Interface:
    case StructureKind.TypeAlias:
    case StructureKind.Function:
      return statement.name ?? '';
    case StructureKind.ImportDeclaration:
    case StructureKind.ExportDeclaration:
      return statement.moduleSpecifier ?? '';
    default:
      return '';
  }
}
