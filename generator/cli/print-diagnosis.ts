import { isOpen, recoveryOf, type Diagnosis } from '../doctor/diagnose.js';
import { type Diagnostic, printFault } from '../model-error.js';
import { joinRules } from '../repair/infer-joins.js';
import type { Sources } from '../sources.js';
import { diagnosticsToJson } from './print-outcome.js';
import type { Paint } from './painter.js';

/** The doctor's report as text: inferences with their rules, repairs, and open decisions. */
export function printDiagnosis(diagnosis: Diagnosis, sources: Sources, paint: Paint): string {
  const { inferred, undecided, undefinedTypes, nullableKeys, others, refused } = diagnosis;
  const place = ({ at }: Diagnostic): string => {
    const { path, line, column } = sources.locate(at);
    return `${path}:${line}:${column}`;
  };
  const title = (text: string, count: number, color: number): string => paint(`${text} (${count})`, color);
  const filledCount = undefinedTypes.length + nullableKeys.length + [...others.values()].flat().length;
  const [open, hidden] = [undecided.filter(isOpen), undecided.filter((one) => !isOpen(one))];
  const sections = [
    [title('Inferred', inferred.length, 36), inferredLines(inferred, place)],
    [title('Filled in', filledCount, 36), filledLines(diagnosis, place)],
    [title('Joined by hidden columns or tables', hidden.length, 36), hidden.map((one) => `  ${undecidedLine(one, place)}`)],
    [title('Needs a decision', open.length, 33), open.map((one) => `  ${undecidedLine(one, place)}`)],
    [title('Refused', refused.length, 31), refused.map((diagnostic) => `  ${printFault(sources, diagnostic)}`)],
  ] as const;
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([head, lines]) => `${head}\n${lines.join('\n')}\n`)
    .join('\n');
}

type Place = (diagnostic: Diagnostic) => string;

function inferredLines(inferred: Diagnosis['inferred'], place: Place): readonly string[] {
  const line = (diagnostic: Diagnostic): string => `    ${place(diagnostic)} ${diagnostic.inferred?.join ?? diagnostic.message}`;
  return joinRules.flatMap(({ name, description }) => {
    const by = inferred.filter(({ rule }) => rule === name);
    return by.length === 0 ? [] : [`  ${name}: ${description}.`, ...by.map(({ diagnostic }) => line(diagnostic))];
  });
}

function filledLines({ undefinedTypes, nullableKeys, others }: Diagnosis, place: Place): readonly string[] {
  const types = undefinedTypes.map(
    ({ name, diagnostics: [first, ...more] }) =>
      `    ${first === undefined ? '' : place(first)} ${name}${more.length === 0 ? '' : ` and ${more.length} more`}`,
  );
  const keys = nullableKeys.map(({ diagnostic, type, property }) => `    ${place(diagnostic)} ${type}/${property.name}`);
  return [
    ...(types.length === 0 ? [] : ['  Undefined types, treated as strings:', ...types]),
    ...(keys.length === 0 ? [] : ['  Nullable keys, treated as required:', ...keys]),
    ...[...others].flatMap(([code, found]) => [
      `  ${code}: ${recoveryOf(code)}`,
      ...found.map((diagnostic) => `    ${place(diagnostic)} ${diagnostic.message}`),
    ]),
  ];
}

function undecidedLine({ diagnostic, type, property, candidates }: Diagnosis['undecided'][number], place: Place): string {
  const perhaps = candidates.length === 0 ? '' : `: perhaps by ${candidates.map(([own]) => own).join(' or ')}`;
  return `${place(diagnostic)} ${type}/${property.name}${perhaps}`;
}

/** The doctor's report as JSON, with every member present. */
export function diagnosisToJson(diagnosis: Diagnosis, sources: Sources): object {
  const { inferred, undecided, undefinedTypes, nullableKeys, others, refused } = diagnosis;
  const one = (diagnostic: Diagnostic): object => ({ ...diagnosticsToJson({ sources, diagnostics: [diagnostic] })[0] });
  return {
    inferred: inferred.map(({ diagnostic, type, property, rule, pairs }) => ({
      ...one(diagnostic),
      type,
      navigation: property.name,
      rule,
      foreignKey: Object.fromEntries(pairs),
    })),
    undefinedTypes: undefinedTypes.map(({ name, diagnostics }) => ({ name, uses: diagnosticsToJson({ sources, diagnostics }) })),
    nullableKeys: nullableKeys.map(({ diagnostic, type, property }) => ({ ...one(diagnostic), type, property: property.name })),
    others: [...others.values()].flatMap((found) =>
      found.map((diagnostic) => ({ ...one(diagnostic), recovery: recoveryOf(diagnostic.code) })),
    ),
    undecided: undecided.map(({ diagnostic, type, property, target, candidates }) => ({
      ...one(diagnostic),
      type,
      navigation: property.name,
      target,
      candidates: candidates.map(([own]) => own),
    })),
    refused: diagnosticsToJson({ sources, diagnostics: refused }),
  };
}

/** All diagnostics of a diagnosis, in the order of the text. */
export function diagnosticsOf({ inferred, undecided, undefinedTypes, nullableKeys, others, refused }: Diagnosis): readonly Diagnostic[] {
  const found = [
    ...[...inferred, ...undecided, ...nullableKeys].map(({ diagnostic }) => diagnostic),
    ...undefinedTypes.flatMap(({ diagnostics }) => diagnostics),
    ...[...others.values()].flat(),
    ...refused,
  ];
  return found.sort((one, other) => one.at - other.at);
}
