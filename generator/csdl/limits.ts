/** What a model may cost to read; a document beyond one of these is refused before it is parsed. */
export const inputLimits = {
  bytes: 16 * 1024 * 1024,
  elements: 200_000,
  /** Of a document in JSON, which needs more of them than XML needs elements. */
  values: 1_000_000,
  depth: 64,
  attributes: 64,
  /** Characters of a name, a path or a constant; texts may be longer. */
  name: 4_096,
  /** Documents that one model refers to, directly or not. */
  references: 100,
  /** Properties of one type of records or complex values, or members of one enumeration; what it inherits is not among them. */
  members: 20_000,
  /** Types that one derives from, one after the other. */
  bases: 100,
  /** Parameters of one operation. */
  parameters: 1_000,
  /** Types, each counted at every place of its records, where it has a table and files of its own. */
  tables: 10_000,
  /** Members of types, counted in each type that inherits them, at every place of its records. */
  allMembers: 150_000,
  /** Faults of one run; a text with more of them is not the text that was meant. */
  faults: 1_000,
} as const;

/** An OData identifier has at most this many characters (CSDL XML 4.01, 17.2). */
export const maxIdentifierLength = 128;
