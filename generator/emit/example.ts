import type { Json } from '../../runtime/json/json.js';

/** The service root in documents, in place of the one that is known when they are served. */
export const root = 'https://service.example/odata';

/** A request that a model accepts, with its answer. */
export interface Example {
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path after the service root. */
  readonly path: string;
  /** Query options, not encoded. */
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly body?: Json;
  /** The header that a change of the record requires. */
  readonly ifMatch?: string;
  readonly status: number;
  /** The body of the answer; absent where it has none, or is the whole record. */
  readonly answer?: Json;
}

/** The headers of an example besides the token. */
export function headersOf({ body, ifMatch }: Example): readonly (readonly [name: string, value: string])[] {
  return [
    ...(ifMatch === undefined ? [] : [['If-Match', ifMatch] as const]),
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ];
}
