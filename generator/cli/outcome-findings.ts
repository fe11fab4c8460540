import { migrationCodes } from '../../runtime/errors/migration-codes.js';
import { exitCodes } from './exit-codes.js';
import { type Finding, findingsOf } from './findings.js';
import { type Outcome, placeOf, refusals, unusedText } from './print-outcome.js';

/** The outcome of `gable generate` as findings: faults of the model, missing decisions, edited and stale files. */
export function findingsOfOutcome(outcome: Outcome, again: string): readonly Finding[] {
  const { model } = outcome;
  switch (outcome.kind) {
    case 'missing':
      return [{ code: 'CSDL000', level: 'error', message: 'There is no such file.', file: model }];
    case 'faulty':
      return findingsOf(outcome.found);
    case 'undecided':
      return [
        ...(outcome.found ? findingsOf(outcome.found) : []),
        ...outcome.problems.map(({ kind, message }) => ({
          code: migrationCodes[kind].code,
          level: 'error' as const,
          message,
          file: model,
        })),
      ];
    case 'planned':
      return [...findingsOf(outcome.found), ...outputFindings(outcome, again)];
  }
}

function outputFindings({ model, output, plan, exitCode }: Extract<Outcome, { kind: 'planned' }>, again: string): readonly Finding[] {
  const refused = plan.refused.map(({ path, why }) => ({
    code: `file-${why}`,
    level: 'error' as const,
    message: `The file was ${refusals[why]}`,
    file: `${output}/${path}`,
  }));
  const unused = plan.unused.map((handler) => ({
    code: 'handler-unused',
    level: 'warning' as const,
    message: `The handler is ${unusedText(handler)}`,
    file: placeOf(output, handler.path),
  }));
  const found = [...refused, ...unused];
  if (exitCode !== exitCodes.stale) return found;
  return [...found, { code: 'output-stale', level: 'error', message: `${output} is not current. Run: ${again}`, file: model }];
}
