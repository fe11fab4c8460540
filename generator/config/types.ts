/** The tolerance for faults of a document. */
export type Mode = 'strict' | 'lenient';

/** The severity that a project chooses for a code. */
export type Choice = 'error' | 'warn' | 'off';

/** The configuration in `gable.config.ts`, `.js`, `.mjs` or `.json`. */
export interface Config {
  /** The CSDL document; by default `model/metadata.xml`. */
  readonly model?: string;
  /** Additions to the document; by default `overlay.jsonc` in the model's folder. */
  readonly overlay?: string;
  /** The folder for generated code; by default `generated`. */
  readonly output?: string;
  /** `strict` rejects what the standard forbids; `lenient` repairs and warns where it can. */
  readonly mode?: Mode;
  /** The severity of codes, whatever the mode. */
  readonly diagnostics?: { readonly [code: string]: Choice };
}
