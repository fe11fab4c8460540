/** The effect of a change on one audience: it can break, it gets more, or nothing changes. */
export type Verdict = 'breaking' | 'additive' | 'patch';

/** The audiences: clients of the API, programs compiled against the types, the database with its rows. */
export const audiences = ['consumers', 'types', 'database'] as const;
type Audience = (typeof audiences)[number];

/** The parts of a sentence: the element, and its old and new values. */
export interface SentenceParts {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

type Rule = Readonly<Record<Audience, Verdict>> & { readonly print: (parts: SentenceParts) => string };

const [B, A, P] = ['breaking', 'additive', 'patch'] as const;

// oxfmt-ignore
/** All known changes, a row each: verdicts for consumers, types and database, and a sentence. An id is never reused. */
export const rules = {
  // Types.
  'namespace-changed': rule(B, B, P, ({ from, to }) => `The namespace ${from} is now ${to}: qualified names, casts and operations change.`),
  'type-added': rule(A, A, A, ({ name }) => `${name} is new.`),
  'type-removed': rule(B, B, B, ({ name }) => `${name} was removed, with all of its data.`),
  'complex-type-removed': rule(B, B, B, ({ name }) => `${name} was removed; values that have it as their type lose their type.`),
  'value-type-removed': rule(B, B, P, ({ name }) => `${name} was removed; its former properties determine what happens to the values.`),
  'value-type-renamed': rule(B, B, P, ({ name, from }) => `${from} was renamed to ${name}; the stored values are unchanged.`),
  'value-type-rename-suspected': rule(B, B, B, ({ name, from }) => `${from} was removed and ${name} took its place. If it was renamed, add Rules.RenamedFrom; otherwise values that include their type keep the old name.`),
  'type-renamed': rule(B, B, P, ({ name, from }) => `${from} was renamed to ${name}; the table is renamed.`),
  'type-moved': rule(B, B, P, ({ name, from }) => `${name} was ${from}; its name in casts and in @odata.type changes.`),
  'base-type-added': rule(A, A, B, ({ to }) => `It now derives from ${to}; if that type has a table, its rows may move there.`),
  'base-type-changed': rule(B, B, B, ({ from, to }) => `The base type changed from ${from} to ${to}.`),
  'abstract-added': rule(B, B, B, () => 'The type is now abstract; existing records may have it.'),
  'abstract-removed': rule(A, A, B, () => 'The type is no longer abstract; the table of its derived types may become its own.'),
  'open-type-opened': rule(A, A, A, () => 'Records accept undeclared properties.'),
  'open-type-closed': rule(B, B, B, () => 'Undeclared properties are rejected, and stored ones are lost.'),
  'key-changed': rule(B, B, B, ({ from, to }) => `The key changed from ${from} to ${to}: addresses of records change.`),
  'media-added': rule(B, B, A, () => 'Its records are media entities, created with their bytes; existing ones have none.'),
  'media-removed': rule(B, B, B, () => 'Its records are no longer media entities, and stored bytes are dropped.'),
  'underlying-type-changed': rule(B, B, B, ({ from, to }) => `The underlying type changed from ${from} to ${to}.`),
  'enum-flags-changed': rule(B, B, B, ({ from, to }) => `IsFlags changed from ${from} to ${to}: values are written differently.`),
  'enum-member-added': rule(A, A, P, ({ name }) => `${name} is new; an exhaustive switch needs a case for it.`),
  'enum-member-removed': rule(B, B, B, ({ name }) => `${name} was removed; records may have it.`),
  'enum-member-renamed': rule(B, B, P, ({ name, from }) => `${from} was renamed to ${name}, in records as well.`),
  'enum-value-changed': rule(B, B, B, ({ name, from, to }) => `The value of ${name} changed from ${from} to ${to}; records have the old one.`),
  // Properties.
  'property-added': rule(A, A, A, ({ name }) => `${name} is new.`),
  'property-added-required': rule(B, B, B, ({ name }) => `${name} is new and required on create; existing rows have no value.`),
  'property-added-given': rule(A, A, B, ({ name }) => `${name} is new, required and set by the service; existing rows have no value.`),
  'property-removed': rule(B, B, B, ({ name }) => `${name} was removed: requests that name it fail, and the column is dropped.`),
  'member-removed': rule(B, B, B, ({ name }) => `${name} was removed: requests that name it fail, and its values in complex values are lost.`),
  'property-renamed': rule(B, B, P, ({ name, from }) => `${from} was renamed to ${name}; the column is renamed.`),
  'property-rename-suspected': rule(B, B, B, ({ name, from }) => `${from} was removed and ${name} is new with the same type. If it was renamed, add Rules.RenamedFrom; otherwise its values are lost.`),
  'property-inherited': rule(P, P, P, ({ name, to }) => `${name} is now inherited from ${to}.`),
  'property-inherited-apart': rule(P, P, B, ({ name, to }) => `${name} is now inherited from ${to}, and its own column is dropped: the inherited one has the column of another type.`),
  'property-moved': rule(B, B, B, ({ name, from, to }) => `${name} moved from ${from} to ${to}: the column stays, and records of types without it hide their values.`),
  'member-moved': rule(B, B, B, ({ name, from, to }) => `${name} moved from ${from} to ${to}: values of types without it keep it, but hide it.`),
  'type-definition-changed': rule(P, P, P, ({ from, to }) => `The type changed from ${from} to ${to}; values are unchanged.`),
  'property-type-changed': rule(B, B, B, ({ from, to }) => `The type changed from ${from} to ${to}; the column is rewritten.`),
  'member-type-changed': rule(B, B, B, ({ from, to }) => `The type changed from ${from} to ${to}; stored complex values keep their form.`),
  'complex-type-changed': rule(B, B, B, ({ from, to }) => `The type changed from ${from} to ${to}; values keep the members that both types have, and lose the others.`),
  'numbers-named': rule(B, B, B, ({ from, to }) => `The type changed from ${from} to ${to}; rows keep their numbers, which may belong to no member.`),
  'numbers-unnamed': rule(B, B, P, ({ from, to }) => `The type changed from ${from} to ${to}; rows keep their numbers.`),
  'collection-changed': rule(B, B, B, ({ to }) => (to === 'true' ? 'It changed from a single value to a collection.' : 'It changed from a collection to a single value.')),
  'nullable-removed': rule(B, B, B, () => 'It is no longer nullable; rows may have null.'),
  'nullable-added': rule(B, B, P, () => 'It is now nullable; clients must expect null.'),
  'null-items-added': rule(B, B, P, () => 'Its items are now nullable; clients must expect null.'),
  'null-items-removed': rule(B, B, B, () => 'Its items are no longer nullable; rows may have null items.'),
  'max-length-reduced': rule(B, P, B, ({ from, to }) => `MaxLength changed from ${from} to ${to}; rows may have longer values.`),
  'max-length-raised': rule(A, P, P, ({ from, to }) => `MaxLength changed from ${from} to ${to}.`),
  'precision-reduced': rule(B, P, B, ({ from, to }) => `Precision changed from ${from} to ${to}; rows may have more digits.`),
  'precision-raised': rule(A, P, P, ({ from, to }) => `Precision changed from ${from} to ${to}.`),
  'scale-reduced': rule(B, P, B, ({ from, to }) => `Scale changed from ${from} to ${to}; decimal places would be rounded.`),
  'scale-raised': rule(A, P, P, ({ from, to }) => `Scale changed from ${from} to ${to}.`),
  'whole-digits-reduced': rule(B, P, B, ({ from, to }) => `Scale changed from ${from} to ${to} with the same Precision; numbers with more digits before the point are rejected, in rows as well.`),
  'srid-changed': rule(B, P, B, ({ from, to }) => `SRID changed from ${from} to ${to}; stored coordinates get another meaning.`),
  'default-changed': rule(B, P, P, ({ from, to }) => `The default changed from ${from} to ${to}.`),
  'default-added': rule(A, A, P, ({ to }) => `The default is now ${to}.`),
  'default-removed': rule(B, B, P, ({ from }) => `The default ${from} was removed.`),
  'required-added': rule(B, B, P, ({ name }) => `${name} is now required on create.`),
  'required-removed': rule(A, A, P, ({ name }) => `${name} is now optional on create.`),
  'computed-added': rule(B, B, P, () => 'The service now sets it; values of clients are ignored.'),
  'computed-removed': rule(A, A, P, () => 'Clients may now set it.'),
  'immutable-added': rule(B, B, P, ({ name }) => `${name} can no longer be changed after creation.`),
  'immutable-removed': rule(A, A, P, ({ name }) => `${name} can be changed after creation.`),
  'values-closed': rule(B, B, B, ({ to }) => `Only ${to} are allowed; records may have other values.`),
  'values-opened': rule(A, B, P, () => 'Any value is allowed; its union type becomes a plain type.'),
  'allowed-value-added': rule(A, A, P, ({ to }) => `'${to}' is allowed; an exhaustive switch needs a case for it.`),
  'allowed-value-removed': rule(B, B, B, ({ from }) => `'${from}' is no longer allowed; records may have it.`),
  'range-narrowed': rule(B, P, B, ({ name, from, to }) => `${name} changed from ${from} to ${to}; formerly valid values are rejected.`),
  'range-widened': rule(A, P, P, ({ name, from, to }) => `${name} changed from ${from} to ${to}.`),
  'pattern-changed': rule(B, P, B, ({ from, to }) => `The pattern changed from ${from} to ${to}.`),
  'generation-changed': rule(B, P, P, ({ name, from, to }) => `The value set by the service (${name}) changed from ${from} to ${to}.`),
  'move-added': rule(A, P, P, ({ to }) => `The state transition ${to} is new.`),
  'move-removed': rule(B, P, P, ({ from }) => `The state transition ${from} was removed.`),
  'order-promised': rule(A, P, P, () => 'Its items keep their order, and their addresses by ordinal.'),
  'order-withdrawn': rule(B, P, P, () => 'The order of its items is no longer guaranteed.'),
  'search-added': rule(A, P, A, () => '$search now covers it.'),
  'search-removed': rule(B, P, P, () => '$search no longer covers it.'),
  // Navigation.
  'navigation-added': rule(A, A, A, ({ name }) => `${name} is new.`),
  'navigation-added-required': rule(B, B, B, ({ name }) => `${name} is new and required; existing records have no target.`),
  'navigation-added-constrained': rule(A, A, B, ({ name }) => `${name} is new; rows with a key that does not exist violate its foreign key.`),
  'navigation-path-removed': rule(B, B, P, ({ name }) => `${name} was removed: it cannot be expanded; its foreign key properties remain.`),
  'navigation-removed': rule(B, B, B, ({ name }) => `${name} was removed: it cannot be expanded, and its join columns are dropped.`),
  'navigation-moved': rule(B, B, B, ({ name, from, to }) => `${name} moved from ${from} to ${to}: its join column stays, and records of types without it hide their target.`),
  'navigation-renamed': rule(B, B, P, ({ name, from }) => `${from} was renamed to ${name}.`),
  'navigation-target-changed': rule(B, B, B, ({ from, to }) => `Its target changed from ${from} to ${to}.`),
  'partner-changed': rule(B, P, P, ({ from, to }) => `The partner changed from ${from} to ${to}.`),
  'partner-of-numbers-changed': rule(B, P, B, ({ from, to }) => `The partner changed from ${from} to ${to}: the join moves to another column or table.`),
  'containment-changed': rule(B, B, B, ({ from, to }) => `ContainsTarget changed from ${from} to ${to}: addresses of the records change.`),
  'constraint-changed': rule(B, P, B, ({ from, to }) => `The referential constraint changed from ${from} to ${to}.`),
  'on-delete-changed': rule(B, P, P, ({ from, to }) => `OnDelete changed from ${from} to ${to}: ${fateOf(from, to)}.`),
  'deletes-target-added': rule(B, P, P, () => 'A delete now also deletes the target.'),
  'deletes-target-removed': rule(B, P, P, () => 'A delete no longer deletes the target.'),
  // The container.
  'set-added': rule(A, A, P, ({ name }) => `${name} is new.`),
  'set-removed': rule(B, B, P, ({ name }) => `${name} was removed: its address answers 404.`),
  'set-renamed': rule(B, B, P, ({ name, from }) => `${from} was renamed to ${name}: its address changes.`),
  'set-type-changed': rule(B, B, B, ({ from, to }) => `Its type changed from ${from} to ${to}.`),
  'set-added-with-table': rule(A, A, A, ({ name }) => `${name} is new, with its own table.`),
  'set-removed-with-table': rule(B, B, B, ({ name }) => `${name} was removed: its address answers 404, and its table is dropped.`),
  'set-rename-suspected': rule(B, B, B, ({ name, from }) => `${from} was removed and ${name} is new with the same type. If it was renamed, add Rules.RenamedFrom; otherwise its records are lost.`),
  'singleton-may-be-missing': rule(B, B, P, () => 'It may be missing: 204 in that case.'),
  'singleton-always-there': rule(A, A, P, () => 'It always exists.'),
  'binding-changed': rule(P, P, P, ({ from, to }) => `The binding changed from ${from} to ${to}.`),
  'listing-changed': rule(P, P, P, ({ from, to }) => `IncludeInServiceDocument changed from ${from} to ${to}.`),
  'container-renamed': rule(B, B, P, ({ name, from }) => `The container ${from} was renamed to ${name}.`),
  'operation-forbidden': rule(B, B, P, ({ name }) => `It is no longer ${name}: 405.`),
  'operation-allowed': rule(A, A, P, ({ name }) => `It is now ${name}.`),
  'filter-removed': rule(B, P, P, ({ to }) => `${to} can no longer be used in $filter.`),
  'filter-added': rule(A, P, P, ({ from }) => `${from} can be used in $filter.`),
  'filter-needed': rule(B, P, P, () => 'Reads now require $filter.'),
  'filter-optional': rule(A, P, P, () => 'Reads no longer require $filter.'),
  'filter-must-name': rule(B, P, P, ({ to }) => `$filter must name ${to}.`),
  'filter-may-leave-out': rule(A, P, P, ({ from }) => `$filter need no longer name ${from}.`),
  'sort-removed': rule(B, P, P, ({ to }) => `${to} can no longer be used in $orderby.`),
  'sort-added': rule(A, P, P, ({ from }) => `${from} can be used in $orderby.`),
  'expand-removed': rule(B, P, P, ({ to }) => `${to} can no longer be expanded.`),
  'expand-added': rule(A, P, P, ({ from }) => `${from} can be expanded.`),
  'function-removed': rule(B, P, P, ({ from }) => `The function ${from} is rejected in $filter.`),
  'function-added': rule(A, P, P, ({ to }) => `The function ${to} is accepted in $filter.`),
  'limit-reduced': rule(B, P, P, ({ name, from, to }) => `${name} changed from ${from} to ${to}.`),
  'limit-raised': rule(A, P, P, ({ name, from, to }) => `${name} changed from ${from} to ${to}.`),
  'permission-removed': rule(B, P, P, ({ from }) => `No more: ${from}.`),
  'permission-added': rule(A, P, P, ({ to }) => `Permitted: ${to}.`),
  'permission-introduced': rule(B, P, P, ({ to }) => `Any token was accepted; now the scope is ${to}.`),
  'permission-lifted': rule(A, P, P, ({ from }) => `Any token is accepted; the scope was ${from}.`),
  'permission-narrowed': rule(B, P, P, ({ from, to }) => `It was: ${from}. It is: ${to}.`),
  'permission-widened': rule(A, P, P, ({ from, to }) => `It was: ${from}. It is: ${to}.`),
  'restriction-added': rule(B, P, P, ({ to }) => `Restricted: ${to}.`),
  'restriction-changed': rule(B, P, P, ({ from, to }) => `The restriction changed from ${from} to ${to}.`),
  'restriction-removed': rule(A, P, P, ({ from }) => `No longer restricted: ${from}.`),
  'functions-limited': rule(B, P, P, ({ to }) => `Only these functions are accepted in $filter: ${to}.`),
  'functions-freed': rule(A, P, P, ({ from }) => `Every function is accepted in $filter, not only ${from}.`),
  'if-match-required': rule(B, P, P, () => 'A change requires If-Match: 428 without it.'),
  'if-match-optional': rule(A, P, P, () => 'A change no longer requires If-Match.'),
  'update-must-carry': rule(B, B, P, ({ to }) => `An update requires ${to}.`),
  'update-may-leave-out': rule(A, A, P, ({ from }) => `An update no longer requires ${from}.`),
  'create-may-send': rule(A, A, P, ({ from }) => `A create may send ${from}.`),
  'create-may-not-send': rule(B, B, P, ({ to }) => `A create may send ${to} only with its initial value.`),
  'condition-added': rule(B, P, P, ({ name, to }) => `Only records that match ${to} are ${name}: 403 for others.`),
  'condition-removed': rule(A, P, P, ({ name, from }) => `Records are ${name} whether or not they match ${from}.`),
  'condition-changed': rule(B, P, P, ({ name, from, to }) => `The condition for ${name} records changed from ${from} to ${to}: 403 for others.`),
  'row-rule-added': rule(B, P, P, ({ to }) => `A row filter restricts ${to}.`),
  'row-rule-removed': rule(A, P, P, ({ from }) => `The row filter of ${from} was removed.`),
  'index-added': rule(P, P, A, ({ to }) => `Index on ${to}.`),
  'index-removed': rule(P, P, P, ({ from }) => `The index on ${from} was removed: filters and orders on it become slow.`),
  // Operations.
  'operation-added': rule(A, A, P, ({ name }) => `${name} is new.`),
  'operation-removed': rule(B, B, P, ({ name }) => `${name} was removed.`),
  'parameter-added': rule(B, B, P, ({ name }) => `${name} is new and required in a call.`),
  'parameter-added-optional': rule(A, A, P, ({ name }) => `${name} is new and optional in a call.`),
  'parameter-removed': rule(B, B, P, ({ name }) => `${name} was removed.`),
  'parameter-changed': rule(B, B, P, ({ from, to }) => `It changed from ${from} to ${to}.`),
  'parameter-optional': rule(A, A, P, ({ name }) => `${name} is now optional in a call.`),
  'parameter-required': rule(B, B, P, ({ name }) => `${name} is now required in a call.`),
  'parameter-narrowed': rule(B, P, P, ({ name, from, to }) => `${name} changed from ${from} to ${to}.`),
  'parameter-widened': rule(A, P, P, ({ name, from, to }) => `${name} changed from ${from} to ${to}.`),
  'import-changed': rule(B, B, P, ({ from, to }) => `Its operation changed from ${from} to ${to}.`),
  'bound-type-changed': rule(B, B, P, ({ from, to }) => `Its binding changed from ${from || 'none'} to ${to || 'none'}: its address changes.`),
  'result-set-changed': rule(P, P, P, ({ from, to }) => `The entity set of its result changed from ${from} to ${to}.`),
  'composable-removed': rule(B, P, P, () => 'It is no longer composable.'),
  'composable-added': rule(A, P, P, () => 'It is now composable.'),
  'return-type-changed': rule(B, B, P, ({ from, to }) => `Its result changed from ${from} to ${to}.`),
  // Descriptions.
  'description-changed': rule(P, P, P, () => 'The description changed.'),
  'annotation-changed': rule(P, P, P, ({ from, to }) => (from === 'none' ? `Annotation ${to} is new.` : `Annotation ${from} was removed or changed.`)),
} as const satisfies { readonly [id: string]: Rule };

/** The id of a rule, which reports contain; never changed. */
export type RuleId = keyof typeof rules;

// The effect of a delete on referencing entities.
function fateOf(from: string, to: string): string {
  if (to === 'Cascade') return 'a delete now also deletes other records';
  if (from === 'Cascade') return 'a delete no longer deletes other records';
  return 'a delete may now be rejected, or leave other records without their target';
}

function rule(consumers: Verdict, types: Verdict, database: Verdict, print: Rule['print']): Rule {
  return { consumers, types, database, print };
}
