import type { ElementKind, Fact, Facts } from './element.js';
import type { RuleId } from './rules.js';

/** The rule for a differing fact, with the names of its sentence where they are not the element's. */
export interface FactRule {
  readonly kinds: readonly ElementKind[];
  readonly fact: string;
  /** The rule of a changed value; `undefined` where another fact reports it. */
  readonly changed?: (from: Fact, to: Fact, before: Facts, after: Facts) => RuleId | undefined;
  /** The rules of removed and added items. */
  readonly items?: { readonly lost: RuleId; readonly gained: RuleId };
  /** The identity of items that can change in part, and the rule of a changed one. */
  readonly parts?: { readonly keyOf: (item: string) => string; readonly changed: (from: string, to: string) => RuleId };
  readonly name?: string;
  /** The fact is prose, in which names are not translated. */
  readonly verbatim?: true;
}

const structures: readonly ElementKind[] = ['EntityType', 'ComplexType'];
const valued: readonly ElementKind[] = ['Property', 'TypeDefinition', 'Parameter'];
const stored: readonly ElementKind[] = ['Property', 'TypeDefinition'];
const sets: readonly ElementKind[] = ['EntitySet', 'Singleton'];
/** Entity sources; navigation properties are entity sources where they contain their targets. */
const places: readonly ElementKind[] = [...sets, 'NavigationProperty'];
const operations: readonly ElementKind[] = ['Action', 'Function'];

