import { complexTypeNamed, complexTypeOf, fieldOf } from '../../edm/index.js';
import { type EntityContainer } from '../../edm/entity-container.js';
import { type EntityType, type StructuredType } from '../../edm/entity-type.js';
import { type Field } from '../../edm/field.js';
import { stepsOf, valueAlong } from '../../plan/path/nested-path.js';
import { isObject, type JsonObject } from '../../json/json.js';

/** The body of a sample without the complex value on a path, or an outer one, where the model permits null. */
export function withoutValue(type: EntityType, body: JsonObject, path: string, container: EntityContainer): JsonObject {
  const { steps } = stepsOf(path);
  return valueAlong(body, steps, container) === undefined ? body : (leaveOut(type, body, steps, container) ?? body);
}

/** Whether an entity may lack the complex value on a path, or the value have another type. */
export function mayLeaveOut(type: EntityType, path: string, container: EntityContainer): boolean {
  let owner: StructuredType | undefined = type;
  for (const step of stepsOf(path).steps) {
    const field: Field | undefined = owner && fieldOf(owner, step.name);
    if (field === undefined || field.nullable || step.type !== undefined) return true;
    owner = complexTypeOf(container, field);
  }
  return false;
}

type Steps = ReturnType<typeof stepsOf>['steps'];

// The innermost that may be null.
function leaveOut(
  owner: StructuredType,
  { members }: JsonObject,
  [step, ...rest]: Steps,
  container: EntityContainer,
): JsonObject | undefined {
  const field = step && fieldOf(owner, step.name);
  const value = step && members.get(step.name);
  if (step === undefined || field === undefined || value === undefined || !isObject(value)) return undefined;
  const type = complexTypeNamed(container, step.type ?? '') ?? complexTypeOf(container, field);
  const inner = leaveOut(type, value, rest, container);
  if (inner) return { kind: 'object', members: new Map([...members, [step.name, inner]]) };
  return field.nullable ? { kind: 'object', members: new Map([...members].filter(([name]) => name !== step.name)) } : undefined;
}
