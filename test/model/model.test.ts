import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { type Documents, faultsOf, readDocuments } from './documents.js';

const file = 'test/model/faults.case';
const model = readDocuments();

test('the model and its vocabularies validate, and every name in them resolves', async (t) => {
  t.deepEqual(await faultsOf([model]), [[]]);
});

test('every check finds the fault it is for', async (t) => {
  const text = readFileSync(file, 'utf8');
  const paragraphs = await check(text.trimEnd().split('\n\n'));
  const found = `${paragraphs.join('\n\n')}\n`;
  if (process.env['UPDATE'] === '1') writeFileSync(file, found);
  else t.is(found, text);
  // A change that no check objects to is a case that proves nothing.
  t.deepEqual(
    paragraphs.filter((paragraph) => !paragraph.startsWith('#') && !paragraph.includes('\n  fault')),
    [],
  );
});

/** The paragraphs, each with the faults that its change brings. */
async function check(paragraphs: readonly string[]): Promise<readonly string[]> {
  const cases = paragraphs.map((paragraph) => paragraph.split('\n').filter((line) => !line.startsWith('  fault')));
  const changes = cases.filter(isCase);
  const faults = await faultsOf(changes.map((lines) => changed(value(lines, 'file'), value(lines, 'find'), value(lines, 'with'))));
  return cases.map((lines) => [...lines, ...(faults[changes.indexOf(lines)] ?? []).map((fault) => `  fault  ${fault}`)].join('\n'));
}

function isCase([line]: readonly string[]): boolean {
  return !line?.startsWith('#');
}

function changed(name: string, find: string, replacement: string): Documents {
  const text = model.get(name) ?? '';
  if (!text.includes(find)) throw new Error(`${name} does not contain: ${find}`);
  return new Map([...model, [name, text.replace(find, () => replacement)]]);
}

function value(lines: readonly string[], label: string): string {
  return (
    lines
      .find((line) => line.startsWith(`  ${label} `))
      ?.slice(label.length + 3)
      .trim() ?? ''
  );
}
