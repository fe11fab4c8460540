import { gravestOf, type Change } from '../diff/diff.js';
import { changelogLines, countsOf, type Step } from '../diff/report.js';
import { audiences } from '../diff/rules.js';

/** The result of `gable diff`. */
export interface Report {
  readonly old: string;
  readonly new: string;
  readonly changes: readonly Change[];
  readonly placeOf: (change: Change) => string;
  readonly step: Step;
  readonly current: string;
  readonly version: string;
}

/** The result as JSON. */
export function reportJson(report: Report): object {
  const { old, new: now, changes, step, current, version, placeOf } = report;
  return {
    old,
    new: now,
    changes: changes.map((change) => ({
      rule: change.rule,
      path: change.path,
      message: change.message,
      place: placeOf(change),
      consumers: change.consumers,
      types: change.types,
      database: change.database,
    })),
    counts: countsOf(changes),
    step,
    version: { current, next: version },
    changelog: changelogLines(changes),
  };
}

/** The result as text; the changelog entry comes last, unless it was written to a file. */
export function printReport(report: Report, changelog: string | undefined): string {
  const { old, new: now, changes, step, current, version } = report;
  if (changes.length === 0) return `${old} and ${now} are equivalent.\n`;
  const counts = countsOf(changes);
  const total = changes.length === 1 ? 'One change' : `${changes.length} changes`;
  const entry = changelogLines(changes);
  return [
    ...changes.map((change) => printChange(change, report)),
    `${total}: ${counts.breaking} breaking, ${counts.additive} additive, ${counts.patch} patch.`,
    `Version step: ${step}${step === 'none' ? '' : `, from ${current} to ${version}${earlyNote(report)}`}.`,
    ...(entry.length === 0
      ? ['No change needs a changelog entry.']
      : changelog === undefined
        ? ['', 'For the changelog:', '', '### Model', ...entry]
        : [`The entry is in ${changelog}.`]),
    '',
  ].join('\n');
}

// Below 1.0.0 each step is one number lower (Semantic Versioning 2.0.0, 4).
function earlyNote({ step, current }: Report): string {
  return current.startsWith('0.') && (step === 'major' || step === 'minor')
    ? ` (below 1.0.0 a ${step} step raises the ${step === 'major' ? 'second' : 'third'} number)`
    : '';
}

function printChange(change: Change, { placeOf }: Report): string {
  const verdicts = audiences.map((audience) => `${audience} ${change[audience]}`).join(', ');
  return [
    `${gravestOf(change).padEnd(8)}  ${change.rule}  ${change.called}  (${placeOf(change)})`,
    `          ${change.message}`,
    `          ${verdicts}`,
    '',
  ].join('\n');
}
