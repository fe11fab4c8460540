import type { Choice, Mode } from './config/types.js';
import type { Fault, Diagnostic, Severity } from './model-error.js';
import { ModelError, sortFaults } from './model-error.js';
import { inputLimits } from './csdl/limits.js';
import { faults } from './faults.js';
import type { Sources } from './sources.js';

/** A mode with the exceptions that a project chose. */
export interface Policy {
  readonly mode: Mode;
  readonly choices: { readonly [code: string]: Choice };
}

/** The policy under which every fault stops the run. */
export const strictPolicy: Policy = { mode: 'strict', choices: {} };

/**
 * The faults with a recovery, by code. Lenient mode recovers and warns; in strict mode a project can choose recovery
 * code by code. Any other fault is fatal.
 */
export const recoveries: ReadonlyMap<string, string> = new Map([
  ['CSDL007', 'The element is left out.'],
  ['CSDL008', 'The attribute is left out.'],
  ['CSDL010', 'The attribute is left out.'],
  ['CSDL013', 'The property holds strings; a navigation property is left out.'],
  ['CSDL014', 'The property holds strings; a navigation property is left out.'],
  ['CSDL016', 'The key property is added, a string.'],
  ['CSDL017', 'The key property is never null.'],
  ['CSDL018', 'The property is a key all the same, and compared exactly.'],
  ['CSDL020', 'The path is left out of the annotation.'],
  ['CSDL021', 'The path is left out of the annotation.'],
  ['CSDL022', 'The partner is left out.'],
  ['CSDL023', 'The binding is left out.'],
  ['CSDL024', 'The referential constraint is left out.'],
  ['CSDL025', 'The referential constraint is left out.'],
  ['CSDL026', 'The referential constraint is left out, and a hidden column joins the records.'],
  ['CSDL027', "A column or a table of the service's own joins them."],
  ['CSDL033', 'The default value is left out; $metadata keeps it.'],
  ['CSDL034', 'The facet is left out.'],
  ['CSDL035', 'The annotation is left out; $metadata keeps it.'],
  ['CSDL036', 'The annotation is left out; $metadata keeps it.'],
  ['CSDL037', 'The member is left out; $metadata keeps it.'],
  ['CSDL038', 'The annotations are left out; $metadata keeps them.'],
  ['CSDL046', 'The stream is left out there; $metadata keeps it.'],
  ['CSDL073', 'The attribute is left out.'],
  ['CSDL074', 'The element is read as far as it is known.'],
  ['CSDL075', 'What the document defines is not known.'],
  ['CSDL076', 'What the document defines is not known.'],
  ['CSDL079', 'What the schema defines is not known.'],
  ['CSDL085', 'The records are joined so, and foreign keys held to it.'],
  ['CSDL097', 'The precision is what can be kept.'],
  ['CSDL098', 'The referential constraint is left out.'],
  ['CSDL101', 'It has no effect; $metadata keeps it.'],
  ['CSDL110', 'What it permits is permitted to nobody; anything else is left out; $metadata keeps it.'],
  ['CSDL111', 'The whole is taken where that is the stricter reading; otherwise the path is left out; $metadata keeps it.'],
  ['CSDL113', 'The scope permits nothing.'],
  ['CSDL114', 'The annotations are kept; $metadata has them.'],
  ['CSDL115', 'It is left out; $metadata keeps it.'],
  ['CSDL116', 'The referential constraint is left out.'],
  ['CSDL117', 'The default value is left out; $metadata keeps it.'],
  ['CSDL118', 'The type is read without its base type; $metadata keeps it.'],
  ['CSDL119', 'It is not served; $metadata keeps it.'],
  ['CSDL120', 'It is shown like any other; $metadata keeps the annotation.'],
  ['CSDL121', 'It is written like any other; $metadata keeps the annotation.'],
  ['CSDL130', 'Those that are stored by other means are served.'],
  ['CSDL135', 'It is read as Scale="variable", and $metadata says so.'],
  ['CSDL136', 'It is taken as it stands.'],
  ['CSDL138', 'The records are joined all the same; a number that only one of the types has leads to none.'],
  ['CSDL139', 'The navigation property is left out there; $metadata keeps it.'],
  ['CSDL140', 'The property is omitted, and an operation with such a parameter or result is not offered; $metadata keeps them.'],
  ['CSDL141', 'The navigation property is omitted; $metadata keeps it.'],
  ['CSDL142', 'The inherited property is kept; $metadata keeps both.'],
  ['CSDL137', 'It is read as a navigation property, and $metadata says so.'],
  ['CSDL132', 'The scope permits nothing on records of the type.'],
]);

/** Omissions of a document that omits more: a model written for the service need not declare them. */
const optional: ReadonlySet<string> = new Set(['CSDL027']);

/** Warnings about a valid model, for somebody who may rely on it. */
const alwaysWarned: ReadonlySet<string> = new Set([
  'CSDL101',
  'CSDL110',
  'CSDL111',
  'CSDL114',
  'CSDL115',
  'CSDL117',
  'CSDL121',
  'CSDL130',
  'CSDL136',
]);

/** The severity of a code; undefined where it is off. */
function severityOf(code: string, { mode, choices }: Policy): Severity | undefined {
  if (!recoveries.has(code)) return 'error';
  const choice =
    (Object.hasOwn(choices, code) ? choices[code] : undefined) ??
    (mode === 'lenient' || alwaysWarned.has(code) ? 'warn' : optional.has(code) ? 'off' : 'error');
  if (choice === 'off') return undefined;
  return choice === 'warn' ? 'warning' : 'error';
}

/**
 * The severity of a code in the project's own text: choices are made for somebody else's document, and hide none of our
 * own faults.
 */
function ownSeverityOf(code: string, policy: Policy): Severity | undefined {
  return alwaysWarned.has(code) || optional.has(code) ? severityOf(code, policy) : 'error';
}

/** Collects the faults of a run under one policy; faults of the overlay are errors under any. */
export class FaultCollector {
  readonly #found: Diagnostic[] = [];

  constructor(
    readonly sources: Sources,
    private readonly policy: Policy,
    private readonly overlay?: string,
  ) {}

  /** Adds a fault; ends the run at the limit. */
  readonly report = (fault: Fault): void => {
    const isOwn = this.overlay !== undefined && this.sources.locate(fault.at).path === this.overlay;
    const severity = isOwn ? ownSeverityOf(fault.code, this.policy) : severityOf(fault.code, this.policy);
    if (severity === undefined) return;
    this.#found.push({ ...fault, severity, ...(isOwn && { inOverlay: true as const }) });
    if (this.#found.length >= inputLimits.faults) {
      const last: Diagnostic = { ...faults.tooManyFaults(fault.at, String(inputLimits.faults)), severity: 'error' };
      throw new ModelError(this.sources, sortFaults([...this.#found, last]));
    }
  };

  /** All findings, in order. */
  get diagnostics(): readonly Diagnostic[] {
    return sortFaults(this.#found);
  }

  /** Throws if any finding is an error. */
  stopOnErrors(): void {
    if (this.#found.some(({ severity }) => severity === 'error')) throw new ModelError(this.sources, this.diagnostics);
  }
}
