import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import type { Csdl } from '../../generator/csdl/csdl.js';
import { parseCsdl } from '../../generator/csdl/parse-csdl.js';
import { diffModels } from '../../generator/diff/diff.js';
import { changelogLines, nextVersion, stepOf, withEntry } from '../../generator/diff/report.js';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { ModelError } from '../../generator/model-error.js';
import { migrationsOf } from '../migrate/scene.js';
import { Sources } from '../../generator/sources.js';
import { flat, inputOf, modelsOf } from '../support/edits.js';
import { rules } from '../../generator/diff/rules.js';

// A case is an edit of test/diff/base.xml, see test/support/edits.ts.
const folder = new URL('../../../test/diff/', import.meta.url);
const base = flat(readFileSync(new URL('base.xml', folder), 'utf8'));
const file = new URL('rules.case', folder);
const paragraphs = readFileSync(file, 'utf8').trimEnd().split('\n\n');

test('every change of a model has its rule and its verdicts', (t) => {
  const actual = paragraphs.map((paragraph) => [...inputOf(paragraph), ...outcome(paragraph)].join('\n'));
  if (process.env['UPDATE'] === '1') writeFileSync(file, `${actual.join('\n\n')}\n`);
  for (const [index, paragraph] of paragraphs.entries()) t.is(actual[index], paragraph, 'UPDATE=1 rewrites it');
});

test('no change is called harmless to the database that a migration asks about', (t) => {
  const judged = paragraphs.flatMap((paragraph) => {
    const { old, now } = modelsOf(paragraph, base);
    const problems = problemsOf(old, now);
    return problems === undefined ? [] : [{ paragraph, problems, changes: diffModels(parse(old), parse(now)) }];
  });
  t.true(judged.length > 80);
  for (const { paragraph, problems, changes } of judged) {
    if (problems.length > 0)
      t.true(
        changes.some(({ database }) => database === 'breaking'),
        `${paragraph}\n${problems.join('\n')}`,
      );
  }
});

test('every rule is provoked by a case under its name', (t) => {
  const named = new Set(paragraphs.map(ruleOf));
  t.deepEqual(
    Object.keys(rules).filter((id) => !named.has(id)),
    [],
  );
  for (const paragraph of paragraphs)
    t.true(
      outcome(paragraph).some((line) => line.includes(` ${ruleOf(paragraph)} `)),
      paragraph.split('\n')[0],
    );
});

test('a model is the same as itself', (t) => {
  t.deepEqual(diffModels(parse(base), parse(base)), []);
});

test('what a model says in another way is no change', (t) => {
  const express = '<Parameter Name="express" Type="Edm.Boolean" Nullable="false"/>';
  const total = '<ReturnType Type="Edm.Decimal" Nullable="false"/>';
  const customers = '<EntitySet Name="Customers" EntityType="Self.Customer"/>';
  const model = (nullable: string, vocabulary: string): Csdl => {
    const restriction = `<Record><PropertyValue Property="NavigationProperty" NavigationPropertyPath="Orders"/><PropertyValue Property="Navigability" EnumMember="${vocabulary}.NavigationType/None"/></Record>`;
    return parse(
      base
        .replace(express, `<Parameter Name="express" Type="Collection(Edm.Boolean)"${nullable}/>`)
        .replace(total, `<ReturnType Type="Collection(Self.Order)"${nullable}/>`)
        .replace(
          customers,
          `${customers.replace('/>', '>')}<Annotation Term="Capabilities.NavigationRestrictions"><Record><PropertyValue Property="RestrictedProperties"><Collection>${restriction}</Collection></PropertyValue></Record></Annotation></EntitySet>`,
        ),
    );
  };
  const written = model(' Nullable="false"', 'Org.OData.Capabilities.V1');
  t.deepEqual(diffModels(model('', 'Capabilities'), written), []);
  t.is(diffModels(parse(base), written).length, 3);
});

test('the version follows from what clients and types have to do', (t) => {
  t.deepEqual(
    ['major', 'minor', 'patch', 'none'].map((step) => nextVersion('1.4.2', step as 'major')),
    ['2.0.0', '1.5.0', '1.4.3', '1.4.2'],
  );
  t.deepEqual(
    ['major', 'minor', 'patch', 'none'].map((step) => nextVersion('0.4.2', step as 'major')),
    ['0.5.0', '0.4.3', '0.4.3', '0.4.2'],
  );
  const given = base.replace(
    '<Property Name="Tags"',
    '<Property Name="Weight" Type="Edm.Int32" Nullable="false"><Annotation Term="Core.Computed"/></Property><Property Name="Tags"',
  );
  t.is(stepOf(diffModels(parse(base), parse(given))), 'minor', 'a migration that needs a decision is no promise to anyone');
});

test('the entry is put under Model of the unreleased part, once', (t) => {
  const lines = changelogLines(diffModels(parse(base), parse(base.replace('SRID="4326"', 'SRID="3857"'))));
  t.deepEqual(lines, [
    '- **Breaking**, `srid-changed`: `Order/Place`: SRID changed from 4326 to 3857; stored coordinates get another meaning.',
  ]);
  const entry = lines.join('\n');
  const released = '## [1.0.0]\n\n### Added\n- All.\n';
  const empty = withEntry(`# Changelog\n\n## [Unreleased]\n\n${released}`, lines);
  t.is(empty, `# Changelog\n\n## [Unreleased]\n\n### Model\n${entry}\n\n${released}`);
  t.is(withEntry(empty, lines), empty);
  const with2 = withEntry(`# Changelog\n\n## [Unreleased]\n\n### Model\n- Old.\n\n### Added\n- New.\n\n${released}`, lines);
  t.is(with2, `# Changelog\n\n## [Unreleased]\n\n### Model\n- Old.\n${entry}\n\n### Added\n- New.\n\n${released}`);
  t.is(withEntry('# Changelog\n', lines), `# Changelog\n\n## [Unreleased]\n\n### Model\n${entry}\n`);
});

function ruleOf(paragraph: string): string {
  return /^# ([\w-]+)/.exec(paragraph)?.[1] ?? '';
}

// The decisions that a migration needs; undefined for a model that cannot be generated.
function problemsOf(old: string, now: string): readonly string[] | undefined {
  try {
    const before = migrationsOf(old, new Map(), noDecisions);
    migrationsOf(now, before, noDecisions);
    return [];
  } catch (error) {
    if (error instanceof UndecidedError) return error.problems.map(({ message }) => message);
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}

function outcome(paragraph: string): readonly string[] {
  const { old, now } = modelsOf(paragraph, base);
  const changes = diffModels(parse(old), parse(now));
  return changes.flatMap((change) => [
    `  ${change.rule} ${change.called}: consumers ${change.consumers}, types ${change.types}, database ${change.database}`,
    `    ${change.message}`,
  ]);
}

function parse(text: string): Csdl {
  return parseCsdl({ path: 'model.xml', bytes: Buffer.from(text) }, new Sources(), ({ at, message }) => {
    throw new Error(`${message} ${text.slice(at, at + 100)}`);
  });
}
