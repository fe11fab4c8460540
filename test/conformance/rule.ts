/** The services that rules are tried on: the listing one, and toys for what its model does not have. */
export const models = {
  listing: undefined,
  shelf: 'test/toy/shelf.xml',
  firm: 'test/toy/complex.xml',
  studio: 'test/toy/deep.xml',
  second: 'test/conformance/second-model.xml',
} as const;

export type ServiceName = keyof typeof models;

/** One request, and what its answer must be: a status, and a pattern over the status line, headers and body. */
export interface Step {
  readonly on?: ServiceName;
  /** `GET /Property`, beneath the service root. */
  readonly ask: string;
  readonly status: number;
  readonly shows?: RegExp;
  readonly hides?: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** How one rule of the checklist is tried. */
export type Trial =
  | { readonly rule: string; readonly steps: readonly Step[]; /** Why a rule that is no MUST is not held. */ readonly declined?: string }
  /** A filter over the listings, and the keys of those that it leaves. */
  | { readonly rule: string; readonly filter: string; readonly keys: string }
  /** It holds when every MUST of these levels holds. */
  | { readonly rule: string; readonly levels: readonly string[] }
  /** It speaks of something that this service is not. */
  | { readonly rule: string; readonly reason: string };

/** A GET on the listing service. */
export function get(path: string, shows?: RegExp, more: Partial<Step> = {}): Step {
  return { ask: `GET ${path}`, status: 200, ...(shows && { shows }), ...more };
}

/** A write with a JSON body. */
export function write(on: ServiceName, ask: string, body: object | string | undefined, status: number, more: Partial<Step> = {}): Step {
  return { on, ask, status, ...(body !== undefined && { body }), ...more };
}
