import type { Choice, Mode } from './config/types.js';
import { type Fault, type Diagnostic, type Severity, ModelError, sortFaults } from './model-error.js';
import { words } from './csdl/elements.js';
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
  ['CSDL007', 'The element is ignored.'],
  ['CSDL008', 'The attribute is ignored.'],
  ['CSDL010', 'The attribute is ignored.'],
  ['CSDL013', 'The property holds strings; a navigation property is ignored.'],
  ['CSDL014', 'The property holds strings; a navigation property is ignored.'],
  ['CSDL016', 'A key property of type string is added.'],
  ['CSDL017', 'The key property is made non-nullable.'],
  ['CSDL018', 'The property remains a key, compared exactly.'],
  ['CSDL020', 'The path is removed from the annotation.'],
  ['CSDL021', 'The path is removed from the annotation.'],
  ['CSDL022', 'The partner is ignored.'],
  ['CSDL023', 'The binding is ignored.'],
  ['CSDL024', 'The referential constraint is ignored.'],
  ['CSDL025', 'The referential constraint is ignored.'],
  ['CSDL026', 'A hidden column joins the records; the properties of the constraint are not kept equal.'],
  ['CSDL027', 'A hidden column or table joins them.'],
  ['CSDL033', 'The default value is ignored; $metadata keeps it.'],
  ['CSDL034', 'The facet is ignored.'],
  ['CSDL035', 'The annotation is ignored; $metadata keeps it.'],
  ['CSDL036', 'The annotation is ignored; $metadata keeps it.'],
  ['CSDL037', 'The member is ignored; $metadata keeps it.'],
  ['CSDL038', 'The annotations are ignored; $metadata keeps them.'],
  ['CSDL046', 'The stream is ignored there; $metadata keeps it.'],
  ['CSDL073', 'The attribute is ignored.'],
  ['CSDL074', 'Only the known children of the element are read.'],
  ['CSDL075', 'The definitions of the document are unknown.'],
  ['CSDL076', 'The definitions of the document are unknown.'],
  ['CSDL079', 'The definitions of the schema are unknown.'],
  ['CSDL085', 'The records are joined by it, with a foreign key.'],
  ['CSDL097', 'The precision is reduced to the supported one.'],
  ['CSDL098', 'The referential constraint is ignored.'],
  ['CSDL101', 'It has no effect; $metadata keeps it.'],
  ['CSDL110', 'A permission in it grants nothing; anything else is ignored; $metadata keeps it.'],
  ['CSDL111', 'The whole property is meant where that is stricter; otherwise the path is ignored; $metadata keeps it.'],
  ['CSDL113', 'The scope permits nothing.'],
  ['CSDL114', 'The annotations are kept; $metadata has them.'],
  ['CSDL115', 'It is ignored; $metadata keeps it.'],
  ['CSDL116', 'The referential constraint is ignored.'],
  ['CSDL117', 'The default value is ignored; $metadata keeps it.'],
  ['CSDL118', 'The base type is ignored; $metadata keeps it.'],
  ['CSDL119', 'It is not served; $metadata keeps it.'],
  ['CSDL120', 'It is readable; $metadata keeps the annotation.'],
  ['CSDL121', 'It is writable; $metadata keeps the annotation.'],
  ['CSDL130', 'Records that exist by other means are served.'],
  ['CSDL150', 'Records that exist by other means are served.'],
  ['CSDL135', 'It is treated as Scale="variable", in $metadata too.'],
  ['CSDL136', 'It is accepted as written.'],
  ['CSDL138', 'The records are joined; a number that only one of the types has references no record.'],
  ['CSDL139', 'The navigation property is ignored there; $metadata keeps it.'],
  ['CSDL140', 'The property is ignored, and an operation with such a parameter or result is not served; $metadata keeps them.'],
  ['CSDL141', 'The navigation property is omitted; $metadata keeps it.'],
  ['CSDL142', 'The inherited property is kept; $metadata keeps both.'],
  ['CSDL143', 'The import is omitted, in $metadata too.'],
  ['CSDL151', 'The attribute is omitted, in $metadata too.'],
  ['CSDL144', 'An action or function with the name of a type is omitted, in $metadata too; an action and a function are both served.'],
  ['CSDL145', 'The name is read without them, in $metadata too.'],
  ['CSDL146', 'The first one applies; $metadata in XML keeps both.'],
  ['CSDL147', 'The annotations of the namespace are ignored; $metadata keeps them.'],
  ['CSDL149', 'Hyphens and spaces of the name are read as underscores, in $metadata too.'],
  ['CSDL148', 'A hidden column for each joins the records, and the property has the key of the one that is set.'],
  ['CSDL137', 'It is treated as a navigation property, in $metadata too.'],
  ['CSDL132', 'The scope permits nothing on records of the type.'],
  ['CSDL154', 'The scope permits nothing; $metadata keeps it.'],
  ['CSDL157', 'The inherited key is kept; $metadata keeps both.'],
  ['CSDL158', 'Members without one count on from the member before, and flags get the next bit; $metadata keeps them.'],
  ['CSDL159', 'It is not checked; $metadata keeps it.'],
  ['CSDL155', 'It is read as the member that it resembles, in $metadata too.'],
]);

/** Omissions of a document that omits more: a model written for the service need not declare them. */
const optional: ReadonlySet<string> = new Set(['CSDL027']);

/** Faults whose name was compared with all others, or looked for as a file, which takes time. */
const sought: ReadonlySet<string> = new Set(['CSDL013', 'CSDL014', 'CSDL020', 'CSDL021', 'CSDL023', 'CSDL075']);

/** Warnings about a valid model, for somebody who may rely on it. */
const alwaysWarned: ReadonlySet<string> = new Set(
  words('CSDL101 CSDL110 CSDL111 CSDL114 CSDL115 CSDL117 CSDL121 CSDL130 CSDL150 CSDL136 CSDL147 CSDL148 CSDL159'),
);

/** Valid in a document of others, which need not be for this service; in an overlay it is an error. */
const warnedInDocuments: ReadonlySet<string> = new Set(['CSDL026']);

/** The severity of a code; undefined where it is off. */
export function severityOf(code: string, { mode, choices }: Policy): Severity | undefined {
  if (!recoveries.has(code)) return 'error';
  const choice =
    (Object.hasOwn(choices, code) ? choices[code] : undefined) ??
    (mode === 'lenient' || alwaysWarned.has(code) || warnedInDocuments.has(code) ? 'warn' : optional.has(code) ? 'off' : 'error');
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

// The hint of a warning begins with the recovery, what is left out or repaired; warnings about valid models have none.
function hintOf({ code, hint }: Fault, severity: Severity): string {
  return severity === 'error' || alwaysWarned.has(code) ? hint : `${recoveries.get(code)} ${hint}`.trim();
}

/** Collects the faults of a run under one policy; faults of the overlay are errors under any. */
export class FaultCollector {
  readonly #found: Diagnostic[] = [];
  #counted = 0;

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
    this.#found.push({ ...fault, hint: hintOf(fault, severity), severity, ...(isOwn && { inOverlay: true as const }) });
    // A document of others may have any number of warnings.
    if (severity === 'error' || sought.has(fault.code)) this.#counted += 1;
    if (this.#counted >= inputLimits.faults) {
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
