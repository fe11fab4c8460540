import { fieldOf, navigationOf, own, targetOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { CommonExpr, MemberExpr } from '../../expression/ast.js';
import { familyNames } from '../../expression/families.js';
import { excerpt } from '../../expression/quote.js';
import { besideOther } from '../value/dynamic-value.js';
import { familyOfExpr } from './check-call.js';
import { checkExpr } from './check-expr.js';
import { hopAlong, storedExpr } from './check-path.js';
import { rootRecords } from './root-record.js';
import { noteRestricted, type Scope } from '../scope.js';
import { typesInTable } from './type-cast.js';
import type { Hierarchy, TypedExpr } from '../typed-expr.js';

/** The hierarchy of a set's records with a qualifier (Data Aggregation 5.5.1 and 6.1): the model says what identifies them and leads to parents. */
export function planHierarchy(nodes: MemberExpr, qualifier: string, scope: Scope): Hierarchy & { readonly single: boolean } {
  const { set, type, hop } = nodesOf(nodes, scope);
  const known = type.recursiveHierarchies ?? {};
  const hierarchy = own(known, qualifier);
  if (hierarchy === undefined) throw errors.unknownName(`recursive hierarchy ${excerpt(qualifier)}`, set, hierarchyHint(qualifier, Object.keys(known))).at(scope.option);
  const [field, navigation] = [fieldOf(type, hierarchy.node), navigationOf(type, hierarchy.parent)];
  const target = navigation && targetOf(scope.container, navigation);
  if (field === undefined || navigation === undefined || target?.table !== type.table) throw errors.typeMismatch(`${set} has no hierarchy ${qualifier}: ${hierarchy.parent} leads out of the set.`).at(scope.option);
  noteRestricted(scope, type, hierarchy.node);
  const types = typesInTable(type, scope.container);
  const parents = { ...hopAlong(navigation, target, hop.alias, scope.aliases), ...types };
  return { nodes: { ...hop, ...types }, identifier: storedExpr({ alias: hop.alias, type }, hierarchy.node, field), parents, single: !navigation.collection };
}

function nodesOf({ path: [root, set, ...further], at }: MemberExpr, scope: Scope): { readonly set: string; readonly type: ReturnType<typeof rootRecords>['type']; readonly hop: ReturnType<typeof rootRecords>['hop'] } {
  if (root?.name !== '$root') throw errors.typeMismatch(`The nodes of a hierarchy are a set beneath $root, at position ${at + 1}, as in $root/Orgs.`).at(scope.option);
  if (further.length > 0 || set?.parentheses) throw errors.notImplemented('A hierarchy of some of the nodes of a set', `Write $root/${set?.name ?? 'Orgs'}, and choose among what the walk gives.`).at(scope.option);
  const { type, hop, single } = rootRecords(set, scope);
  if (single) throw errors.typeMismatch(`A hierarchy has the records of a set, and ${set?.name ?? ''} is one record.`).at(scope.option);
  return { set: set?.name ?? '', type, hop };
}

function hierarchyHint(qualifier: string, known: readonly string[]): string {
  if (known.length === 0) return ' The model declares one by the annotation Aggregation.RecursiveHierarchy of the entity type.';
  return suggestion(qualifier, known) || ` It has ${known.join(', ')}.`;
}

/** A value that identifies a node. */
export function checkNode(expr: CommonExpr, { identifier }: Hierarchy, scope: Scope): TypedExpr {
  const node = besideOther(checkExpr(expr, scope), identifier);
  const [given, wanted] = [familyOfExpr(node), familyOfExpr(identifier)];
  if (given === wanted || given === undefined) return node;
  throw errors.typeMismatch(`A node is identified by ${wanted === undefined ? 'null' : familyNames[wanted]}, and this is ${familyNames[given]}, at position ${expr.at + 1}.`).at(scope.option);
}
