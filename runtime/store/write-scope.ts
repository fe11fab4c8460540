import type { EntityContainer, Extensions } from '../edm/index.js';

/** What a write needs beside its plan. */
export interface WriteScope {
  readonly container: EntityContainer;
  readonly extensions: Extensions;
  /** Key of the member behind the request, where the token names one. */
  readonly member: string | undefined;
}
