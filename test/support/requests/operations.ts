import type { EntityContainer } from '../../../runtime/edm/entity-container.js';
import type { EntityType } from '../../../runtime/edm/entity-type.js';
import type { Operation } from '../../../runtime/edm/operation.js';
import type { Random } from '../../permission/random.js';
import { jsonOf } from './bodies.js';
import type { RandomRequest } from './random-request.js';
import { literalOf, type Subject } from './subject.js';

/** The operations that are bound to records of a type, or to a collection of them. */
function boundTo(
  { qualifiedName, baseTypes = [] }: EntityType,
  collection: boolean,
  { operations = {} }: EntityContainer,
): readonly Operation[] {
  const types = [qualifiedName, ...baseTypes];
  return Object.values(operations)
    .flat()
    .filter(({ binding }) => binding && types.includes(binding.type) && (binding.collection ?? false) === collection);
}

/** A call of an operation bound to the end of a path; undefined where there is none. */
export function boundCall(
  path: string,
  type: EntityType,
  collection: boolean,
  random: Random,
  subject: Subject,
): RandomRequest | undefined {
  const operations = boundTo(type, collection, subject.container);
  if (operations.length === 0) return undefined;
  const operation = random.pick(operations);
  return called(`${path}/${operation.name}`, operation, random, subject);
}

/** A call of one that is imported; undefined where there is none. */
export function importedCall(random: Random, subject: Subject): RandomRequest | undefined {
  const { operationImports = {}, operations = {} } = subject.container;
  const imports = Object.entries(operationImports);
  if (imports.length === 0) return undefined;
  const [name, { operation }] = random.pick(imports);
  return called(`/${name}`, random.pick(operations[operation] ?? []), random, subject);
}

function called(path: string, { kind, parameters }: Operation, random: Random, subject: Subject): RandomRequest {
  const fields = parameters.map(({ name, field }) => [name, field] as const);
  const body = (): string => `{${fields.map(([name, field]) => `"${name}":${jsonOf(field, random, subject)}`).join(',')}}`;
  if (kind === 'Action') return { method: 'POST', path, headers: { 'Content-Type': 'application/json' }, body: body() };
  const values = fields.map(([name, field]) => [name, encodeURIComponent(literalOf(field, random, subject))] as const);
  if (random.chance(0.3))
    return {
      method: 'GET',
      path: `${path}(${values.map(([name]) => `${name}=@${name}`).join(',')})?${values.map(([name, literal]) => `@${name}=${literal}`).join('&')}`,
      headers: {},
    };
  return {
    method: 'GET',
    path: `${path}(${values.map(([name, literal]) => `${name}=${literal}`).join(',')})${random.pick(['', '', '/$count', '?$top=1'])}`,
    headers: {},
  };
}
