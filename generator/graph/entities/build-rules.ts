import { isShownName, mediaStream, primitives } from '../../../runtime/edm/index.js';
import type { Field, GeneratedValue, WriteRules } from '../../../runtime/edm/index.js';
import { storedText, enumValue } from '../../../runtime/expression/enum-members.js';
import { databaseText } from '../../../runtime/schema/identifier.js';
import type { NavigationProperty } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { booleanValue, flagValue, pathValues, recordValue, textValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { isOnlyRead } from '../checks/check-access.js';
import { checkValue } from '../values/check-value.js';
import { knownPaths } from '../sources/known-paths.js';
import { basesOf, type Definition } from '../names/scope.js';
import type { BuiltField, BuiltSet, BuiltType, Context } from '../built-model.js';
import { lastName } from '../../../runtime/edm/lookup.js';

/** The rules for bodies, from the annotations of properties and set. */
export function buildRules(type: BuiltType, built: BuiltSet, context: Context): WriteRules {
  const { report } = context;
  // A body does not write streams.
  const listed = (term: string, member: string): readonly string[] =>
    knownPaths(pathValues(built.restriction(term)?.member(member), term, report), term, type, context).filter(
      (name) => !type.streams.has(name),
    );
  const tagged = (term: string): readonly string[] => fieldsWhere(type, ({ notes }) => flagValue(notes.find(term), report));
  // Read-only properties (Core.Permissions) are ignored in bodies like computed ones (protocol 11.4.3).
  const computed = fieldsWhere(
    type,
    ({ notes, property: { name } }) =>
      flagValue(notes.find(terms.computed), report) || (isOnlyRead(notes.find(terms.access)) && !type.key.includes(name)),
  );
  const given = new Set([...computed, ...tagged(terms.computedDefault)]);
  const initialOnly = [...new Set([...listed(terms.insert, 'NonInsertableProperties'), ...statesOf(type)])].filter(
    (name) => !computed.includes(name),
  );
  const implied = fieldsWhere(
    type,
    ({ property, field }) => !field.nullable && !field.collection && field.default === undefined && !given.has(property.name),
  );
  const required = new Set([...listed(terms.insert, 'RequiredProperties'), ...implied]);
  const immutable = new Set([...tagged(terms.immutable), ...listed(terms.update, 'NonUpdatableProperties')]);
  const requiredOnCreate = built.insertable
    ? [...type.fields.keys()].filter((name) => isShownName(name) && required.has(name) && !initialOnly.includes(name))
    : [];
  checkMedia(type, requiredOnCreate, context);
  return {
    requiredOnCreate,
    requiredOnUpdate: built.updatable ? listed(terms.update, 'RequiredProperties') : [],
    computed,
    initialOnly,
    immutable: [...immutable].filter((name) => !computed.includes(name)),
    references: built.insertable || built.updatable ? referencesOf(type, context) : {},
    ...generatedOf(type, given, computed, context),
  };
}

// The address of a stream may contain the key.
function checkMedia({ streams, key, definition, name }: BuiltType, required: readonly string[], { report }: Context): void {
  const others = required.filter((property) => !key.includes(property));
  if (streams.has(mediaStream) && others.length > 0) report(faults.mediaRequired(definition.at, name, others.join(', ')));
}

function fieldsWhere(type: BuiltType, matches: (field: BuiltField) => boolean): readonly string[] {
  return [...type.fields.values()].filter(matches).map(({ property }) => property.name);
}

function referencesOf(type: BuiltType, { scope }: Context): WriteRules['references'] {
  const single = type.navigation.filter(
    (one) =>
      !one.collection &&
      !one.containsTarget &&
      !isShared(one, type) &&
      one.constraints.length === 1 &&
      !one.constraints[0]?.property.includes('/'),
  );
  return Object.fromEntries(
    single.flatMap((navigation) => {
      const [constraint] = navigation.constraints;
      const target = scope.definitions.get(scope.qualify(navigation.type));
      return constraint === undefined ||
        !isShownName(constraint.property) ||
        target?.kind !== 'EntityType' ||
        !isKeyOf(
          [target, ...basesOf(scope.qualify(navigation.type), scope).map((base) => scope.definitions.get(base))],
          constraint.referencedProperty,
        )
        ? []
        : [[constraint.property, target.name]];
    }),
  );
}

// The writer looks for the target in each of several types.
function isShared({ type: target, constraints: [own], sharesProperty }: NavigationProperty, { navigation }: BuiltType): boolean {
  const rivals = navigation.filter((other) => other.sharesProperty && other.constraints[0]?.property === own?.property);
  return sharesProperty === true && rivals.some(({ type }) => type !== target);
}

// The type's own key, or that of its nearest base type.
function isKeyOf(lineage: readonly (Definition | undefined)[], name: string): boolean {
  const [key] = lineage.flatMap((type) => (type?.kind === 'EntityType' ? type.keys : []));
  return key?.length === 1 && key[0]?.name === name;
}

// A new record has the initial state, unless every transition is allowed.
function statesOf(type: BuiltType): readonly string[] {
  return fieldsWhere(type, ({ notes, field }) => {
    const table = recordValue(notes.find(terms.transitions)?.value, terms.transitions, silent);
    const unlisted = table && booleanValue(table.member('UnlistedAllowed'), terms.transitions, false, silent);
    return unlisted === false && field.default !== undefined;
  });
}

function generatedOf(
  type: BuiltType,
  tagged: ReadonlySet<string>,
  computed: readonly string[],
  context: Context,
): Pick<WriteRules, 'onInsert' | 'onUpdate'> {
  const stated = [...type.fields.values()].flatMap((built) => named(built, generatedValue(built, tagged, context)));
  const given = valuesAt('Insert', stated);
  const isImplied = (name: string): boolean => computed.includes(name) && !type.key.includes(name) && !Object.hasOwn(given, name);
  const implied = [...type.fields.values()].flatMap((built) =>
    isImplied(built.property.name) ? named(built, computedValue(built.field)) : [],
  );
  return {
    onInsert: { ...given, ...valuesAt('Insert', implied) },
    onUpdate: { ...valuesAt('Update', implied), ...valuesAt('Update', stated) },
  };
}

// The builders of values and transitions report their faults.
const silent = (): void => undefined;

type NamedValue = ServiceValue & { readonly name: string };

function valuesAt(moment: string, values: readonly NamedValue[]): WriteRules['onInsert'] {
  return Object.fromEntries(values.filter(({ moments }) => moments.includes(moment)).map(({ name, value }) => [name, value]));
}

function named({ property: { name } }: BuiltField, value: ServiceValue | undefined): readonly NamedValue[] {
  return value === undefined ? [] : [{ name, ...value }];
}

function generatedValue(built: BuiltField, tagged: ReadonlySet<string>, { report }: Context): ServiceValue | undefined {
  const { notes, property, field } = built;
  const record = recordValue(notes.find(terms.generated)?.value, terms.generated, report);
  if (record === undefined) return undefined;
  if (!tagged.has(property.name)) {
    const hint = 'Add Core.Computed, or Core.ComputedDefaultValue where clients may choose the value.';
    const fault = faults.generated(record.at, property.name, 'Rules.Generated does not say whether clients may send a value', hint);
    report({ ...fault, follows: [terms.computed, terms.computedDefault].flatMap(notes.misspelt) });
  }
  const on = textValue(record.member('On'), terms.generated, report)?.value ?? 'Insert,Update';
  const moments = on.split(/[\s,]+/).map((moment) => lastName(moment));
  const expression = record.member('Value');
  if (expression?.kind === 'apply' && expression.function === 'odata.now') return { moments, value: { kind: 'now' } };
  const constant = textValue(expression, terms.generated, report);
  if (constant === undefined) {
    const hint = 'Write a constant or <Apply Function="odata.now"/>.';
    const fault = faults.generated(record.at, property.name, 'Rules.Generated has no Value', hint);
    return void report({ ...fault, follows: record.misspelt('Value') });
  }
  const why = checkValue(field, constant.value);
  if (why !== undefined) report(faults.value(constant.at, `Rules.Generated of ${property.name}`, constant.value, why));
  return { moments, value: { kind: 'constant', value: databaseText(field.type, storedText(field, constant.value)) } };
}

/** A generated value, and the operations that set it. */
interface ServiceValue {
  readonly moments: readonly string[];
  readonly value: GeneratedValue;
}

/** The generated value of a computed required property without a rule for its computation. */
function computedValue(field: Field): ServiceValue | undefined {
  if (field.nullable || field.collection || field.default !== undefined) return undefined;
  // It counts changes, like a concurrency token.
  if (isCounter(field)) return { moments: ['Insert', 'Update'], value: { kind: 'version' } };
  const value = beginningOf(field);
  return value && { moments: ['Insert'], value };
}

function isCounter({ type, enumeration, allowedValues }: Field): boolean {
  return (type === 'Edm.Int64' || type === 'Edm.Int32') && enumeration === undefined && allowedValues === undefined;
}

// In the database's text form.
function beginningOf({ type, enumeration, allowedValues }: Field): GeneratedValue | undefined {
  const [allowed] = allowedValues ?? enumeration?.members.map(([name]) => name) ?? [];
  const first = enumeration && allowed !== undefined ? enumValue(enumeration, allowed) : allowed;
  if (enumeration || allowedValues) return first === undefined ? undefined : { kind: 'constant', value: first };
  const { nothing } = primitives[type];
  return nothing?.kind === 'constant' ? { kind: 'constant', value: databaseText(type, nothing.value) } : nothing;
}
