/** Names of a model that the examples in messages use. */
export interface SampleNames {
  readonly set: string;
  readonly otherSet: string;
  /** The key of an entity, as in the parentheses of a path. */
  readonly key: string;
  /** A set with a recursive hierarchy, and its qualifier. */
  readonly nodes: string;
  readonly hierarchy: string;
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
  nodes: 'Items',
  hierarchy: 'Hierarchy',
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
