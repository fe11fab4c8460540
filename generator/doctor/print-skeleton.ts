import type { Mode } from '../config/types.js';
import { isOpen, type Diagnosis, type Inferred, type Undecided } from './diagnose.js';

/**
 * Prints the overlay that makes decisions of all inferences and repairs: current ones as lines, and as comments those
 * that need knowledge of the data. Strict mode infers nothing, so suggestions from names are comments, too.
 */
export function printSkeleton(model: string, diagnosis: Diagnosis, mode: Mode): string {
  const decisions = [...typesOf(diagnosis, mode), ...lookupsOf(diagnosis)];
  return [
    `// The gaps of ${model}. Written once, and yours from now on: a line that stays is a decision.`,
    '{',
    ...(decisions.length === 0 ? nothingLeftOut : decisions),
    '}',
    '',
  ].join('\n');
}

/** Whether the skeleton has lines that are not comments. */
export function hasDecisions({ inferred, undecided, undefinedTypes, nullableKeys }: Diagnosis): boolean {
  return undecided.some(isOpen) || [inferred, undefinedTypes, nullableKeys].some(({ length }) => length > 0);
}

// The text of an overlay without findings, which shows its form.
const nothingLeftOut = [
  '  // No gaps were found. An example of a member:',
  '  // "types": { "Order": { "navigation": { "Customer": { "foreignKey": { "CustomerId": "Id" } } } } },',
];

function typesOf(diagnosis: Diagnosis, mode: Mode): readonly string[] {
  const { inferred, undecided, nullableKeys } = diagnosis;
  const types = [...new Set([...nullableKeys, ...inferred, ...undecided].map(({ type }) => type))];
  return types.length === 0 ? [] : ['  "types": {', ...types.flatMap((type) => typeLines(type, diagnosis, mode)), '  },'];
}

function typeLines(type: string, { inferred, undecided, nullableKeys }: Diagnosis, mode: Mode): readonly string[] {
  const keys = nullableKeys
    .filter((found) => found.type === type)
    .map(({ property }) => `        ${quote(property.name)}: { "nullable": false },`);
  const navigation = [
    ...inferred.filter((found) => found.type === type).map((found) => inferredLine(found, mode)),
    ...undecided.filter((found) => found.type === type).flatMap(undecidedLines),
  ];
  return [
    `    ${quote(type)}: {`,
    ...(keys.length === 0 ? [] : ['      "properties": {', ...keys, '      },']),
    ...(navigation.length === 0 ? [] : ['      "navigation": {', ...navigation, '      },']),
    '    },',
  ];
}

function inferredLine({ property, pairs, rule }: Inferred, mode: Mode): string {
  const line = `${quote(property.name)}: { "foreignKey": { ${pairs.map(printPair).join(', ')} } },`;
  return mode === 'lenient' ? `        ${line} // inferred: ${rule}` : `        // ${line} // names suggest it: ${rule}`;
}

function undecidedLines({ property, target, candidates }: Undecided): readonly string[] {
  const many = property.collection ? 'records of' : 'one record of';
  return [
    `        // Decide: how does ${property.name} reference ${many} ${target}? Until then the service keeps it in a hidden ${property.collection ? 'table' : 'column'}.`,
    ...candidates.map((pair) => `        // ${quote(property.name)}: { "foreignKey": { ${printPair(pair)} } },`),
    `        // ${quote(property.name)}: { "leaveOut": true },`,
  ];
}

function printPair([own, other]: readonly [string, string]): string {
  return `${quote(own)}: ${quote(other)}`;
}

function lookupsOf({ undefinedTypes }: Diagnosis): readonly string[] {
  if (undefinedTypes.length === 0) return [];
  return [
    '  // Undefined types: null accepts any string, a list such as ["A", "B"] only these.',
    '  "lookups": {',
    ...undefinedTypes.map(({ name }) => `    ${quote(name)}: null,`),
    '  },',
  ];
}

function quote(text: string): string {
  return JSON.stringify(text);
}
