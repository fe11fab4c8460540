import { explanations } from '../explanations.js';
import type { FindingFormat } from './finding-format.js';
import type { Found } from './print-outcome.js';
import { generatorVersion } from '../version.js';

/** A finding of a command, for tools that show it at its place. */
export interface Finding {
  readonly code: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: string;
  /** The file, with forward slashes. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** The printers by format. */
const printers: { readonly [Format in FindingFormat]: (findings: readonly Finding[]) => string } = {
  sarif: printSarif,
  github: printAnnotations,
};

/** Findings in the format of a tool. */
export function printFindings(findings: readonly Finding[], format: FindingFormat): string {
  return printers[format](findings);
}

/** The diagnostics of a model as findings. */
export function findingsOf({ sources, diagnostics }: Found): readonly Finding[] {
  return diagnostics.map(({ code, severity, at, message, hint }) => {
    const { path, line, column } = sources.locate(at);
    return { code, level: severity, message: hint === '' ? message : `${message} ${hint}`, file: path, line, column };
  });
}

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

// SARIF 2.1.0; each rule that has results is described.
function printSarif(findings: readonly Finding[]): string {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const driver = {
    name: 'gable',
    version: generatorVersion,
    rules: codes.map((id) => ({ id, shortDescription: { text: meaningOf(id) } })),
  };
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results: findings.map(resultOf) };
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function resultOf({ code, level, message, file, line, column }: Finding): object {
  const region = line === undefined ? {} : { region: { startLine: line, ...(column !== undefined && { startColumn: column }) } };
  return {
    ruleId: code,
    level,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(slashed(file)) }, ...region } }],
  };
}

function meaningOf(code: string): string {
  return explanations().find((one) => one.code === code)?.meaning ?? code;
}

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const;

function printAnnotations(findings: readonly Finding[]): string {
  return findings
    .map(({ code, level, message, file, line, column }) => {
      const properties = { file: slashed(file), line, col: column, title: code };
      const printed = Object.entries(properties).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${escapedProperty(String(value))}`],
      );
      return `::${commands[level]} ${printed.join(',')}::${escapedText(message)}\n`;
    })
    .join('');
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

// The runner reads these characters as its own.
function escapedText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
