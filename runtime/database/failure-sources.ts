/**
 * The source of a failed statement that handlers and hooks can see: `own`, which they sent through the models, or
 * `service`.
 */
type FailureSource = 'own' | 'service';

const sources = new WeakMap<object, FailureSource>();

/** Records the source of a failure, unless it has one. */
export function noteSource(failure: unknown, source: FailureSource): void {
  if (typeof failure === 'object' && failure !== null && !sources.has(failure)) sources.set(failure, source);
}

/** The source of a failure, or of the one that Sequelize wraps in it; undefined if no statement of the service has it. */
export function sourceOf(failure: unknown): FailureSource | undefined {
  if (typeof failure !== 'object' || failure === null) return undefined;
  return sources.get(failure) ?? sourceOf((failure as { readonly original?: unknown }).original);
}
