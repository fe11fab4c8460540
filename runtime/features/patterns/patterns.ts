import { planHooks } from '../../plan/hooks.js';
import { translatePattern } from './pattern.js';

/** Registers the patterns of `matchespattern`. */
export function registerPatterns(): void {
  planHooks.register({ translatePattern });
}
