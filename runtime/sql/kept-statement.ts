import type { EntityType } from '../edm/index.js';
import type { Bind, Statement } from './statement.js';

/** The limit per type; clients choose the properties that they send. */
const mostShapes = 200;

/** The kept statements of each type, by shape. */
export type KeptStatements = WeakMap<EntityType, Map<string, Statement>>;

/** The shape and the binds of a statement. */
interface Kept {
  readonly type: EntityType;
  /** Equal where the text is: the names of the bound values. */
  readonly shape: string;
  /** The varying values, which the statement binds first and in this order. */
  readonly binds: readonly Bind[];
}

/**
 * The kept statement of the shape with other values, compiled if necessary; an identical text is found by its prepared
 * name without being parsed.
 */
export function keptStatement(kept: KeptStatements, { type, shape, binds }: Kept, compile: () => Statement): Statement {
  const ofType = kept.get(type) ?? new Map<string, Statement>();
  kept.set(type, ofType);
  const known = ofType.get(shape);
  if (known !== undefined) return { ...known, bind: [...binds, ...known.bind.slice(binds.length)] };
  const compiled = compile();
  if (ofType.size >= mostShapes) ofType.clear();
  ofType.set(shape, compiled);
  return compiled;
}
