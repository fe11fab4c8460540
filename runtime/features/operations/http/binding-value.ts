import type { OperationParameter } from '../../../edm/operation.js';
import type { ReadOptions } from '../../../edm/handler.js';
import { errors } from '../../../errors/catalogue.js';
import { readAll } from './handler-records.js';
import type { Ask } from './inner-request.js';
import type { OperationTarget } from '../../../plan/path-target.js';

/** The value of an operation's binding parameter. */
export async function bindingValue(
  binding: OperationParameter,
  { target, parts }: NonNullable<OperationTarget['binding']>,
  ask: Ask,
): Promise<unknown> {
  if (target.kind === 'collection') return { read: (options: ReadOptions = {}) => readAll(ask, parts, options) };
  const found = await ask({ method: 'GET', parts, ...(isExact(binding) && { exact: true as const }) });
  if (target.kind === 'entity' && found === undefined) throw errors.notFound(`${target.type.name} there`);
  if (target.kind !== 'property' || (binding.field?.complex !== undefined && !binding.collection)) return found ?? null;
  return found === undefined ? null : (found as { readonly value: unknown }).value;
}

function isExact({ field }: OperationParameter): boolean {
  return field?.type === 'Edm.Int64' || field?.type === 'Edm.Decimal';
}
