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

type Rule = Readonly<Record<Audience, Verdict>> & { readonly print: (told: SentenceParts) => string };

const [B, A, P] = ['breaking', 'additive', 'patch'] as const;

// prettier-ignore
/** All known changes, a row each: verdicts for consumers, types and database, and a sentence. An id is never reused. */
export const rules = {
  // Types.
  'namespace-changed': rule(B, B, P, ({ from, to }) => `The namespace ${from} is ${to}: qualified names, casts and operations are others.`),
  'type-added': rule(A, A, A, ({ name }) => `${name} is new.`),
  'type-removed': rule(B, B, B, ({ name }) => `${name} is gone, and with it what is stored of it.`),
  'complex-type-removed': rule(B, B, B, ({ name }) => `${name} is gone; values that say it as their type, as those of a base type may, have none any more.`),
  'value-type-removed': rule(B, B, P, ({ name }) => `${name} is gone; what becomes of the values, the properties tell that had it.`),
  'value-type-renamed': rule(B, B, P, ({ name, from }) => `${from} is called ${name}; the values that are stored are the same.`),
  'value-type-rename-suspected': rule(B, B, B, ({ name, from }) => `${from} is gone and ${name} stands in its place. If it was renamed, say so with Rules.RenamedFrom, or values that say their type keep the old name.`),
  'type-renamed': rule(B, B, P, ({ name, from }) => `${from} is called ${name}; the table is renamed.`),
  'type-moved': rule(B, B, P, ({ name, from }) => `${name} was ${from}; its name in casts and in @odata.type is another.`),
  'base-type-added': rule(A, A, B, ({ to }) => `It derives from ${to} now; where records of that type have a table, its own may become theirs.`),
  'base-type-changed': rule(B, B, B, ({ from, to }) => `The base type was ${from} and is ${to}.`),
  'abstract-added': rule(B, B, B, () => 'No record can be of this type alone any more; some may be.'),
  'abstract-removed': rule(A, A, B, () => 'Records can be of this very type; the table of the types that derive from it may become its own.'),
  'open-type-opened': rule(A, A, A, () => 'Records take properties that the model does not name.'),
  'open-type-closed': rule(B, B, B, () => 'Properties that the model does not name are refused, and those stored are lost.'),
  'key-changed': rule(B, B, B, ({ from, to }) => `The key was ${from} and is ${to}: addresses of records change.`),
  'media-added': rule(B, B, A, () => 'Its records have bytes, and are created by them; those that exist have none.'),
  'media-removed': rule(B, B, B, () => 'Its records have no bytes any more, and those that are stored are dropped.'),
  'underlying-type-changed': rule(B, B, B, ({ from, to }) => `The underlying type was ${from} and is ${to}.`),
  'enum-flags-changed': rule(B, B, B, ({ from, to }) => `IsFlags was ${from} and is ${to}: values are written in another way.`),
  'enum-member-added': rule(A, A, P, ({ name }) => `${name} is new; an exhaustive switch needs a case for it.`),
  'enum-member-removed': rule(B, B, B, ({ name }) => `${name} is gone; records may hold it.`),
  'enum-member-renamed': rule(B, B, P, ({ name, from }) => `${from} is called ${name}, in records as well.`),
  'enum-value-changed': rule(B, B, B, ({ name, from, to }) => `The value of ${name} was ${from} and is ${to}; records hold the old one.`),
  // Properties.
  'property-added': rule(A, A, A, ({ name }) => `${name} is new.`),
  'property-added-required': rule(B, B, B, ({ name }) => `${name} is new, and a create must send it; rows that exist have no value.`),
  'property-added-given': rule(A, A, B, ({ name }) => `${name} is new and never null, and the service gives it; rows that exist have no value.`),
  'property-removed': rule(B, B, B, ({ name }) => `${name} is gone: clients that name it are refused, and the column is dropped.`),
  'member-removed': rule(B, B, B, ({ name }) => `${name} is gone: clients that name it are refused, and what complex values have of it is lost.`),
  'property-renamed': rule(B, B, P, ({ name, from }) => `${from} is called ${name}; the column is renamed.`),
  'property-rename-suspected': rule(B, B, B, ({ name, from }) => `${from} is gone and ${name} is new with the same type. If it was renamed, say so with Rules.RenamedFrom, or its values are lost.`),
  'property-inherited': rule(P, P, P, ({ name, to }) => `${name} is inherited from ${to} now.`),
  'type-definition-changed': rule(P, P, P, ({ from, to }) => `The type was ${from} and is ${to}, and values are what they were.`),
  'property-type-changed': rule(B, B, B, ({ from, to }) => `The type was ${from} and is ${to}; the column is rewritten.`),
  'member-type-changed': rule(B, B, B, ({ from, to }) => `The type was ${from} and is ${to}; complex values that are stored keep the form that they have.`),
  'complex-type-changed': rule(B, B, B, ({ from, to }) => `The type was ${from} and is ${to}; values keep the members that both have, and lose the others.`),
  'numbers-named': rule(B, B, B, ({ from, to }) => `The type was ${from} and is ${to}; rows keep their numbers, and may hold some that no member has.`),
  'numbers-unnamed': rule(B, B, P, ({ from, to }) => `The type was ${from} and is ${to}; rows keep their numbers.`),
  'collection-changed': rule(B, B, B, ({ to }) => (to === 'true' ? 'It was one value and is a collection.' : 'It was a collection and is one value.')),
  'nullable-removed': rule(B, B, B, () => 'It could be null and cannot any more; rows may hold null.'),
  'nullable-added': rule(B, B, P, () => 'It could not be null and can be; readers must expect null.'),
  'null-items-added': rule(B, B, P, () => 'Its items could not be null and can be; readers must expect null.'),
  'null-items-removed': rule(B, B, B, () => 'Its items could be null and cannot any more; rows may hold some.'),
  'max-length-reduced': rule(B, P, B, ({ from, to }) => `MaxLength was ${from} and is ${to}; rows may hold more.`),
  'max-length-raised': rule(A, P, P, ({ from, to }) => `MaxLength was ${from} and is ${to}.`),
  'precision-reduced': rule(B, P, B, ({ from, to }) => `Precision was ${from} and is ${to}; rows may hold more digits.`),
  'precision-raised': rule(A, P, P, ({ from, to }) => `Precision was ${from} and is ${to}.`),
  'scale-reduced': rule(B, P, B, ({ from, to }) => `Scale was ${from} and is ${to}; digits after the point would be rounded.`),
  'scale-raised': rule(A, P, P, ({ from, to }) => `Scale was ${from} and is ${to}.`),
  'whole-digits-reduced': rule(B, P, B, ({ from, to }) => `Scale was ${from} and is ${to} of the same digits; numbers that have more before the point are refused, in rows as well.`),
  'srid-changed': rule(B, P, B, ({ from, to }) => `SRID was ${from} and is ${to}; stored coordinates mean other places.`),
  'default-changed': rule(B, P, P, ({ from, to }) => `A create that leaves it out stored ${from} and stores ${to}.`),
  'default-added': rule(A, A, P, ({ to }) => `A create that leaves it out stores ${to}.`),
  'default-removed': rule(B, B, P, ({ from }) => `A create that leaves it out stored ${from} and does not any more.`),
  'required-added': rule(B, B, P, ({ name }) => `A create must send ${name}.`),
  'required-removed': rule(A, A, P, ({ name }) => `A create may leave ${name} out.`),
  'computed-added': rule(B, B, P, () => 'The service gives it; what a client sends is ignored.'),
  'computed-removed': rule(A, A, P, () => 'A client may send it.'),
  'immutable-added': rule(B, B, P, ({ name }) => `${name} cannot be changed after the create any more.`),
  'immutable-removed': rule(A, A, P, ({ name }) => `${name} can be changed after the create.`),
  'values-closed': rule(B, B, B, ({ to }) => `Only ${to} are allowed; records may hold others.`),
  'values-opened': rule(A, B, P, () => 'Any value is allowed; the union of its values is a plain type.'),
  'allowed-value-added': rule(A, A, P, ({ to }) => `'${to}' is allowed; an exhaustive switch needs a case for it.`),
  'allowed-value-removed': rule(B, B, B, ({ from }) => `'${from}' is not allowed any more; records may hold it.`),
  'range-narrowed': rule(B, P, B, ({ name, from, to }) => `${name} was ${from} and is ${to}; values that were good are refused.`),
  'range-widened': rule(A, P, P, ({ name, from, to }) => `${name} was ${from} and is ${to}.`),
  'pattern-changed': rule(B, P, B, ({ from, to }) => `The pattern was ${from} and is ${to}.`),
  'generation-changed': rule(B, P, P, ({ name, from, to }) => `What the service gives (${name}) was ${from} and is ${to}.`),
  'move-added': rule(A, P, P, ({ to }) => `The state may go ${to}.`),
  'move-removed': rule(B, P, P, ({ from }) => `The state may not go ${from} any more.`),
  'order-promised': rule(A, P, P, () => 'Its items keep their order, and their addresses by ordinal.'),
  'order-withdrawn': rule(B, P, P, () => 'Nobody may rely on the order of its items any more, nor on their addresses.'),
  'search-added': rule(A, P, A, () => '$search looks into it.'),
  'search-removed': rule(B, P, P, () => '$search does not look into it any more.'),
  // Navigation.
  'navigation-added': rule(A, A, A, ({ name }) => `${name} is new.`),
  'navigation-added-required': rule(B, B, B, ({ name }) => `${name} is new, and a record must lead somewhere; those that exist do not.`),
  'navigation-added-constrained': rule(A, A, B, ({ name }) => `${name} is new; rows that name a record that is not there stop its foreign key.`),
  'navigation-path-removed': rule(B, B, P, ({ name }) => `${name} is gone: it cannot be expanded; the properties that lead there stay.`),
  'navigation-removed': rule(B, B, B, ({ name }) => `${name} is gone: it cannot be expanded, and what joins the records is dropped.`),
  'navigation-renamed': rule(B, B, P, ({ name, from }) => `${from} is called ${name}.`),
  'navigation-target-changed': rule(B, B, B, ({ from, to }) => `It led to ${from} and leads to ${to}.`),
  'partner-changed': rule(B, P, P, ({ from, to }) => `The partner was ${from} and is ${to}.`),
  'partner-of-numbers-changed': rule(B, P, B, ({ from, to }) => `The partner was ${from} and is ${to}: what joins the records is kept in another place.`),
  'containment-changed': rule(B, B, B, ({ from, to }) => `ContainsTarget was ${from} and is ${to}: the records have other addresses.`),
  'constraint-changed': rule(B, P, B, ({ from, to }) => `The referential constraint was ${from} and is ${to}.`),
  'on-delete-changed': rule(B, P, P, ({ from, to }) => `OnDelete was ${from} and is ${to}: ${fateOf(from, to)}.`),
  'deletes-target-added': rule(B, P, P, () => 'A delete takes along what it leads to.'),
  'deletes-target-removed': rule(B, P, P, () => 'A delete leaves what it leads to.'),
  // The container.
  'set-added': rule(A, A, P, ({ name }) => `${name} is new.`),
  'set-removed': rule(B, B, P, ({ name }) => `${name} is gone: its address answers 404.`),
  'set-renamed': rule(B, B, P, ({ name, from }) => `${from} is called ${name}: its address is another.`),
  'set-type-changed': rule(B, B, B, ({ from, to }) => `Its type was ${from} and is ${to}.`),
  'set-added-with-table': rule(A, A, A, ({ name }) => `${name} is new, with a table of its own.`),
  'set-removed-with-table': rule(B, B, B, ({ name }) => `${name} is gone: its address answers 404, and its table is dropped.`),
  'set-rename-suspected': rule(B, B, B, ({ name, from }) => `${from} is gone and ${name} is new of the same type. If it was renamed, say so with Rules.RenamedFrom, or its records are lost.`),
  'singleton-may-be-missing': rule(B, B, P, () => 'It may be missing: 204 where there is none.'),
  'singleton-always-there': rule(A, A, P, () => 'It is always there.'),
  'binding-changed': rule(P, P, P, ({ from, to }) => `The binding was ${from} and is ${to}.`),
  'listing-changed': rule(P, P, P, ({ from, to }) => `IncludeInServiceDocument was ${from} and is ${to}.`),
  'container-renamed': rule(B, B, P, ({ name, from }) => `The container ${from} is called ${name}.`),
  'operation-forbidden': rule(B, B, P, ({ name }) => `It was ${name} and is not any more: 405.`),
  'operation-allowed': rule(A, A, P, ({ name }) => `It is ${name}.`),
  'filter-removed': rule(B, P, P, ({ to }) => `${to} cannot be used in $filter any more.`),
  'filter-added': rule(A, P, P, ({ from }) => `${from} can be used in $filter.`),
  'filter-needed': rule(B, P, P, () => 'A read of it needs $filter.'),
  'filter-optional': rule(A, P, P, () => 'A read of it needs no $filter any more.'),
  'filter-must-name': rule(B, P, P, ({ to }) => `$filter must name ${to}.`),
  'filter-may-leave-out': rule(A, P, P, ({ from }) => `$filter need not name ${from} any more.`),
  'sort-removed': rule(B, P, P, ({ to }) => `${to} cannot be used in $orderby any more.`),
  'sort-added': rule(A, P, P, ({ from }) => `${from} can be used in $orderby.`),
  'expand-removed': rule(B, P, P, ({ to }) => `${to} cannot be expanded any more.`),
  'expand-added': rule(A, P, P, ({ from }) => `${from} can be expanded.`),
  'function-removed': rule(B, P, P, ({ from }) => `The function ${from} is refused in $filter.`),
  'function-added': rule(A, P, P, ({ to }) => `The function ${to} works in $filter.`),
  'limit-reduced': rule(B, P, P, ({ name, from, to }) => `${name} was ${from} and is ${to}.`),
  'limit-raised': rule(A, P, P, ({ name, from, to }) => `${name} was ${from} and is ${to}.`),
  'permission-removed': rule(B, P, P, ({ from }) => `No more: ${from}.`),
  'permission-added': rule(A, P, P, ({ to }) => `Permitted: ${to}.`),
  'permission-introduced': rule(B, P, P, ({ to }) => `Any token would do; now it is ${to}.`),
  'permission-lifted': rule(A, P, P, ({ from }) => `Any token will do; it was ${from}.`),
  'permission-narrowed': rule(B, P, P, ({ from, to }) => `It was: ${from}. It is: ${to}.`),
  'permission-widened': rule(A, P, P, ({ from, to }) => `It was: ${from}. It is: ${to}.`),
  'restriction-added': rule(B, P, P, ({ to }) => `Restricted: ${to}.`),
  'restriction-changed': rule(B, P, P, ({ from, to }) => `The restriction was ${from} and is ${to}.`),
  'restriction-removed': rule(A, P, P, ({ from }) => `Restricted no more: ${from}.`),
  'functions-limited': rule(B, P, P, ({ to }) => `Only these functions work in $filter: ${to}.`),
  'functions-freed': rule(A, P, P, ({ from }) => `Every function works in $filter, not only ${from}.`),
  'if-match-required': rule(B, P, P, () => 'A change must carry If-Match: 428 without.'),
  'if-match-optional': rule(A, P, P, () => 'A change may come without If-Match.'),
  'update-must-carry': rule(B, B, P, ({ to }) => `An update must carry ${to}.`),
  'update-may-leave-out': rule(A, A, P, ({ from }) => `An update may leave ${from} out.`),
  'create-may-send': rule(A, A, P, ({ from }) => `A create may send ${from}.`),
  'create-may-not-send': rule(B, B, P, ({ to }) => `A create may send ${to} only with its initial value.`),
  'condition-added': rule(B, P, P, ({ name, to }) => `Only records are ${name} that meet ${to}: 403 for others.`),
  'condition-removed': rule(A, P, P, ({ name, from }) => `Records are ${name} whether or not they meet ${from}.`),
  'condition-changed': rule(B, P, P, ({ name, from, to }) => `Records were ${name} that met ${from}, and are now that meet ${to}: 403 for others.`),
  'row-rule-added': rule(B, P, P, ({ to }) => `A rule limits ${to}.`),
  'row-rule-removed': rule(A, P, P, ({ from }) => `No rule limits ${from} any more.`),
  'index-added': rule(P, P, A, ({ to }) => `Index on ${to}.`),
  'index-removed': rule(P, P, P, ({ from }) => `No index on ${from} any more: filters and orders over it become slow.`),
  // Operations.
  'operation-added': rule(A, A, P, ({ name }) => `${name} is new.`),
  'operation-removed': rule(B, B, P, ({ name }) => `${name} is gone.`),
  'parameter-added': rule(B, B, P, ({ name }) => `${name} is new, and a call must give it.`),
  'parameter-added-optional': rule(A, A, P, ({ name }) => `${name} is new, and a call may leave it out.`),
  'parameter-removed': rule(B, B, P, ({ name }) => `${name} is gone.`),
  'parameter-changed': rule(B, B, P, ({ from, to }) => `It was ${from} and is ${to}.`),
  'parameter-optional': rule(A, A, P, ({ name }) => `A call may leave ${name} out.`),
  'parameter-required': rule(B, B, P, ({ name }) => `A call must give ${name}.`),
  'parameter-narrowed': rule(B, P, P, ({ name, from, to }) => `${name} was ${from} and is ${to}.`),
  'parameter-widened': rule(A, P, P, ({ name, from, to }) => `${name} was ${from} and is ${to}.`),
  'import-changed': rule(B, B, P, ({ from, to }) => `It called ${from} and calls ${to}.`),
  'bound-type-changed': rule(B, B, P, ({ from, to }) => `It was bound to ${from || 'nothing'} and is bound to ${to || 'nothing'}: its address is another.`),
  'result-set-changed': rule(P, P, P, ({ from, to }) => `Its result was of ${from} and is of ${to}.`),
  'composable-removed': rule(B, P, P, () => 'Nothing may follow a call in a path any more.'),
  'composable-added': rule(A, P, P, () => 'A path may go on behind a call.'),
  'return-type-changed': rule(B, B, P, ({ from, to }) => `It returned ${from} and returns ${to}.`),
  // Descriptions.
  'description-changed': rule(P, P, P, () => 'The description is another.'),
  'annotation-changed': rule(P, P, P, ({ from, to }) => (from === 'none' ? `Annotation ${to} is new.` : `Annotation ${from} is gone or another.`)),
} as const satisfies { readonly [id: string]: Rule };

/** The id of a rule, which reports contain; never changed. */
export type RuleId = keyof typeof rules;

// The effect of a delete on referencing entities.
function fateOf(from: string, to: string): string {
  if (to === 'Cascade') return 'a delete takes other records with it';
  if (from === 'Cascade') return 'a delete does not take other records with it any more';
  return 'a delete may be refused that was not, or leave other records without what they refer to';
}

function rule(consumers: Verdict, types: Verdict, database: Verdict, print: Rule['print']): Rule {
  return { consumers, types, database, print };
}