// oxfmt-ignore
/** The rule of each differing fact, a row a fact. */
export const factRules: readonly FactRule[] = [
  { kinds: structures, fact: 'baseType', changed: (from) => (from === undefined ? 'base-type-added' : 'base-type-changed') },
  { kinds: structures, fact: 'abstract', changed: (_from, to) => (to ? 'abstract-added' : 'abstract-removed') },
  { kinds: structures, fact: 'open', changed: (_from, to) => (to ? 'open-type-opened' : 'open-type-closed') },
  { kinds: structures, fact: 'hasStream', changed: (_from, to) => (to ? 'media-added' : 'media-removed') },
  { kinds: structures, fact: 'key', changed: (_from, _to, before, after) => (before['declares key'] || after['declares key'] ? 'key-changed' : undefined) },
  { kinds: ['EnumType'], fact: 'underlyingType', changed: () => 'underlying-type-changed' },
  { kinds: ['TypeDefinition'], fact: 'type', changed: () => 'underlying-type-changed' },
  { kinds: ['EnumType'], fact: 'isFlags', changed: () => 'enum-flags-changed' },
  { kinds: ['Member'], fact: 'value', changed: () => 'enum-value-changed' },

  { kinds: ['Property'], fact: 'type', changed: (_from, _to, before, after) => typeRule(before, after) },
  { kinds: ['Property', 'NavigationProperty'], fact: 'collection', changed: () => 'collection-changed' },
  { kinds: ['Singleton'], fact: 'nullable', changed: (_from, to) => (to ? 'singleton-may-be-missing' : 'singleton-always-there') },
  { kinds: ['Property', 'NavigationProperty'], fact: 'nullable', changed: (_from, to, before, after) => (before['collection'] === after['collection'] ? (to ? 'nullable-added' : 'nullable-removed') : undefined) },
  { kinds: ['Property'], fact: 'nullItems', changed: (_from, to, before, after) => (before['collection'] && after['collection'] ? (to ? 'null-items-added' : 'null-items-removed') : undefined) },
  ...facetRules('maxLength', (from, to) => (isLess(to, from) ? 'max-length-reduced' : 'max-length-raised')),
  ...facetRules('precision', (from, to) => (isLess(to, from) ? 'precision-reduced' : 'precision-raised')),
  ...facetRules('scale', (from, to, before, after) => (isLess(to, from) ? 'scale-reduced' : isLess(wholeDigits(after), wholeDigits(before)) ? 'whole-digits-reduced' : 'scale-raised')),
  { kinds: stored, fact: 'srid', changed: () => 'srid-changed' },
  ...['maxLength', 'precision', 'scale'].map((fact): FactRule => ({ kinds: ['Parameter'], fact, name: fact, changed: (from, to) => (isLess(to, from) ? 'parameter-narrowed' : 'parameter-widened') })),
  { kinds: ['Parameter'], fact: 'srid', name: 'srid', changed: () => 'parameter-narrowed' },
  { kinds: ['Property'], fact: 'default', changed: (from, to) => (from === undefined ? 'default-added' : to === undefined ? 'default-removed' : 'default-changed') },
  { kinds: ['Property'], fact: 'required', changed: (_from, to, before, after) => (before['nullable'] !== after['nullable'] || before['default'] !== after['default'] ? undefined : to ? 'required-added' : 'required-removed') },
  { kinds: ['Property'], fact: 'computed', changed: (_from, to) => (to ? 'computed-added' : 'computed-removed') },
  { kinds: ['Property'], fact: 'immutable', changed: (_from, to) => (to ? 'immutable-added' : 'immutable-removed') },
  { kinds: valued, fact: 'closed', changed: (_from, to, _before, after) => (to || after['enumerated'] ? undefined : 'values-opened') },
  { kinds: valued, fact: 'allowedValues', changed: (from, _to, before) => (from === undefined && !before['enumerated'] ? 'values-closed' : undefined), items: { lost: 'allowed-value-removed', gained: 'allowed-value-added' } },
  { kinds: valued, fact: 'minimum', name: 'Minimum', changed: (from, to) => (isLower(from, to) ? 'range-narrowed' : 'range-widened') },
  { kinds: valued, fact: 'maximum', name: 'Maximum', changed: (from, to) => (isHigher(from, to) ? 'range-narrowed' : 'range-widened') },
  { kinds: valued, fact: 'exclusiveMinimum', name: 'Exclusive of Minimum', changed: (_from, to) => (to === true ? 'range-narrowed' : 'range-widened') },
  { kinds: valued, fact: 'exclusiveMaximum', name: 'Exclusive of Maximum', changed: (_from, to) => (to === true ? 'range-narrowed' : 'range-widened') },
  { kinds: valued, fact: 'pattern', changed: () => 'pattern-changed' },
  { kinds: ['Property'], fact: 'keyGeneration', name: 'Rules.KeyGeneration', changed: () => 'generation-changed' },
  { kinds: ['Property'], fact: 'generated', name: 'Rules.Generated', changed: () => 'generation-changed' },
  { kinds: ['Property'], fact: 'moves', items: { lost: 'move-removed', gained: 'move-added' } },
  { kinds: ['Property', ...places], fact: 'searchable', changed: (_from, to) => (to ? 'search-added' : 'search-removed') },

  { kinds: ['Property', 'NavigationProperty'], fact: 'ordered', changed: (_from, to) => (to ? 'order-promised' : 'order-withdrawn') },

  { kinds: ['NavigationProperty'], fact: 'target', changed: () => 'navigation-target-changed' },
  { kinds: ['NavigationProperty'], fact: 'partner', changed: partnerRule },
  { kinds: ['NavigationProperty'], fact: 'containsTarget', changed: () => 'containment-changed' },
  { kinds: ['NavigationProperty'], fact: 'constraint', changed: () => 'constraint-changed' },
  { kinds: ['NavigationProperty'], fact: 'onDelete', changed: () => 'on-delete-changed' },
  { kinds: ['NavigationProperty'], fact: 'deletesTarget', changed: (_from, to) => (to ? 'deletes-target-added' : 'deletes-target-removed') },

  { kinds: sets, fact: 'type', changed: () => 'set-type-changed' },
  { kinds: ['EntitySet', 'FunctionImport'], fact: 'listed', changed: () => 'listing-changed' },
  ...['readable', 'insertable', 'updatable', 'upsertable', 'deletable'].map((fact): FactRule => ({ kinds: places, fact, name: fact, changed: (_from, to) => (to ? 'operation-allowed' : 'operation-forbidden') })),
  ...['updatable', 'deletable'].map((fact): FactRule => ({
    kinds: places,
    fact: `${fact} where`,
    name: fact,
    changed: (from, to, before, after) => (before[fact] !== after[fact] ? undefined : from === undefined ? 'condition-added' : to === undefined ? 'condition-removed' : 'condition-changed'),
  })),
  { kinds: places, fact: 'requiredOnCreate', items: { lost: 'required-removed', gained: 'required-added' } },
  { kinds: places, fact: 'requiredOnUpdate', items: { lost: 'update-may-leave-out', gained: 'update-must-carry' } },
  { kinds: places, fact: 'notInsertable', items: { lost: 'create-may-send', gained: 'create-may-not-send' } },
  { kinds: places, fact: 'notUpdatable', items: { lost: 'immutable-removed', gained: 'immutable-added' } },
  { kinds: places, fact: 'notFilterable', items: { lost: 'filter-added', gained: 'filter-removed' } },
  { kinds: places, fact: 'requiresFilter', changed: (_from, to) => (to ? 'filter-needed' : 'filter-optional') },
  { kinds: places, fact: 'requiredInFilter', items: { lost: 'filter-may-leave-out', gained: 'filter-must-name' } },
  { kinds: places, fact: 'notSortable', items: { lost: 'sort-added', gained: 'sort-removed' } },
  { kinds: places, fact: 'notExpandable', items: { lost: 'expand-added', gained: 'expand-removed' } },
  { kinds: places, fact: 'readableByKey', name: 'readable by key', changed: (_from, to, before, after) => (before['readable'] !== after['readable'] && before['readable'] === before['readableByKey'] && after['readable'] === to ? undefined : to ? 'operation-allowed' : 'operation-forbidden') },
  ...[...['read', 'read by key', 'insert', 'update', 'delete'].map((name) => [places, name] as const), [operations, 'call'] as const].map(([kinds, name]): FactRule => ({
    kinds,
    fact: `${name} permissions`,
    changed: (from, to) => (isEmpty(from) ? 'permission-introduced' : isEmpty(to) ? 'permission-lifted' : undefined),
    items: { lost: 'permission-removed', gained: 'permission-added' },
    parts: { keyOf: scopeOf, changed: (from, to) => (hiddenIn(to).every((hidden) => hiddenIn(from).includes(hidden)) ? 'permission-widened' : 'permission-narrowed') },
  })),
  { kinds: places, fact: 'restrictions', items: { lost: 'restriction-removed', gained: 'restriction-added' }, parts: { keyOf: (item) => item.slice(0, item.indexOf(':')), changed: () => 'restriction-changed' } },
  { kinds: places, fact: 'rowRules', items: { lost: 'row-rule-removed', gained: 'row-rule-added' } },
  { kinds: places, fact: 'ifMatchRequired', changed: (_from, to) => (to ? 'if-match-required' : 'if-match-optional') },
  { kinds: sets, fact: 'indexes', items: { lost: 'index-removed', gained: 'index-added' } },
  { kinds: sets, fact: 'bindings', items: { lost: 'binding-changed', gained: 'binding-changed' } },
  ...['MaxTop', 'MaxTopWithExpand', 'MaxSkip', 'DefaultPageSize', 'MaxPageSize', 'MaxPageSizeWithExpand', 'maxExpandDepth'].map((fact): FactRule => ({
    kinds: [...sets, 'EntityContainer'],
    fact,
    name: fact,
    changed: (from, to, before, after) => limitRule(from ?? before[`usual ${fact}`], to ?? after[`usual ${fact}`]),
  })),
  { kinds: ['EntityContainer'], fact: 'filterFunctions', changed: (from, to) => (from === undefined ? 'functions-limited' : to === undefined ? 'functions-freed' : undefined), items: { lost: 'function-removed', gained: 'function-added' } },

  { kinds: ['Action', 'Function'], fact: 'returnType', changed: () => 'return-type-changed' },
  { kinds: ['Action', 'Function'], fact: 'binding', changed: () => 'bound-type-changed' },
  { kinds: ['Action', 'Function', 'ActionImport', 'FunctionImport'], fact: 'resultSet', changed: () => 'result-set-changed' },
  { kinds: ['ActionImport', 'FunctionImport'], fact: 'operation', changed: () => 'import-changed' },
  { kinds: ['Function'], fact: 'isComposable', changed: (_from, to) => (to ? 'composable-added' : 'composable-removed') },
  { kinds: ['Parameter'], fact: 'type', changed: () => 'parameter-changed' },
  { kinds: ['Parameter'], fact: 'nullable', name: 'Nullable', changed: (_from, to) => (to ? 'parameter-widened' : 'parameter-narrowed') },
  { kinds: ['Parameter'], fact: 'optional', changed: (_from, to, before, after) => (before['nullable'] !== after['nullable'] ? undefined : to ? 'parameter-optional' : 'parameter-required') },
];

