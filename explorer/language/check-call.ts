import { errors } from '../../runtime/errors/catalogue.js';
import { type CallContext, planFunctionCall } from '../../runtime/features/operations/plan/plan-call.js';
import { requireReadable } from '../../runtime/plan/caller.js';
import type { OperationTarget } from '../../runtime/plan/path/path-target.js';
import type { PlanContext } from '../../runtime/plan/scope.js';

interface Call extends Pick<CallContext, 'raw' | 'aliases'> {
  readonly context: PlanContext;
  /** The names of the handlers that are written. */
  readonly handlers: readonly string[];
}

/** Checks the call of a function as the service does before its handler runs: its kind, parameters and scopes. */
export function checkCall(target: OperationTarget, { raw, aliases, context, handlers }: Call): void {
  const { container, caller } = context;
  const overloads = target.overloads.filter(({ kind }) => kind === 'Function');
  if (overloads.length === 0) throw errors.methodNotAllowed('GET', 'POST');
  if (!overloads.some(({ handler }) => handlers.includes(handler)))
    throw errors.notImplemented(`The function ${target.name}, whose handler is not written yet,`).at(target.name);
  const format = { ieee754Compatible: false };
  const { operation } = planFunctionCall({ ...target, overloads }, { container, aliases, raw, format });
  const { permissions, name } = operation;
  if (permissions && !permissions.some(({ scope }) => caller.scopes.has(scope)))
    throw errors.scopeMissing(`Calling ${name}`, permissions.map(({ scope }) => scope).join(', '));
  const bound = target.binding?.target;
  if (bound && 'type' in bound) requireReadable(bound.type, caller);
}
