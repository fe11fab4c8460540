import { type EnumType as EnumTable, primitives, type PrimitiveTypeName } from '../../../runtime/edm/index.js';
import type { EnumMember, EnumType } from '../../csdl/csdl.js';
import { elementsOf } from '../../csdl/map-elements.js';
import { faults } from '../../faults.js';
import { descriptionOf } from './build-fields.js';
import type { Names, BuiltEnum } from '../built-model.js';

/** The enumerations of the document by qualified name. */
export function buildEnums(names: Names): ReadonlyMap<string, BuiltEnum> {
  return new Map(elementsOf(names.csdl, 'EnumType').map(({ name, element }) => [name, buildEnum(element, name, names)]));
}

/** The type definitions with a known underlying type, by qualified name. */
export function buildDefinitions({ csdl, scope }: Names): ReadonlyMap<string, PrimitiveTypeName> {
  return new Map(
    elementsOf(csdl, 'TypeDefinition').flatMap(({ name, element }) => {
      const type = scope.qualify(element.underlyingType);
      return Object.hasOwn(primitives, type) ? [[name, type as PrimitiveTypeName] as const] : []; // The name is a key of the table.
    }),
  );
}

const underlyingTypes: readonly string[] = ['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64'];

function buildEnum(definition: EnumType, qualifiedName: string, names: Names): BuiltEnum {
  const { at, name, isFlags, members, annotations } = definition;
  const underlyingType = underlyingOf(definition, names);
  const rows = members.map((member, index) => [member.name, valueOf(member, index, definition, underlyingType, names)] as const);
  checkAllOrNone(definition, names);
  const table: EnumTable = { qualifiedName, underlyingType, ...(isFlags && { flags: true }), members: rows };
  return { at, name, description: descriptionOf(names.notesOf(qualifiedName, annotations), names), table };
}

// CSDL XML 4.01, 10.2: one of five types, Edm.Int32 by default.
function underlyingOf({ at, name, underlyingType = 'Edm.Int32' }: EnumType, { scope, report }: Names): PrimitiveTypeName {
  const type = scope.qualify(underlyingType);
  if (underlyingTypes.includes(type)) return type as PrimitiveTypeName; // The name is in the list.
  report(faults.enumType(at, name, `cannot have the underlying type ${underlyingType}`, `Use one of ${underlyingTypes.join(', ')}.`));
  // It holds the values of all five types, so no value is reported as well.
  return 'Edm.Int64';
}

// CSDL XML 4.01, 10.3.2: members without values count from 0, and values of flags are not negative.
function valueOf(
  { at, name, value }: EnumMember,
  index: number,
  { name: owner, isFlags }: EnumType,
  type: PrimitiveTypeName,
  { report }: Names,
): string {
  if (value === undefined) return String(index);
  const [low, high] = primitives[type].range ?? ['0', '0'];
  const number = /^[-+]?\d{1,19}$/.test(value) ? BigInt(value.replace(/^\+/, '')) : undefined;
  if (number === undefined) report(faults.enumType(at, owner, `has the member ${name} with the value '${value}'`, 'Write a whole number.'));
  else if (number < BigInt(low) || number > BigInt(high))
    report(faults.enumType(at, owner, `has the member ${name} with a value outside ${type}`, 'Choose a larger UnderlyingType.'));
  else if (isFlags && number < 0n)
    report(faults.enumType(at, owner, `has flags, and the member ${name} is negative`, 'Flags are sets of bits: use values from 0 on.'));
  return String(number ?? index);
}

function checkAllOrNone({ name, isFlags, members }: EnumType, { report }: Names): void {
  const without = members.filter(({ value }) => value === undefined);
  const [first] = without;
  if (first === undefined) return;
  const why = `has flags, and the member ${first.name} without a Value`;
  if (isFlags) report(faults.enumType(first.at, name, why, 'Give every member a Value with its bits.'));
  else if (without.length < members.length)
    report(faults.enumType(first.at, name, 'has members with and without a Value', 'Give all members a Value, or none.'));
}
