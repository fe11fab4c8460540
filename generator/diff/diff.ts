import type { Csdl } from '../csdl/csdl.js';
import { isList, type Element, type ElementKind, type Fact, type Pair } from './element.js';
import { commonFactRules, factRules, type FactRule } from './fact-rules.js';
import { hasOtherSource } from './finders.js';
import { matchSurfaces } from './match.js';
import { withMigratedNames, type MigratedNames } from './migrated-names.js';
import { audiences, rules, type RuleId, type SentenceParts, type Verdict } from './rules.js';
import { surfaceOf, type Surface } from './surface.js';
import { translatorOf, type Translate } from './translate.js';

/** A change, with its effect on each audience. */
export interface Change {
  readonly rule: RuleId;
  readonly path: string;
  /** The path for people: without an obvious namespace. */
  readonly called: string;
  readonly message: string;
  /** The model that the position is in: the old one where the element is gone. */
  readonly side: 'old' | 'new';
  readonly at: number;
  readonly consumers: Verdict;
  readonly types: Verdict;
  readonly database: Verdict;
}

/** A change without its path for people. */
type FoundChange = Omit<Change, 'called'>;

/** All changes between two models, the most severe first; `names` are those of the migrations of the new one. */
export function diffModels(old: Csdl, now: Csdl, names: MigratedNames = new Map()): readonly Change[] {
  const before = surfaceOf(old);
  const after = withMigratedNames(surfaceOf(now), before, names);
  const matching = matchSurfaces(before, after);
  const translate = translatorOf(matching, before);
  const changes = [
    ...matching.namespaces.map(({ from, to, at }) => makeChange('namespace-changed', { path: to, at }, 'new', { name: to, from, to })),
    ...matching.removed.flatMap((element) => presence(element, 'old', removedRule(element, before))),
    ...matching.added.flatMap((element) => presence(element, 'new', addedRule(element, before))),
    ...matching.pairs.flatMap((pair) => [...renameOf(pair), ...factChanges(pair, translate)]),
  ];
  const shared = sharedNames([old, now]);
  return changes.map((change) => ({ ...change, called: localPath(change.path, shared) })).sort((a, b) => gravityOf(b) - gravityOf(a));
}

type Verdicts = Pick<FoundChange, (typeof audiences)[number]>;

/** The most severe of a change's verdicts. */
export function gravestOf(change: Verdicts): Verdict {
  return severities[gravityOf(change)] ?? 'patch';
}

const severities = ['patch', 'additive', 'breaking'] as const;

function gravityOf(change: Verdicts): number {
  return Math.max(...audiences.map((audience) => severities.indexOf(change[audience])));
}

function makeChange(rule: RuleId, { path, at }: Pick<Element, 'path' | 'at'>, side: 'old' | 'new', parts: SentenceParts): FoundChange {
  const { consumers, types, database, print } = rules[rule];
  return { rule, path, message: print(parts), side, at, consumers, types, database };
}

function presence(element: Element, side: 'old' | 'new', rule: RuleId | undefined): readonly FoundChange[] {
  return rule === undefined ? [] : [makeChange(rule, element, side, { name: element.name, from: element.path, to: element.path })];
}

// oxfmt-ignore
/** The rules of a removed and of an added element. */
const presenceRules: Readonly<Record<ElementKind, readonly [removed: RuleId | undefined, added: RuleId | undefined]>> = {
  EntityType: ['type-removed', 'type-added'],
  ComplexType: ['complex-type-removed', 'type-added'],
  EnumType: ['value-type-removed', 'type-added'],
  TypeDefinition: ['value-type-removed', 'type-added'],
  Member: ['enum-member-removed', 'enum-member-added'],
  Property: ['property-removed', 'property-added'],
  NavigationProperty: ['navigation-removed', 'navigation-added'],
  EntitySet: ['set-removed', 'set-added'],
  Singleton: ['set-removed', 'set-added'],
  EntityContainer: [undefined, undefined],
  Action: ['operation-removed', 'operation-added'],
  Function: ['operation-removed', 'operation-added'],
  ActionImport: ['operation-removed', 'operation-added'],
  FunctionImport: ['operation-removed', 'operation-added'],
  Parameter: ['parameter-removed', 'parameter-added'],
};

function removedRule(element: Element, old: Surface): RuleId | undefined {
  const { kind, facts } = element;
  if (kind === 'NavigationProperty' && facts['byConstraint']) return 'navigation-path-removed';
  if (kind === 'Property' && facts['inValue']) return 'member-removed';
  return (kind === 'Singleton' || kind === 'EntitySet') && (kind === 'Singleton' || hasOtherSource(element, old))
    ? 'set-removed-with-table'
    : presenceRules[kind][0];
}

