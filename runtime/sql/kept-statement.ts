import type { EntityType } from '../edm/index.js';
import type { Bind, Statement } from './statement.js';

/** Of a type; clients choose which properties they send, so that there may be very many. */
const mostShapes = 200;

/** Statements of a type, each compiled once for its shape. */
export type KeptStatements = WeakMap<EntityType, Map<string, Statement>>;

/** What tells a statement of a type from others, and what it is compiled of. */
interface Kept {
  readonly type: EntityType;
  /** Equal where the text is: the names of what is bound. */
  readonly shape: string;
  /** What differs from time to time; the statement binds it first, and in this order. */
  readonly binds: readonly Bind[];
}

/** The statement of that shape with other values; a text that is one and the same is found by its name without being read again. */
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
