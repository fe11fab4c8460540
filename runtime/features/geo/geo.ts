import { valueHooks } from '../../plan/value/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { circleBounds } from './circle.js';
import { compileGeo } from './compile-geo.js';
import { shapes } from './shapes.js';

/** Registers geo literals, values and functions. */
export function registerGeo(): void {
  valueHooks.register({ shapes });
  sqlHooks.register({ shapes: { compile: compileGeo, boundsOf: circleBounds } });
}
