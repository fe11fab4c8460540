import type { Csdl } from '../csdl/csdl.js';
import { serviceContainer, type FoundContainer } from '../csdl/service-container.js';
import { terms } from '../csdl/terms.js';
import { flagValue, textValue, textValues } from '../csdl/vocabulary.js';
import type { Report } from '../faults.js';
import { buildDefinitions } from './values/build-enums.js';
import { complexNodes } from './values/build-complex.js';
import { descriptionOf } from './values/build-fields.js';
import { buildOperations } from './build-operations.js';
import { buildEntities, furtherNodes } from './entities/build-entity.js';
import { buildSets } from './sources/build-sets.js';
import { buildTypes } from './types/build-type.js';
import { checkParents } from './relations/containment.js';
import { checkNested, usableMembers } from './values/nested-kinds.js';
import { buildContext } from './context.js';
import { buildLineages } from './types/hierarchy.js';
import type { EntityNode, ModelGraph } from './model-graph.js';
import type { FormerOperations } from './name-operations.js';
import { placesOf } from './sources/places.js';
import { kinshipOf, placeProperties, tablesOf } from './entities/tables.js';
import { allocateNames } from './names/allocate-names.js';
import type { Context } from './built-model.js';

/** Resolves a document; unresolvable parts are reported and omitted, so that all faults are reported together. */
export function buildGraph(csdl: Csdl, report: Report, former: FormerOperations = new Map()): ModelGraph {
  const context = buildContext(csdl, report);
  const types = buildTypes(buildLineages(csdl, context), context);
  checkNested(types, report);
  const container = serviceContainer(csdl);
  const kinship = kinshipOf(types);
  const places = placesOf(csdl, types, kinship.derived, context);
  checkParents(places, types, context);
  const named = [...types.values(), ...context.complexTypes.values()].map((type) => ({ ...type, fields: type.own }));
  const names = allocateNames(named, furtherNodes(types, places), context);
  const sets = buildSets(places, types, container?.container, container?.path ?? '', context);
  const placed = placeProperties(buildEntities({ sets, places, types, kinship, names, context }));
  const complexTypes = complexNodes(names, usableMembers(types), context);
  return {
    csdl,
    namespace: container?.namespace ?? '',
    description: container && descriptionOf(context.notesOf(container.path, container.container.annotations), context),
    entities: placed,
    // Events are rows of the change log.
    tables: tablesOf(placed).filter(({ events }) => events === undefined),
    complexTypes,
    filterFunctions: filterFunctionsOf(container, context),
    unsupported: unsupportedOf(container, placed, context),
    schemaVersion: schemaVersionOf(csdl, container, context),
    enumerations: [...names.enumerations.values()],
    typeDefinitions: buildDefinitions(context),
    aliases: new Map(
      [...includedHere(csdl), ...csdl.schemas].flatMap(({ alias, namespace }) =>
        alias === undefined ? [] : [[alias, namespace] as const],
      ),
    ),
    operations: buildOperations({ entities: placed, complexTypes, enumerations: names.enumerations }, former, context),
    defaultNamespaces: csdl.schemas.flatMap(({ namespace, annotations }) =>
      flagValue(context.notesOf(namespace, annotations).find(terms.defaultNamespace), report) ? [namespace] : [],
    ),
  };
}

// A document that is read has an alias where it is included, and `$metadata` has that too.
function includedHere({ references, schemas }: Csdl): Csdl['references'][number]['includes'] {
  const here = new Set(schemas.map(({ namespace }) => namespace));
  return references.flatMap(({ includes }) => includes).filter(({ namespace }) => here.has(namespace));
}

function filterFunctionsOf(container: FoundContainer | undefined, context: Context): readonly string[] | undefined {
  if (container === undefined) return undefined;
  const note = context.notesOf(container.path, container.container.annotations).find(terms.filterFunctions);
  return note && textValues(note.value, terms.filterFunctions, context.report).map(({ value }) => value);
}

// Reads of several sets are switched on and off together.
const switches = [
  [terms.batchSupported, ['$batch']],
  [terms.crossJoinSupported, ['$crossjoin', '$all']],
] as const;

function unsupportedOf(container: FoundContainer | undefined, entities: readonly EntityNode[], context: Context): readonly string[] {
  const notes = container && context.notesOf(container.path, container.container.annotations);
  const off = switches.flatMap(([term, resources]) => {
    const note = notes?.find(term);
    return note === undefined || flagValue(note, context.report) ? [] : resources;
  });
  // Citus joins no distributed table with one of the coordinator.
  const isDistributed = entities.some(({ layout }) => layout?.distributed);
  return [...new Set(isDistributed ? [...off, '$all'] : off)];
}

function schemaVersionOf({ schemas }: Csdl, container: FoundContainer | undefined, context: Context): string | undefined {
  const schema = schemas.find(({ namespace }) => namespace === container?.namespace);
  const note = schema && context.notesOf(schema.namespace, schema.annotations).find(terms.schemaVersion);
  return textValue(note?.value, terms.schemaVersion, context.report)?.value;
}