function addedRule(element: Element, old: Surface): RuleId | undefined {
  const { kind, facts } = element;
  if (kind === 'Parameter' && facts['optional']) return 'parameter-added-optional';
  if (kind === 'Singleton' || (kind === 'EntitySet' && hasOtherSource(element, old))) return 'set-added-with-table';
  if (kind === 'NavigationProperty') return addedNavigation(element, old) ?? presenceRules[kind][1];
  if (kind !== 'Property' || facts['nullable'] || facts['collection'] || facts['default'] !== undefined) return presenceRules[kind][1];
  return facts['required'] ? 'property-added-required' : 'property-added-given';
}

// The rule of an added navigation property: existing rows have no value, or one that may reference nothing.
function addedNavigation({ parent, facts }: Element, old: Surface): RuleId | undefined {
  const own = String(facts['constraint'] ?? '')
    .split(', ')
    .map((pair) => pair.split(' = ')[0])
    .filter((name) => name !== '');
  if (own.some((name) => old.has(`${parent}/${name}`))) return 'navigation-added-constrained';
  const isFree = facts['nullable'] || facts['collection'] || facts['containsTarget'] || facts['byConstraint'];
  return isFree || !old.has(parent ?? '') ? undefined : 'navigation-added-required';
}

function renameOf({ before, after, rule }: Pair): readonly FoundChange[] {
  if (rule === undefined) return [];
  const isMoved = movedWithin.has(rule);
  const from = rule === 'type-moved' ? before.path : isMoved ? (before.parent ?? '') : before.name;
  const to = isMoved || inheritedRules.has(rule) ? (after.parent ?? '') : after.name;
  return [makeChange(rule, after, 'new', { name: after.name, from, to })];
}

const inheritedRules: ReadonlySet<RuleId> = new Set(['property-inherited', 'property-inherited-apart']);
const movedWithin: ReadonlySet<RuleId> = new Set(['property-moved', 'member-moved', 'navigation-moved']);

function factChanges(pair: Pair, translate: Translate): readonly FoundChange[] {
  const own = factRules.filter(({ kinds }) => kinds.includes(pair.before.kind));
  return [...own, ...commonFactRules].flatMap((row) => factChange(row, pair, translate));
}

function factChange(factRule: Omit<FactRule, 'kinds'>, { before, after }: Pair, translate: Translate): readonly FoundChange[] {
  const { fact, changed, items, parts, name, verbatim } = factRule;
  const [from, to] = [verbatim ? before.facts[fact] : translate(before.facts[fact], before, fact), after.facts[fact]];
  if (printed(from) === printed(to)) return [];
  const rule = changed?.(from, to, before.facts, after.facts);
  if (rule !== undefined) return [makeChange(rule, after, 'new', { name: name ?? after.name, from: shown(from), to: shown(to) })];
  if (items === undefined || !isList(from) || !isList(to)) return [];
  const [lost, gained] = [from.filter((item) => !to.includes(item)), to.filter((item) => !from.includes(item))];
  const successor = (item: string): string | undefined => gained.find((other) => parts?.keyOf(other) === parts?.keyOf(item));
  const become =
    parts === undefined
      ? []
      : lost.flatMap((item) =>
          [successor(item)].flatMap((other) => (other === undefined ? [] : [{ item, other, rule: parts.changed(item, other) }])),
        );
  return [
    ...become.map(({ item, other, rule: id }) => makeChange(id, after, 'new', { name: parts?.keyOf(item) ?? item, from: item, to: other })),
    ...lost
      .filter((item) => !become.some((each) => each.item === item))
      .map((item) => makeChange(items.lost, after, 'new', { name: item, from: item, to: 'none' })),
    ...gained
      .filter((item) => !become.some(({ other }) => other === item))
      .map((item) => makeChange(items.gained, after, 'new', { name: item, from: 'none', to: item })),
  ];
}

function printed(fact: Fact): string {
  return isList(fact) ? JSON.stringify([...fact].sort()) : JSON.stringify(fact ?? null);
}

function shown(fact: Fact): string {
  if (isList(fact)) return fact.length === 0 ? 'none' : fact.join(', ');
  return fact === undefined || fact === '' ? 'none' : String(fact);
}

/** Names that several schemas of one model have, which are ambiguous without their namespace. */
function sharedNames(models: readonly Csdl[]): ReadonlySet<string> {
  return new Set(
    models.flatMap(({ schemas }) => {
      const named = new Set(schemas.flatMap(({ namespace, elements }) => elements.map(({ name }) => `${namespace}/${name}`)));
      const names = [...named].map((one) => one.slice(one.indexOf('/') + 1));
      return names.filter((name, index) => names.indexOf(name) < index);
    }),
  );
}

/** The path without its namespace, unless that would be ambiguous. */
function localPath(path: string, shared: ReadonlySet<string>): string {
  const [head = '', ...rest] = path.split('/');
  const bare = head.replace(/^[^(]*\.(?=[^.(]*(?:\(|$))/, '');
  return shared.has(bare.replace(/\(.*$/, '')) ? path : [bare, ...rest].join('/');
}
