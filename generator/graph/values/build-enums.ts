import { type EnumType as EnumTable, primitives, type PrimitiveTypeName } from '../../../runtime/edm/index.js';
import type { EnumMember, EnumType } from '../../csdl/csdl.js';
import { elementsOf } from '../../csdl/map-elements.js';
import { faults, type Report } from '../../faults.js';
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
  const { name, isFlags, annotations } = definition;
  const underlyingType = underlyingOf(definition, names);
  const rows = membersOf(definition, underlyingType, names);
  checkAllOrNone(definition, names);
  const table: EnumTable = { qualifiedName, underlyingType, ...(isFlags && { flags: true }), members: rows };
  return { name, description: descriptionOf(names.notesOf(qualifiedName, annotations), names), table };
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
function membersOf({ name: owner, isFlags, members }: EnumType, type: PrimitiveTypeName, { report }: Names): EnumTable['members'] {
  let last = isFlags ? 0n : -1n;
  return members.map((member) => {
    const value = numberOf(member, owner, report) ?? following(last, isFlags);
    checkRange(member, value, { owner, isFlags, type, report });
    last = isFlags && last > value ? last : value;
    return [member.name, String(value)];
  });
}

function numberOf({ at, name, value }: EnumMember, owner: string, report: Report): bigint | undefined {
  if (value === undefined) return undefined;
  if (/^[-+]?\d{1,19}$/.test(value)) return BigInt(value.replace(/^\+/, ''));
  report(faults.enumType(at, owner, `has the member ${name} with the value '${value}'`, 'Write a whole number.'));
  return undefined;
}

// The next number, or the lowest bit above those of all members before.
function following(last: bigint, isFlags: boolean): bigint {
  if (!isFlags) return last + 1n;
  return last === 0n ? 1n : 1n << BigInt(last.toString(2).length);
}

function checkRange(
  { at, name }: EnumMember,
  value: bigint,
  {
    owner,
    isFlags,
    type,
    report,
  }: { readonly owner: string; readonly isFlags: boolean; readonly type: PrimitiveTypeName; readonly report: Report },
): void {
  const [low, high] = primitives[type].range ?? ['0', '0'];
  if (value < BigInt(low) || value > BigInt(high))
    report(faults.enumType(at, owner, `has the member ${name} with a value outside ${type}`, 'Choose a larger UnderlyingType.'));
  else if (isFlags && value < 0n)
    report(faults.enumType(at, owner, `has flags, and the member ${name} is negative`, 'Flags are sets of bits: use values from 0 on.'));
}

function checkAllOrNone({ name, isFlags, members }: EnumType, { report }: Names): void {
  const without = members.filter(({ value }) => value === undefined);
  const [first] = without;
  if (first === undefined) return;
  const why = `has flags, and the member ${first.name} without a Value`;
  if (isFlags) report(faults.memberValue(first.at, name, why, 'Give every member a Value with its bits.'));
  else if (without.length < members.length)
    report(faults.memberValue(first.at, name, 'has members with and without a Value', 'Give all members a Value, or none.'));
}
