import type { EntityContainer, EntityType, Field, Operation, OperationValue } from '../../../edm/index.js';
import { fieldOf, navigationOf, overloadsNamed, own } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { excerpt, suggestion } from '../../../errors/suggest.js';
import type { PathPart, ResourcePath } from '../../../uri/resource-path.js';
import type { Target, OperationTarget, Binding, PathContext } from '../../../plan/path/path-target.js';
import { entityTypeNamed, recordTypeNamed } from '../../../plan/path/derivation.js';
import { continuePath, planPath } from '../../../plan/read/plan-path.js';
import type { RecordsTarget } from '../../../protocol/routes.js';
import { transientSource } from './transient-source.js';
import { transientValue, valueTarget } from './transient-type.js';
import { declaredType } from '../../../edm/lookup.js';

type PlanParts = (parts: readonly PathPart[]) => Omit<Binding, 'parts'>;

/** The last call in a path, if any: of an import by the first segment, or bound to the preceding path (URL conventions 4.4, 4.5). */
function findCall(parts: readonly PathPart[], plan: PlanParts, container: EntityContainer): OperationTarget | undefined {
  for (const [index, part] of [...parts.entries()].toReversed()) {
    const rest = parts.slice(index + 1);
    const called = index === 0 ? importedCall(part, rest, container) : boundCall(part, parts.slice(0, index), rest, plan, container);
    if (called) return called;
  }
  return undefined;
}

function importedCall(part: PathPart, rest: readonly PathPart[], container: EntityContainer): OperationTarget | undefined {
  const { operations = {}, operationImports = {} } = container;
  const found = own(operationImports, part.name);
  if (found === undefined) return undefined;
  const overloads = (own(operations, found.operation) ?? []).filter(({ binding, kind }) => binding === undefined && kind === found.kind);
  return { kind: 'operation', name: part.name, overloads, part, rest };
}

function boundCall(
  part: PathPart,
  before: readonly PathPart[],
  rest: readonly PathPart[],
  plan: PlanParts,
  container: EntityContainer,
): OperationTarget | undefined {
  const named = overloadsNamed(part.name, container);
  if (named.length === 0) return undefined;
  const planned = plan(before);
  const { target } = planned;
  // Without its namespace an operation is called only if nothing else has the name (Core.DefaultNamespace).
  if (!part.name.includes('.') && isMember(target, part.name)) return undefined;
  const overloads = fitting(named, target, container);
  const [first] = named;
  if (overloads.length === 0 && !part.name.includes('.')) return undefined;
  if (overloads.length === 0)
    throw errors
      .notFound(`${(first?.kind ?? 'Function').toLowerCase()} ${excerpt(part.name)} there`, boundHint(named))
      .at(excerpt(part.name));
  return { kind: 'operation', name: part.name, overloads, binding: { ...planned, parts: before }, part, rest };
}

function isMember(target: Target, name: string): boolean {
  if (target.kind !== 'entity') return false;
  return fieldOf(target.type, name) !== undefined || navigationOf(target.type, name) !== undefined;
}

function boundHint(overloads: readonly Operation[]): string {
  const bindings = overloads.map(({ binding }) => (binding ? typeText(binding) : undefined));
  const bound = bindings.filter((type) => type !== undefined);
  if (bound.length === 0) return ' It is unbound; call its import at the service root.';
  return ` It is bound to ${bound.join(' and to ')}.`;
}

/** A type as in `$metadata`. */
export function typeText({ type, collection }: OperationValue): string {
  return collection ? `Collection(${type})` : type;
}

// The overload with the nearest type wins (CSDL XML 4.01, 12.6).
function fitting(overloads: readonly Operation[], target: Target, container: EntityContainer): readonly Operation[] {
  const bound = boundTo(target, container);
  if (bound === undefined) return [];
  const distance = ({ binding }: Operation): number =>
    binding && (binding.collection ?? false) === bound.collection ? bound.types.indexOf(binding.type) : -1;
  return overloads.filter((one) => distance(one) >= 0).sort((one, other) => distance(one) - distance(other));
}

interface Bound {
  readonly collection: boolean;
  /** Qualified names of its type and base types, the nearest first. */
  readonly types: readonly string[];
}

function boundTo(target: Target, container: EntityContainer): Bound | undefined {
  if (target.kind === 'collection' || target.kind === 'entity') {
    if (target.suffix !== '' || target.sets || target.union) return undefined;
    return { collection: target.kind === 'collection', types: [target.type.qualifiedName, ...(target.type.baseTypes ?? [])] };
  }
  if (target.kind !== 'property' || target.suffix !== '' || target.dynamic) return undefined;
  return { collection: target.field.collection ?? false, types: typesOf(target.field, container) };
}

function typesOf(field: Field, { complexTypes = {} }: EntityContainer): readonly string[] {
  const name = declaredType(field);
  const { complex } = field;
  const bases = complex === undefined ? [] : Object.keys(complexTypes).filter((other) => complexTypes[other]?.derived.includes(complex));
  // The nearest base type has the fewest derived types.
  return [name, ...bases.sort((one, other) => (complexTypes[one]?.derived.length ?? 0) - (complexTypes[other]?.derived.length ?? 0))];
}

/** The error for an unknown parameter of an operation. */
export function unknownParameter(name: string, { name: operation, parameters }: Operation): ReturnType<typeof errors.unknownParameter> {
  const known = parameters.map((parameter) => parameter.name);
  return errors.unknownParameter(excerpt(name), operation, suggestion(name, known));
}

/** The call in a path; undefined for a path without one. */
export function planCallPath({ parts }: ResourcePath, context: PathContext): OperationTarget | undefined {
  return findCall(parts, (before) => beforeCall(planPath({ parts: before }, context), context), context.container);
}

function beforeCall(target: Target, context: PathContext): Omit<Binding, 'parts'> {
  return target.kind === 'operation' ? { target: resultTarget(target, context), composed: true } : { target };
}

// The result type of a function is known, and with it that of the following path.
function resultTarget({ overloads: named, part, rest, name }: OperationTarget, context: PathContext): Target {
  const overloads = named.filter(({ kind }) => kind === 'Function');
  const given = part.key?.kind === 'named' ? part.key.literals.length : 0;
  const operation = overloads.find(({ parameters }) => parameters.length === given) ?? overloads[0] ?? named[0];
  const result = operation?.composable && operation.result;
  if (!operation || !result) throw errors.notFound(`operation after ${operation?.name ?? name}, which is not composable`);
  if (result.field) return valueTarget(transientValue(context.container, operation.name, result.field), rest, context);
  const declared = recordTypeNamed(context.container, result.type);
  const type = entityTypeNamed(context.container, result.type) ?? (declared && transientSource(context.container, declared).type);
  if (type === undefined) throw new Error(`The container has no entity type ${result.type}.`);
  return continueCall(recordsOf(type, result, context), { part, rest }, context);
}

/** The records of a call's result, as the target of a path. */
export function recordsOf(type: EntityType, { collection }: OperationValue, { aliases }: Pick<PathContext, 'aliases'>): RecordsTarget {
  const records = { suffix: '', type, alias: aliases.next(), parents: [], key: [], via: undefined } as const;
  return collection ? { kind: 'collection', ...records } : { kind: 'entity', ...records };
}

/** Continues a path after the records of a call's result. */
export function continueCall(records: RecordsTarget, { part, rest }: Pick<OperationTarget, 'part' | 'rest'>, context: PathContext): Target {
  return continuePath(records, { name: records.type.name, ...(part.resultKey && { key: part.resultKey }) }, rest, context);
}
