import type { EntityType } from '../../edm/entity-type.js';
import type { Caller } from '../../plan/caller.js';
import type { CollectionPlan } from '../../plan/read/plan-read.js';
import { type ParameterText, parameterOf } from '../../expression/plan-parameter.js';
import type { ReadPlan } from '../../plan/read-plan.js';
import type { KeyCondition } from '../../plan/typed-expr.js';
import type { RecordRoute, RecordsTarget } from '../../protocol/routes.js';
import type { Sharing } from '../../store/store.js';
import type { RecordFormat } from '../../response/record-format.js';
import type { OpenPage, RenderEntity } from '../../response/render-collection.js';
import { withLiterals } from '../../sql/builder.js';
import type { Statement } from '../../sql/statement.js';
import type { ParameterRecording } from '../../uri/shape.js';
import { memoized } from '../../edm/memoized.js';

/** A plan that lacks only the values of a request. */
export type Prepared = PreparedRead | PreparedWrite | PreparedMetadata;

/** A permitted request for `$metadata`, which has no values. */
interface PreparedMetadata {
  readonly kind: 'metadata';
  /** `$format` as sent. */
  readonly format: string | undefined;
}

/** A write whose path is planned and permitted; its body is planned for each request. */
export interface PreparedWrite {
  readonly kind: 'write';
  readonly target: RecordsTarget;
  readonly route: RecordRoute;
}

/** A planned and compiled read, which lacks only values and format. */
export type PreparedRead = PreparedPage | PreparedEntity;

/** A page of a collection. */
export interface PreparedPage {
  readonly kind: 'page';
  readonly plan: CollectionPlan;
  readonly statements: PageStatements;
  /** `$format` as sent. */
  readonly format: string | undefined;
  readonly openerOf: (format: RecordFormat) => OpenPage;
  /** Whether a statement reads a view. */
  readonly isView: boolean;
  /** The hash of the order, for the link to the next page. */
  readonly order: string;
  /** The positions of the order's values in a row, for the link to the next page. */
  readonly orderCells: readonly number[];
}

/**
 * The statements of a page: its rows, unless only the count is requested; its count; the first entity of the path; and
 * the number of expanded entities, where that needs a limit.
 */
interface PageStatements {
  readonly rows?: Statement | undefined;
  /** More rows, for a page that the first ones do not fill. */
  readonly further?: Statement | undefined;
  readonly count?: Statement | undefined;
  readonly parent?: Statement | undefined;
  readonly expanded?: Statement | undefined;
}

/** A single record. */
export interface PreparedEntity {
  readonly kind: 'entity';
  readonly plan: ReadPlan;
  readonly statements: EntityStatements;
  readonly format: string | undefined;
  readonly rendererOf: (format: RecordFormat) => RenderEntity;
  readonly isView: boolean;
  /** Whether the ETag of the record stands for all of the answer. */
  readonly isCovered: boolean;
  /** The type, where the path identifies an entity, so that a missing one is an error. */
  readonly missing: EntityType | undefined;
  /** Present where its row is found by its key and computes nothing. */
  readonly sharing: Sharing | undefined;
}

/** The statements of an entity: its row, and further ones as for a page. */
export interface EntityStatements {
  readonly row: Statement;
  readonly parent?: Statement | undefined;
  readonly expanded?: Statement | undefined;
}

/** The plan with the literals of another request. */
function withTexts(read: Prepared, texts: readonly string[]): Prepared {
  if (read.kind === 'metadata') return read;
  if (read.kind === 'write')
    return { ...read, target: withKeyOf(read.target, ({ parameter, form }) => form(texts[parameter.index] ?? '')) };
  const bound = (statement: Statement | undefined): Statement | undefined => statement && withLiterals(statement, texts);
  if (read.kind === 'entity') {
    const { row, parent, expanded } = read.statements;
    return { ...read, statements: { row: withLiterals(row, texts), parent: bound(parent), expanded: bound(expanded) } };
  }
  const { rows, further, count, parent, expanded } = read.statements;
  return {
    ...read,
    statements: { rows: bound(rows), further: bound(further), count: bound(count), parent: bound(parent), expanded: bound(expanded) },
  };
}

/** The target of a write with the values of its key. */
export function withKeyOf(target: RecordsTarget, valueOf: (from: ParameterText) => string): RecordsTarget {
  if (target.kind === 'collection') return target;
  const key = target.key.map((condition): KeyCondition => {
    const from = parameterOf(condition);
    return from === undefined ? condition : { column: condition.column, sqlType: condition.sqlType, value: valueOf(from) };
  });
  const address = target.address?.map((part) => (part.key === undefined ? part : { ...part, key }));
  return { ...target, key, address };
}

/** A cached plan, with the recording that matches requests. */
interface KeptPlan {
  readonly plan: Prepared;
  readonly recording: ParameterRecording;
}

/** Cached plans by the shape of their requests, so that a recurring shape is parsed, planned and compiled once. */
export interface PlanCache {
  /** Finds the plan for the literals of a request; `others` are further values, such as those of a `$skiptoken`. */
  readonly find: (key: string, literals: readonly string[], others: readonly string[]) => Prepared | undefined;
  readonly add: (key: string, recording: ParameterRecording, plan: Prepared) => void;
}

/** The number of shapes in each of two generations. */
export const mostShapes = 500;
/** The number of plans for one shape, which differ in observed literals. */
export const mostPlans = 8;

/** A bounded cache with two generations: plans unused during one generation are evicted. */
export function createPlanCache(most = mostShapes): PlanCache {
  let young = new Map<string, readonly KeptPlan[]>();
  let old = new Map<string, readonly KeptPlan[]>();
  const keep = (key: string, kept: readonly KeptPlan[]): void => {
    if (young.size >= most) [young, old] = [new Map(), young];
    young.set(key, kept);
  };
  return {
    find: (key, literals, others) => {
      const kept = young.get(key) ?? old.get(key);
      if (kept === undefined) return undefined;
      if (!young.has(key)) keep(key, kept);
      return firstMatch(kept, literals, others);
    },
    add: (key, recording, plan) => {
      recording.seal();
      keep(key, [{ plan, recording }, ...(young.get(key) ?? old.get(key) ?? [])].slice(0, mostPlans));
    },
  };
}

function firstMatch(kept: readonly KeptPlan[], literals: readonly string[], others: readonly string[]): Prepared | undefined {
  for (const { plan, recording } of kept) {
    const texts = recording.match(literals);
    if (texts !== undefined) return withTexts(plan, [...texts, ...others]);
  }
  return undefined;
}

/** The key of a plan: the request's shape, the caller's scopes and the preferred page size. Plans depend on nothing else of a caller. */
export function planKey(shape: string, caller: Caller, ...parts: readonly (string | number | undefined)[]): string {
  let key = scopesOf(caller);
  for (const part of parts) key += `\n${part ?? ''}`;
  return `${key}\n${shape}`;
}

// Scopes contain no white space (RFC 6749, 3.3).
const scopesOf = memoized(({ scopes }: Caller) => [...scopes].sort().join(' '));
