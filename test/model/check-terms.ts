import type { Annotated } from './annotated.js';
import { type Aliases, membersOf, qualify, typeNamed, type Vocabulary } from './vocabulary.js';
import { childrenNamed, type XmlNode } from './xml-node.js';

/** Faults of one annotation against the vocabulary that declares its term. */
export function checkTerm({ annotation, target, path }: Annotated, aliases: Aliases, vocabulary: Vocabulary): readonly string[] {
  const name = annotation.attributes['Term'] ?? '';
  const term = vocabulary.terms.get(qualify(name, aliases) ?? '');
  if (term === undefined) return [`${path}: no vocabulary has the term ${name}.`];
  const faults = checkValue(annotation, term.attributes['Type'], vocabulary).map((fault) => `${path}: ${name}: ${fault}`);
  return appliesTo(term, target) ? faults : [`${path}: ${name} does not apply to ${target.name}.`, ...faults];
}

function appliesTo(term: XmlNode, target: XmlNode): boolean {
  const kinds = term.attributes['AppliesTo']?.split(/\s+/);
  if (kinds === undefined || kinds.includes(target.name)) return true;
  return kinds.includes('Collection') && target.attributes['Type']?.startsWith('Collection(') === true;
}

function checkValue(holder: XmlNode, type: string | undefined, vocabulary: Vocabulary): readonly string[] {
  const values = holder.children.flatMap((child) => (child.name === 'Collection' ? child.children : [child]));
  const records = values.filter((value) => value.name === 'Record');
  return [...checkEnum(holder.attributes['EnumMember'], vocabulary), ...records.flatMap((record) => checkRecord(record, type, vocabulary))];
}

function checkRecord(record: XmlNode, expected: string | undefined, vocabulary: Vocabulary): readonly string[] {
  const name = record.attributes['Type'] ?? expected ?? '';
  const type = typeNamed(name, vocabulary);
  if (type === undefined) return [`no vocabulary has the type ${name}.`];
  const values = childrenNamed(record, 'PropertyValue');
  const given = new Set(values.map((value) => value.attributes['Property']));
  return [
    ...membersOf(type, vocabulary)
      .filter((member) => isRequired(member) && !given.has(member.attributes['Name']))
      .map((member) => `${type.attributes['Name']} needs ${member.attributes['Name']}.`),
    ...values.flatMap((value) => checkMember(value, type, vocabulary)),
  ];
}

function checkMember(value: XmlNode, type: XmlNode, vocabulary: Vocabulary): readonly string[] {
  const name = value.attributes['Property'];
  const member = membersOf(type, vocabulary).find((one) => one.attributes['Name'] === name);
  if (member === undefined) return [`${type.attributes['Name']} has no member ${name}.`];
  return checkValue(value, member.attributes['Type'], vocabulary);
}

// A collection that is left out is empty.
function isRequired({ attributes }: XmlNode): boolean {
  return attributes['Nullable'] === 'false' && attributes['DefaultValue'] === undefined && !attributes['Type']?.startsWith('Collection(');
}

function checkEnum(members: string | undefined, vocabulary: Vocabulary): readonly string[] {
  return (members?.split(' ') ?? []).flatMap((member) => {
    const [type, name] = member.split('/');
    const known = childrenNamed(typeNamed(type, vocabulary) ?? noType, 'Member');
    return known.some((one) => one.attributes['Name'] === name) ? [] : [`no vocabulary has the value ${member}.`];
  });
}

const noType: XmlNode = { name: '', attributes: {}, children: [], text: '' };
