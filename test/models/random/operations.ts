import { qualified, structuredOf, type ModelDraft, type OperationDraft, type ParameterDraft, type SchemaDraft } from './drafts.js';
import { takeName } from './names.js';
import { anyType } from './types.js';

/** Actions and functions, some bound and some with overloads, and imports of those that are not bound. */
export function addOperations(model: ModelDraft): void {
  const { random } = model;
  const imported = new Set(model.places.map(({ name }) => name));
  for (let count = random.below(4); count > 0; count--) {
    const schema = random.pick(model.schemas);
    const bound = random.chance(0.5);
    const kind = random.pick(['Action', 'Function'] as const);
    const [first, ...overloads] = newOverloads(model, schema, kind, bound);
    if (first === undefined) continue;
    schema.operations.push(first, ...overloads);
    if (bound || random.chance(0.2)) continue;
    model.imports.push({ kind, name: takeName(random, imported), operation: qualified(random, schema, first.name), set: undefined });
  }
}

// Bound overloads differ in their binding types, unbound functions in their parameter names.
function newOverloads(model: ModelDraft, schema: SchemaDraft, kind: OperationDraft['kind'], bound: boolean): readonly OperationDraft[] {
  const { random } = model;
  const name = takeName(random, schema.names);
  const result = kind === 'Function' || random.chance(0.5) ? parameterOf(model, '') : undefined;
  const operation = (parameters: readonly ParameterDraft[]): OperationDraft => ({
    kind,
    name,
    bound,
    composable: kind === 'Function' && random.chance(0.3),
    parameters,
    result,
  });
  if (!bound)
    return Array.from({ length: kind === 'Function' && random.chance(0.3) ? 2 : 1 }, (_, count) =>
      operation(parametersOf(model, count + random.below(2) * 2)),
    );
  const entities = structuredOf(model, 'EntityType');
  const types = new Set(Array.from({ length: random.pick([1, 1, 2]) }, () => random.pick(entities)));
  return [...types].map((type) =>
    operation([
      { name: 'it', type: qualified(random, type.schema, type.name), collection: random.chance(0.4), nullable: false },
      ...parametersOf(model, random.below(3)),
    ]),
  );
}

function parametersOf(model: ModelDraft, count: number): readonly ParameterDraft[] {
  const names = new Set<string>(['it']);
  return Array.from({ length: count }, () => parameterOf(model, takeName(model.random, names)));
}

function parameterOf(model: ModelDraft, name: string): ParameterDraft {
  const { random } = model;
  const complexTypes = structuredOf(model, 'ComplexType');
  const entities = structuredOf(model, 'EntityType');
  const entity = random.chance(0.25) && entities.length > 0 ? random.pick(entities) : undefined;
  const type = entity ? qualified(random, entity.schema, entity.name) : anyType(model, complexTypes).type;
  return { name, type, collection: random.chance(0.3), nullable: random.chance(0.5) };
}