/** The rules of facts that every kind has. */
export const commonFactRules: readonly Omit<FactRule, 'kinds'>[] = [
  { fact: 'description', verbatim: true, changed: () => 'description-changed' },
  { fact: 'annotations', items: { lost: 'annotation-changed', gained: 'annotation-changed' } },
];

// The effect on the column. Enumerations are stored as their number; within complex values their JSON differs.
function typeRule(before: Facts, after: Facts): RuleId {
  const isSame = (one: string, other: string): boolean => before[one] !== undefined && before[one] === after[other];
  if (isSame('underlying', 'underlying')) return 'type-definition-changed';
  if (before['isComplex'] && after['isComplex']) return 'complex-type-changed';
  if (before['inValue']) return 'member-type-changed';
  if (isSame('underlying', 'enumerated')) return 'numbers-named';
  return isSame('enumerated', 'underlying') ? 'numbers-unnamed' : 'property-type-changed';
}

function partnerRule(_from: Fact, _to: Fact, before: Facts, after: Facts): RuleId {
  return before['byConstraint'] && after['byConstraint'] ? 'partner-changed' : 'partner-of-numbers-changed';
}

// A property includes the facets of its type definition; their changes are reported once, for the definition. Facets of
// another type do not compare.
function facetRules(fact: string, changed: NonNullable<FactRule['changed']>): readonly FactRule[] {
  const isDefined = (facts: Facts): boolean => facts[fact] === undefined && facts['type'] !== facts['underlying'];
  const isReported = (before: Facts, after: Facts): boolean =>
    before['underlying'] !== after['underlying'] || (before['type'] === after['type'] && isDefined(before) && isDefined(after));
  return [
    { kinds: ['TypeDefinition'], fact, changed },
    {
      kinds: ['Property'],
      fact: `whole ${fact}`,
      changed: (from, to, before, after) => (isReported(before, after) ? undefined : changed(from, to, before, after)),
    },
  ];
}

