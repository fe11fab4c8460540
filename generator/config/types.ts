/** How much a document may leave out or get wrong. */
export type Mode = 'strict' | 'lenient';

/** What a project wants of a code. */
export type Choice = 'error' | 'warn' | 'off';

/** What `gable.config.ts`, `.js`, `.mjs` or `.json` may say. */
export interface Config {
  /** The CSDL document; `model/metadata.xml` when left out. */
  readonly model?: string;
  /** What the document leaves out; `overlay.jsonc` beside the model when left out. */
  readonly overlay?: string;
  /** Where generated code goes; `generated` when left out. */
  readonly output?: string;
  /** `strict` refuses what the standard refuses; `lenient` goes on and warns where it can. */
  readonly mode?: Mode;
  /** What a code of a diagnostic does, whatever the mode says. */
  readonly diagnostics?: { readonly [code: string]: Choice };
}
