import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { faultCodes } from '../../generator/faults.js';
import { afterSemicolon } from '../../generator/model-error.js';
import { recoveries } from '../../generator/policy.js';

const cases = new URL('../../../test/generator/cases/', import.meta.url);
const file = 'generator/fault-examples.ts';

/** Faults that no case provokes (cases.test.ts). */
const without: ReadonlySet<string> = new Set(['CSDL039', 'CSDL077']);

interface Example {
  readonly message: string;
  readonly fix: string;
  readonly source: string;
}

test('each fault has the shortest example of the cases', (t) => {
  const rows = [...shortestExamples()].sort(([a], [b]) => a.localeCompare(b, 'en'));
  t.deepEqual(
    rows.map(([code]) => code),
    [...faultCodes].filter((code) => !without.has(code)).sort(),
  );
  const table = rows.map(([code, example]) => `  ${code}: ${printed(example)},\n`).join('');
  const text = readFileSync(file, 'utf8');
  const [before = '', after = ''] = text.split(/(?<== \{\n)[^]*(?=\};\n$)/);
  const actual = `${before}${table}${after}`;
  if (process.env['UPDATE'] === '1') writeFileSync(file, actual);
  t.is(text, actual, 'UPDATE=1 rewrites it');
});

// The outcomes of the cases have a line for each fault, and below it the source: `12 |   <Property .../>`.
function shortestExamples(): ReadonlyMap<string, Example> {
  const found = new Map<string, Example>();
  for (const name of readdirSync(cases, { recursive: true, encoding: 'utf8' }).filter((each) => /(errors|expected)\.txt$/.test(each))) {
    const text = readFileSync(new URL(name, cases), 'utf8');
    for (const [, code = '', message = '', fix = '', source = ''] of text.matchAll(
      /^[\w.]+:\d+:\d+ (?:error|warning) (CSDL\d{3}) (.*?)(?<!&\w+); (.*)\n(?:\d+ \| +(.*)\n)?/gm,
    )) {
      const known = found.get(code);
      const example = { message, fix: withoutRecovery(code, fix), source: source.trimEnd() };
      if (known === undefined || weightOf(example) < weightOf(known)) found.set(code, example);
    }
  }
  return found;
}

// A warning says what becomes of the part before it says what to do.
function withoutRecovery(code: string, advice: string): string {
  const recovery = `${afterSemicolon(recoveries.get(code) ?? '')} `;
  return advice.startsWith(recovery) ? afterSemicolon(advice.slice(recovery.length)) : advice;
}

// The output cuts long lines; a whole element is the clearest example.
function weightOf({ message, source }: Example): number {
  return message.length + source.length + (/^<.*>$/.test(source) ? 0 : 1_000);
}

function printed(example: Example): string {
  const members = Object.entries(example).map(([name, text]: [string, string]) => `${name}: ${quoted(text)}`);
  return `{ ${members.join(', ')} }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