// Digits before the point; without a precision there is no limit.
function wholeDigits(facts: Facts): Fact {
  const [precision, scale] = ['precision', 'scale'].map((name) => facts[`whole ${name}`] ?? facts[name]);
  return typeof precision === 'number' ? precision - (typeof scale === 'number' ? scale : 0) : undefined;
}

function scopeOf(permission: string): string {
  return permission.replace(/ without .*$/, '');
}

function hiddenIn(permission: string): readonly string[] {
  return permission
    .slice(scopeOf(permission).length)
    .replace(' without ', '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function limitRule(from: Fact, to: Fact): RuleId | undefined {
  return from === to ? undefined : isLess(to, from) ? 'limit-reduced' : 'limit-raised';
}

function isEmpty(fact: Fact): boolean {
  return Array.isArray(fact) && fact.length === 0;
}

// No value means no limit.
function isLess(left: Fact, right: Fact): boolean {
  return (typeof left === 'number' ? left : Infinity) < (typeof right === 'number' ? right : Infinity);
}

function isLower(from: Fact, to: Fact): boolean {
  return numberOf(to, -Infinity) > numberOf(from, -Infinity);
}

function isHigher(from: Fact, to: Fact): boolean {
  return numberOf(to, Infinity) < numberOf(from, Infinity);
}

function numberOf(fact: Fact, none: number): number {
  if (typeof fact !== 'string') return none;
  return [Number(fact), Date.parse(fact)].find(Number.isFinite) ?? none;
}
