import type { EntityContainer, EntityType, Field, Navigation } from '../edm/index.js';
import { entityTypeOfSet, entityTypeOfSingleton, isNumeric, keyFieldOf, navigationOf, targetOf } from '../edm/index.js';

/** Names of a model that the examples in messages use. */
export interface SampleNames {
  readonly set: string;
  readonly otherSet: string;
  /** The key of an entity, as in the parentheses of a path. */
  readonly key: string;
  readonly text: string;
  /** Another string property. */
  readonly other: string;
  readonly number: string;
  readonly date: string;
  readonly time: string;
  readonly flags: string;
  readonly position: string;
  /** A collection of primitive values. */
  readonly items: string;
  /** A navigation property to many, and properties of its target. */
  readonly related: string;
  readonly relatedText: string;
  readonly relatedNumber: string;
  /** A navigation property to one, and a property of its target. */
  readonly reference: string;
  readonly referenceText: string;
}

/** Placeholders for properties that a model lacks. */
const fallbacks: SampleNames = {
  set: 'Items',
  otherSet: 'Parts',
  key: "'x'",
  text: 'Name',
  other: 'Label',
  number: 'Amount',
  date: 'Date',
  time: 'Time',
  flags: 'Flags',
  position: 'Position',
  items: 'Tags',
  related: 'Parts',
  relatedText: 'Name',
  relatedNumber: 'Amount',
  reference: 'Owner',
  referenceText: 'Name',
};

/** A message with names in place of its marks, as in `‹text› eq 'x'`; the names are looked up only if it has marks. */
export function withNames(message: string, namesOf: () => Partial<SampleNames> = () => ({})): string {
  if (!message.includes('‹')) return message;
  const names = namesOf();
  return message.replaceAll(/‹(\w+)›/g, (mark, kind: string) =>
    Object.hasOwn(fallbacks, kind) ? (names[kind as keyof SampleNames] ?? fallbacks[kind as keyof SampleNames]) : mark,
  );
}

/** Names for the examples in messages: of the path's entity set or else the first one, and of the type at the end of the path. */
export function sampleNames(container: EntityContainer, path: string): Partial<SampleNames> {
  const names = path
    .split('/')
    .map((part) => part.replace(/\(.*$/, ''))
    .filter((name) => name !== '');
  const set = names.find((name) => Object.hasOwn(container.entitySets, name)) ?? Object.keys(container.entitySets)[0];
  const root =
    (names[0] !== undefined && entityTypeOfSingleton(container, names[0])) || (set !== undefined && entityTypeOfSet(container, set));
  if (!root) return {};
  const type = names.reduce((owner, name) => {
    const navigation = navigationOf(owner, name);
    return navigation ? targetOf(container, navigation) : owner;
  }, root);
  const otherSet = Object.keys(container.entitySets).find((name) => name !== set);
  return {
    ...(set !== undefined && { set }),
    ...named('otherSet', otherSet),
    ...keyOf(root),
    ...propertiesOf(type),
    ...relationsOf(root, container),
    ...relationsOf(type, container),
  };
}

function keyOf(type: EntityType): Partial<SampleNames> {
  const values = type.key.map((name) => [name, valueOf(keyFieldOf(type, name))] as const);
  const [only] = values;
  if (only === undefined) return {};
  return { key: values.length === 1 ? only[1] : values.map(([name, value]) => `${name}=${value}`).join(',') };
}

function valueOf(field: Field | undefined): string {
  if (field?.type === 'Edm.String') return "'x'";
  return field !== undefined && isNumeric(field.type) ? '1' : '...';
}

function propertiesOf(type: EntityType): Partial<SampleNames> {
  const [text, other] = namesOf(type, isText);
  return {
    ...named('text', text),
    ...named('other', other ?? text),
    ...named('number', namesOf(type, isNumber)[0]),
    ...named('date', namesOf(type, isSingle('Edm.Date'))[0] ?? namesOf(type, isSingle('Edm.DateTimeOffset'))[0]),
    ...named('time', namesOf(type, isSingle('Edm.DateTimeOffset'))[0]),
    ...named('flags', namesOf(type, ({ enumeration, collection }) => enumeration?.flags === true && !collection)[0]),
    ...named('position', namesOf(type, isSingle('Edm.GeographyPoint'))[0]),
    ...named('items', namesOf(type, (field) => field.collection === true && field.type === 'Edm.String')[0]),
  };
}

function relationsOf(type: EntityType, container: EntityContainer): Partial<SampleNames> {
  const related = navigationNamed(type, ({ collection }) => collection === true);
  const reference = navigationNamed(type, ({ collection }) => collection !== true);
  return {
    ...(related && {
      related: related.name,
      ...named('relatedText', namesOf(targetOf(container, related.navigation), isText)[0]),
      ...named('relatedNumber', namesOf(targetOf(container, related.navigation), isNumber)[0]),
    }),
    ...(reference && {
      reference: reference.name,
      ...named('referenceText', namesOf(targetOf(container, reference.navigation), isText)[0]),
    }),
  };
}

function named(kind: keyof SampleNames, name: string | undefined): Partial<SampleNames> {
  return name === undefined ? {} : { [kind]: name };
}

// The shortest names make the clearest examples; keys are compared less often than other properties.
function namesOf({ fields, key }: EntityType, fits: (field: Field) => boolean): readonly string[] {
  return Object.entries(fields)
    .filter(([name, field]) => /^[\p{L}_]/u.test(name) && fits(field))
    .map(([name]) => name)
    .sort((a, b) => Number(key.includes(a)) - Number(key.includes(b)) || a.length - b.length);
}

function navigationNamed({ navigation }: EntityType, fits: (one: Navigation) => boolean) {
  const found = Object.entries(navigation).find(([name, one]) => /^\w+$/.test(name) && fits(one));
  return found && { name: found[0], navigation: found[1] };
}

function isText({ type, collection, enumeration }: Field): boolean {
  return type === 'Edm.String' && !collection && enumeration === undefined;
}

function isNumber({ type, collection, enumeration }: Field): boolean {
  return isNumeric(type) && !collection && enumeration === undefined;
}

function isSingle(type: Field['type']): (field: Field) => boolean {
  return (field) => field.type === type && !field.collection;
}
