import type { Annotation, ContainerMember, Csdl } from '../csdl/csdl.js';
import { shortTerm } from '../csdl/terms.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';

/** An element of the model from which a generated file was made. */
export interface Origin {
  readonly at: number;
  readonly what: string;
  /** The name by which a line of the file refers to it. */
  readonly name: string;
}

/** The emitter and the origins of a file. */
export interface Explanation {
  readonly emitter: string;
  readonly origins: readonly Origin[];
}

type Part = (entity: EntityNode, graph: ModelGraph) => readonly Origin[];

const typeOf: Part = ({ at, name, qualifiedName }, { csdl }) => [
  { at, what: `EntityType ${name}`, name },
  ...annotations(csdl, qualifiedName, elementsOf(csdl, qualifiedName)),
];
const propertiesOf: Part = ({ fields, streams }) => [...fields, ...streams].map(({ at, name }) => ({ at, what: `Property ${name}`, name }));
const navigationOf: Part = ({ navigation }) => navigation.map(({ at, name }) => ({ at, what: `NavigationProperty ${name}`, name }));
const setOf: Part = ({ entitySet }, { csdl, containerName }) => {
  const set = membersOf(csdl).find(({ name }) => name === entitySet);
  if (set === undefined) return [];
  return [
    { at: set.at, what: `${set.kind} ${set.name}`, name: set.name },
    ...annotations(csdl, `${containerName}/${set.name}`, set.annotations),
  ];
};
const stateOf: Part = ({ fields, transitions }) =>
  fields
    .filter(({ name }) => name === transitions?.property)
    .map(({ at, name }) => ({ at, what: `Property ${name} with Rules.Transitions`, name }));
const wholeType: Part = (entity, graph) => [typeOf, propertiesOf, navigationOf, setOf].flatMap((part) => part(entity, graph));

/** The files of an entity type, with the parts of the model that each comes from. */
const perEntity: { readonly [file: string]: { readonly emitter: string; readonly parts: readonly Part[] } } = {
  'types.ts': { emitter: 'emit-types', parts: [typeOf, propertiesOf, navigationOf] },
  'fields.ts': { emitter: 'emit-fields', parts: [propertiesOf, navigationOf, setOf] },
  'validator.ts': { emitter: 'emit-validator', parts: [propertiesOf, setOf] },
  'lifecycle.ts': { emitter: 'emit-lifecycle', parts: [stateOf] },
  'model.ts': { emitter: 'emit-model', parts: [propertiesOf, navigationOf] },
  'routes.ts': { emitter: 'emit-routes', parts: [setOf] },
  'index.ts': { emitter: 'emit-index', parts: [typeOf, setOf] },
};

const wholeModel: { readonly [path: string]: { readonly emitter: string; readonly parts: readonly Part[] } } = {
  'index.ts': { emitter: 'emit-index', parts: [typeOf, setOf] },
  'types.ts': { emitter: 'emit-index', parts: [typeOf] },
  'README.md': { emitter: 'emit-reference', parts: [wholeType] },
};

/** The origins of a generated file; `undefined` for other paths. */
export function explainPath(path: string, graph: ModelGraph): Explanation | undefined {
  const [folder, file = ''] = path.split('/');
  const entity = graph.entities.find((node) => node.folder === folder && path.includes('/'));
  if (entity !== undefined) return explain(perEntity, file, [entity], graph);
  if (folder === 'migrations') return { emitter: 'emit-schema', origins: graph.entities.flatMap((node) => wholeType(node, graph)) };
  return explain(wholeModel, path, graph.entities, graph) ?? explainDocument(path, graph);
}

function explain(table: typeof perEntity, file: string, entities: readonly EntityNode[], graph: ModelGraph): Explanation | undefined {
  const row = Object.hasOwn(table, file) ? table[file] : undefined;
  return row && { emitter: row.emitter, origins: entities.flatMap((entity) => row.parts.flatMap((part) => part(entity, graph))) };
}

function explainDocument(path: string, { csdl }: ModelGraph): Explanation | undefined {
  if (path === 'metadata.xml' || path === 'metadata.json')
    return {
      emitter: 'emit-metadata',
      origins: csdl.schemas.map(({ at, namespace }) => ({ at, what: `Schema ${namespace}, whole`, name: namespace })),
    };
  const reference = csdl.references.find(({ uri }) => uri === path);
  return (
    reference && { emitter: 'emit-metadata', origins: [{ at: reference.at, what: `Reference ${reference.uri}`, name: reference.uri }] }
  );
}

function membersOf({ schemas }: Csdl): readonly ContainerMember[] {
  return schemas.flatMap(({ elements }) => elements.flatMap((element) => (element.kind === 'EntityContainer' ? element.members : [])));
}

function elementsOf({ schemas }: Csdl, qualifiedName: string): readonly Annotation[] {
  return schemas.flatMap(({ namespace, elements }) =>
    elements.filter(({ name }) => `${namespace}.${name}` === qualifiedName).flatMap((element) => element.annotations),
  );
}

// The annotations within the element, and external ones, by namespace or alias.
function annotations({ schemas }: Csdl, path: string, inline: readonly Annotation[]): readonly Origin[] {
  const local = path.slice(path.lastIndexOf('.') + 1);
  const outside = schemas.flatMap(({ targets }) =>
    targets.filter(({ target }) => target.slice(target.lastIndexOf('.') + 1) === local).flatMap((target) => target.annotations),
  );
  return [...inline, ...outside].map(({ at, term }) => ({ at, what: `Annotation ${shortTerm(term)}`, name: term }));
}
