import { createRandom, type Random } from '../../permission/random.js';
import { addBindings, addPlaces } from './container.js';
import type { ModelDraft, SchemaDraft } from './drafts.js';
import { aliases, namespaces, newName, takeName } from './names.js';
import { addNavigation } from './navigation.js';
import { addOperations } from './operations.js';
import { printModel } from './print-model.js';
import { addComplexTypes, addEntityTypes, addProperties, removeStreams } from './structured.js';
import { newDefinition, newEnum } from './types.js';

/** The CSDL document of a seed: a sound model that nobody would write, the same every time. */
export function randomModel(seed: number): string {
  const random = createRandom(seed);
  const model: ModelDraft = { random, schemas: newSchemas(random), container: '', recursive: random.chance(0.3), places: [], imports: [] };
  addComplexTypes(model);
  addEntityTypes(model);
  addProperties(model);
  removeStreams(model);
  addPlaces(model);
  addNavigation(model);
  addBindings(model);
  addOperations(model);
  return printModel({ ...model, container: newName(random, model.schemas[0]?.names ?? new Set()) });
}

function newSchemas(random: Random): readonly SchemaDraft[] {
  const taken = new Set<string>();
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => {
    const namespace = freshOf(random, namespaces, taken);
    const schema: SchemaDraft = {
      namespace,
      alias: random.chance(0.6) ? freshOf(random, aliases, taken) : undefined,
      names: new Set(),
      structured: [],
      enums: [],
      definitions: [],
      operations: [],
    };
    for (let count = random.below(3); count > 0; count--) schema.enums.push(newEnum(random, takeName(random, schema.names)));
    for (let count = random.below(3); count > 0; count--) schema.definitions.push(newDefinition(random, takeName(random, schema.names)));
    return schema;
  });
}

function freshOf(random: Random, names: readonly string[], taken: Set<string>): string {
  const name = random.pick(names.filter((one) => !taken.has(one)));
  taken.add(name);
  return name;
}
