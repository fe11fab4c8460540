import { qualify } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { excerpt, suggestion } from '../../../errors/suggest.js';
import type { CommonExpr, MemberExpr, NamedValue } from '../../../expression/ast.js';
import type { Scope } from '../../../plan/scope.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import type { Hierarchy, NodeTest } from '../../../plan/apply-plan.js';
import { checkNode, planHierarchy } from './plan-hierarchy.js';

/** A function of the vocabulary, and its parameter with the other node, if any. */
type NodeFunction =
  | { readonly test: 'isnode' | 'isroot' | 'isleaf'; readonly from?: undefined }
  | { readonly test: 'issibling'; readonly from: string }
  | { readonly test: 'isrelated'; readonly from: string; readonly towards: 'ancestors' | 'descendants' };

/** Functions of recursive hierarchies (Data Aggregation 6.1); a new one is a row here. */
const functions: ReadonlyMap<string, NodeFunction> = new Map<string, NodeFunction>([
  ['isnode', { test: 'isnode' }],
  ['isroot', { test: 'isroot' }],
  ['isleaf', { test: 'isleaf' }],
  ['issibling', { test: 'issibling', from: 'Other' }],
  ['isancestor', { test: 'isrelated', from: 'Descendant', towards: 'ancestors' }],
  ['isdescendant', { test: 'isrelated', from: 'Ancestor', towards: 'descendants' }],
]);

const vocabulary = 'Org.OData.Aggregation.V1';

// The name of a function of the vocabulary that a path begins with; undefined for any other path.
function aggregationFunction({ path: [call] }: MemberExpr, scope: Scope): string | undefined {
  return call?.parentheses && nameIn(call.name, scope);
}

/** `Aggregation.isroot(HierarchyNodes=$root/Orgs,HierarchyQualifier='OrgHierarchy',Node=Id)`; undefined for any other path. */
export function checkNodeFunction(expr: MemberExpr, scope: Scope): TypedExpr | undefined {
  const [call, next] = expr.path;
  const name = aggregationFunction(expr, scope);
  if (call?.parentheses === undefined || name === undefined) return undefined;
  if (name === 'rollupnode' || name === 'excludingdescendants') throw errors.notImplemented(`The function ${name}`).at(scope.option);
  const known = functions.get(name);
  if (known === undefined)
    throw errors.unknownName(`function ${excerpt(name)}`, 'The vocabulary', suggestion(name, functions.keys())).at(scope.option);
  if (next) throw errors.unknownName(excerpt(next.name), `The value of ${name}`, '').at(scope.option);
  const values = call.parentheses.kind === 'named' ? call.parentheses.values : [];
  return checkTest(name, known, parametersOf(name, known, values, scope), scope);
}

function nameIn(name: string, { container }: Scope): string | undefined {
  const dot = name.lastIndexOf('.');
  const namespace = name.slice(0, Math.max(0, dot));
  return dot > 0 && (namespace === 'Aggregation' || qualify(container, name) === `${vocabulary}${name.slice(dot)}`)
    ? name.slice(dot + 1)
    : undefined;
}

type Parameters = ReadonlyMap<string, CommonExpr>;

function parametersOf(name: string, { test, from }: NodeFunction, values: readonly NamedValue[], { option }: Scope): Parameters {
  const required = ['HierarchyNodes', 'HierarchyQualifier', 'Node', ...(from === undefined ? [] : [from])];
  const all = test !== 'isrelated' ? required : [...required, 'MaxDistance', 'IncludeSelf'];
  const unknown = values.find((value) => !all.includes(value.name));
  if (unknown)
    throw errors.unknownParameter(excerpt(unknown.name), name, suggestion(unknown.name, all) || ` It has ${all.join(', ')}.`).at(option);
  const missing = required.find((parameter) => !values.some((value) => value.name === parameter));
  if (missing) throw errors.missingParameter(missing, name).at(option);
  return new Map(values.map((value) => [value.name, value.value]));
}

function checkTest(name: string, known: NodeFunction, parameters: Parameters, scope: Scope): NodeTest {
  const { hierarchy } = hierarchyOf(name, parameters, scope);
  const node = nodeAt('Node', parameters, hierarchy, scope);
  const common = { kind: 'node', type: 'Edm.Boolean', nullable: false, node } as const;
  if (known.test === 'issibling') return { ...common, test: known.test, hierarchy, from: nodeAt(known.from, parameters, hierarchy, scope) };
  if (known.test !== 'isrelated') return { ...common, test: known.test, hierarchy };
  const { test, from, towards } = known;
  const distance = distanceOf(parameters.get('MaxDistance'), scope);
  const walk = { hierarchy, towards, self: flagOf(parameters.get('IncludeSelf'), scope), ...(distance !== undefined && { distance }) };
  return { ...common, test, walk, from: nodeAt(from, parameters, hierarchy, scope) };
}

function hierarchyOf(name: string, parameters: Parameters, scope: Scope): ReturnType<typeof planHierarchy> {
  const [nodes, qualifier] = [parameters.get('HierarchyNodes'), parameters.get('HierarchyQualifier')];
  if (nodes?.kind !== 'member')
    throw errors.typeMismatch(`HierarchyNodes of ${name} must be a set after $root, as in HierarchyNodes=$root/‹nodes›.`).at(scope.option);
  if (qualifier?.kind !== 'literal' || qualifier.type !== 'Edm.String')
    throw errors.typeMismatch(`HierarchyQualifier of ${name} is a text, as in HierarchyQualifier='‹hierarchy›'.`).at(scope.option);
  return planHierarchy(nodes, qualifier.value, scope);
}

function nodeAt(name: string, parameters: Parameters, hierarchy: Hierarchy, scope: Scope): TypedExpr {
  const expr = parameters.get(name);
  if (expr === undefined) throw errors.internal();
  return checkNode(expr, hierarchy, scope);
}

function distanceOf(expr: CommonExpr | undefined, { option }: Scope): number | undefined {
  if (expr === undefined || (expr.kind === 'literal' && expr.type === 'null')) return undefined;
  if (expr.kind === 'literal' && expr.type === 'Edm.Int64' && /^0*[1-9]\d{0,4}$/.test(expr.value)) return Number(expr.value);
  throw errors.typeMismatch(`MaxDistance must be a whole number of 1 or more, at position ${expr.at + 1}.`).at(option);
}

function flagOf(expr: CommonExpr | undefined, { option }: Scope): boolean {
  if (expr === undefined) return false;
  if (expr.kind === 'literal' && expr.type === 'Edm.Boolean') return expr.value === 'true';
  throw errors.typeMismatch(`IncludeSelf must be true or false, at position ${expr.at + 1}.`).at(option);
}
