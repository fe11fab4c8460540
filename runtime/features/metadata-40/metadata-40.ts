import { httpHooks } from '../../http/hooks.js';
import { csdl40 } from './csdl-40.js';

/** Registers the metadata document of 4.0. */
export function registerMetadata40(): void {
  httpHooks.register({ metadata40: csdl40 });
}
