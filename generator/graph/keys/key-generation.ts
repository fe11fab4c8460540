import { generatedKeyProperty, type KeyGeneration } from '../../../runtime/edm/index.js';
import { lastName } from '../../../runtime/edm/lookup.js';
import type { WriteRules } from '../../../runtime/edm/rules.js';
import { terms } from '../../csdl/terms.js';
import { booleanValue, flagValue, recordValue, textValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import type { BuiltField, BuiltType, Context } from '../built-model.js';

/** The generation of the key, from Rules.KeyGeneration on the key property. */
export function buildKeyGeneration(type: BuiltType, { report }: Context): KeyGeneration | undefined {
  const found = [...type.fields.values()].flatMap((built) => {
    const note = built.notes.find(terms.keyGeneration);
    return note === undefined ? [] : [{ built, note }];
  });
  const [first] = found;
  if (first === undefined) return computedKey(type, report);
  const { built, note } = first;
  const name = `${type.name}/${built.property.name}`;
  if (type.key.length !== 1 || type.key[0] !== built.property.name) {
    report(faults.generated(note.at, name, 'Rules.KeyGeneration is only for the one key property', 'Move it to the key, or remove it.'));
  }
  if (!flagValue(built.notes.find(terms.computed), report)) {
    const fault = faults.generated(note.at, name, 'clients cannot send a generated key', 'Add <Annotation Term="Core.Computed"/>.');
    report({ ...fault, follows: built.notes.misspelt(terms.computed) });
  }
  const record = recordValue(note.value, terms.keyGeneration, report);
  const written = textValue(record?.member('Strategy'), terms.keyGeneration, report)?.value ?? 'Uuid';
  const strategy = lastName(written).toLowerCase() === 'sequence' ? 'sequence' : 'uuid';
  const prefix = textValue(record?.member('Prefix'), terms.keyGeneration, report)?.value ?? '';
  const why = `${built.field.type} cannot hold the generated key '${prefix}<${strategy}>'`;
  if (!fitsKey(strategy, prefix, built.field.type))
    report(faults.generated(note.at, name, why, 'Use Edm.String, or a type that fits without a prefix.'));
  return {
    strategy,
    prefix,
    acceptGeneratedPart: booleanValue(record?.member('AcceptGeneratedPartInKey'), terms.keyGeneration, false, report),
  };
}

// A key without a rule that the service computes, always or where a body has none: a whole number is the `#id`, also as a text too short for a UUID, and a type for UUIDs gets one.
// Of several key properties one may be a UUID, as in drafts of SAP: `BookingUUID`, `IsActiveEntity`.
function computedKey(type: BuiltType, report: Context['report']): KeyGeneration | undefined {
  const isComputed = ({ notes }: BuiltField): boolean =>
    [terms.computed, terms.computedDefault].some((term) => flagValue(notes.find(term), report));
  const isOne = type.key.length === 1;
  const related = isOne ? [] : relatedOf(type);
  const found = type.key.flatMap((name) => {
    const built = related.includes(name) ? undefined : type.fields.get(name);
    const strategy = built && isComputed(built) ? strategyOf(built) : undefined;
    return strategy === undefined || (strategy === 'sequence' && !isOne) ? [] : [{ name, strategy }];
  });
  const [first, second] = found;
  if (first === undefined || second !== undefined) return undefined;
  return { strategy: first.strategy, prefix: '', acceptGeneratedPart: false, ...(!isOne && { property: first.name }) };
}

function strategyOf({ field: { type, maxLength = uuidLength } }: BuiltField): KeyGeneration['strategy'] | undefined {
  if (type !== 'Edm.String' || maxLength >= uuidLength) return strategies[type];
  return maxLength >= numberLength ? 'sequence' : undefined;
}

const uuidLength = 36;

// The number of a document of SAP, such as a sales order, is a text of ten characters.
const numberLength = 10;

const strategies: { readonly [type: string]: KeyGeneration['strategy'] | undefined } = {
  'Edm.Int32': 'sequence',
  'Edm.Int64': 'sequence',
  'Edm.Guid': 'uuid',
  'Edm.String': 'uuid',
};

function fitsKey(strategy: KeyGeneration['strategy'], prefix: string, type: string): boolean {
  if (type === 'Edm.String') return true;
  return prefix === '' && (strategy === 'uuid' ? type === 'Edm.Guid' : type === 'Edm.Int64' || type === 'Edm.Int32');
}

/** The key properties that neither a body, nor the service, nor a related record sets: only an extension can create records. */
export function unsetKeys(
  { key, fields, navigation }: BuiltType,
  { computed, initialOnly, onInsert }: WriteRules,
  keyGeneration: KeyGeneration | undefined,
): readonly string[] {
  const related = relatedOf({ navigation });
  const generated = generatedKeyProperty({ key, keyGeneration });
  const isSet = (name: string): boolean =>
    fields.get(name)?.field.default !== undefined || Object.hasOwn(onInsert, name) || related.includes(name) || name === generated;
  return key.filter((name) => (computed.includes(name) || initialOnly.includes(name)) && !isSet(name));
}

// The properties that hold the key of a related record.
function relatedOf({ navigation }: Pick<BuiltType, 'navigation'>): readonly string[] {
  return navigation.flatMap(({ constraints }) => constraints.map(({ property }) => property));
}
