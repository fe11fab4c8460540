import type { Operation } from '../changes/read-changes.js';

/** The formats of a delivery; `standard` is that of Standard Webhooks. */
export const hookFormats = ['reso', 'cloudevents', 'standard'] as const;

/** The scope of tokens that may manage the hooks of their subject. */
export const hookScope = 'gable.hooks';

/** The format of a hook's deliveries. */
export type HookFormat = (typeof hookFormats)[number];

/** The changes that a consumer is to receive, and its address. */
export interface HookOptions {
  readonly id: string;
  /** An https URL. */
  readonly address: string;
  readonly format: HookFormat;
  /** All tracked sets when absent. */
  readonly sets?: readonly string[];
  /** All when absent. */
  readonly operations?: readonly Operation[];
  /** The permissions of the hook: it delivers what a token with them could read. */
  readonly scopes: readonly string[];
  readonly member?: string;
  /** The subject of the token that added the hook; absent where the command did. */
  readonly owner?: string;
  /** The bearer token that the consumer expects. */
  readonly bearer?: string;
}

/** A hook: a consumer's cursor into the change log. */
export interface Hook extends Omit<HookOptions, 'bearer'> {
  /** `stopped` after the last try of a delivery, or an answer 410. */
  readonly state: 'active' | 'paused' | 'stopped';
  /** The reason of the last failure. */
  readonly reason?: string;
  /** Whether the consumer has accepted a test; before, it gets nothing else. */
  readonly confirmed: boolean;
  /** The number of the last change that was delivered or passed over. */
  readonly position: string;
  /** The last number that the log has drawn. */
  readonly last: string;
  /** Deletions up to this number may have been removed from the log. */
  readonly floor: string;
  readonly failures: number;
  readonly failingSince?: string;
  readonly nextTry: string;
  readonly created: string;
  readonly delivered?: string;
  /** The random text from which its signing secrets are derived. */
  readonly seed: string;
  readonly secretNumber: number;
  /** Whether the previous secret signs, too. */
  readonly isRotating: boolean;
  readonly sealedBearer?: string;
}
