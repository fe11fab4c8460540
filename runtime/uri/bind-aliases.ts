import { errors } from '../errors/catalogue.js';
import type { AliasExpr, CommonExpr, MemberExpr } from '../expression/ast.js';
import { expressionLimits, longText } from '../expression/token.js';
import type { QueryOptions } from './query-options.js';

/** Replaces parameter aliases by their values (URL conventions 5.3.2), null for those without one. The size of the result is limited. */
export function bindAliases({ aliases = new Map(), ...options }: QueryOptions): QueryOptions {
  // Expressions are replaced by expressions, so the options keep their shape.
  return bind(options, { aliases, open: [], lambdas: 0, size: { nodes: 0, literals: 0 }, bound: new Map() }) as QueryOptions;
}

interface Binding {
  readonly aliases: ReadonlyMap<string, CommonExpr>;
  /** The aliases whose values are being expanded. */
  readonly open: readonly string[];
  /** The offset of the outermost alias: errors in its value are reported there. */
  readonly at?: number;
  readonly lambdas: number;
  readonly size: Size;
  /** Values already expanded, by alias and offset: an alias that doubles with every reference is expanded once. */
  readonly bound: Map<string, { readonly value: CommonExpr; readonly size: Readonly<Size> }>;
}

interface Size {
  nodes: number;
  literals: number;
}

function bind(value: unknown, binding: Binding): unknown {
  if (Array.isArray(value)) return value.map((item) => bind(item, binding));
  if (typeof value !== 'object' || value === null) return value;
  if (isAlias(value)) return valueOf(value, binding);
  if ('aliases' in value && value.aliases instanceof Map) return bindWithin(value, value.aliases, binding);
  const inner = 'kind' in value ? counted(value, binding) : binding;
  const bound: Record<string, unknown> = {};
  // Assignment instead of Object.entries/fromEntries, which takes twice the time; a request may need a thousand copies.
  for (const [name, part] of Object.entries(value))
    bound[name] = name === 'base' && isAlias(part) ? valueOf(part, inner) : bind(part, inner);
  if ('at' in bound && binding.at !== undefined) bound['at'] = binding.at;
  return 'base' in value && isAlias(value.base) ? joined(bound, value.base) : bound;
}

// Options within an item of $expand may define aliases, which hold within the item (ABNF rule expandOption).
function bindWithin(options: object, own: ReadonlyMap<string, CommonExpr>, binding: Binding): unknown {
  return bind({ ...options, aliases: undefined }, { ...binding, aliases: new Map([...binding.aliases, ...own]), bound: new Map() });
}

function isAlias(value: unknown): value is AliasExpr {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'alias';
}

function valueOf({ name, at }: AliasExpr, binding: Binding): CommonExpr {
  const { aliases, open, size, bound, lambdas } = binding;
  if (open.includes(name)) throw errors.badOption(`The value of ${name} refers to itself.`).at(name);
  const place = binding.at ?? at;
  const key = `${name} ${place} ${lambdas}`;
  const known = bound.get(key);
  if (known) {
    grow(known.size, { ...binding, open: [...open, name] });
    return known.value;
  }
  const before = { ...size };
  const syntax = aliases.get(name) ?? { kind: 'literal', at: place, type: 'null', value: 'null' };
  const value = bind(syntax, { ...binding, open: [...open, name], at: place }) as CommonExpr;
  bound.set(key, { value, size: { nodes: size.nodes - before.nodes, literals: size.literals - before.literals } });
  return value;
}

const maxLiterals = 10 * expressionLimits.listItems;

// The parser has counted each value once; here each use counts. The literals of lists have their own limit.
function counted(node: { readonly kind: unknown; readonly value?: unknown }, binding: Binding): Binding {
  if (binding.open.length === 0) return within(node.kind, binding);
  grow(node.kind === 'literal' ? { nodes: 0, literals: 1 + longText(node.value) } : oneNode, binding);
  return within(node.kind, binding);
}

const oneNode: Size = { nodes: 1, literals: 0 };

function grow({ nodes, literals }: Readonly<Size>, { size, open }: Binding): void {
  size.nodes += nodes;
  size.literals += literals;
  if (size.nodes <= expressionLimits.nodes && size.literals <= maxLiterals) return;
  const most =
    size.nodes > expressionLimits.nodes
      ? `${expressionLimits.nodes} operands and operators`
      : `${maxLiterals} literals, where a long one counts more than once`;
  throw errors.limitExceeded(`The values of the parameter aliases expand to more than ${most}.`).at(open[0] ?? '');
}

function within(kind: unknown, binding: Binding): Binding {
  if (kind !== 'lambda') return binding;
  const lambdas = binding.lambdas + 1;
  if (lambdas > expressionLimits.lambdaDepth)
    throw errors
      .limitExceeded(
        `any and all are nested more than ${expressionLimits.lambdaDepth} levels deep with the values of the parameter aliases.`,
      )
      .at(binding.open[0] ?? '');
  return { ...binding, lambdas };
}

// A path that begins with an alias continues the alias's path.
function joined({ base, ...member }: { readonly [name: string]: unknown }, { name }: AliasExpr): unknown {
  const [start, rest] = [base as CommonExpr, member as unknown as MemberExpr]; // A member whose base has been replaced.
  if (start.kind !== 'member') throw errors.typeMismatch(`A path can continue after ${name} only if its value is a path.`).at(name);
  return { ...rest, ...start, path: [...start.path, ...rest.path] };
}
