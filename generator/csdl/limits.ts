/** Limits of a model; a document beyond one of them is rejected before it is parsed. */
export const inputLimits = {
  bytes: 16 * 1024 * 1024,
  elements: 200_000,
  /** Of a document in JSON, which has more values than XML has elements. */
  values: 1_000_000,
  depth: 64,
  attributes: 64,
  /** Characters of a name, a path or a constant; texts may be longer. */
  name: 4_096,
  /** Documents that one model refers to, directly or not. */
  references: 100,
  /** Properties of one structured type without inherited ones, or members of one enumeration. */
  members: 20_000,
  /** The length of a chain of base types. */
  bases: 100,
  /** Parameters of one operation. */
  parameters: 1_000,
  /** Types, counted once per entity source, each of which has a table and files. */
  tables: 10_000,
  /** Members of types, inherited ones included, counted once per entity source. */
  allMembers: 150_000,
  /** Errors of one run, and names that resemble none; a text with more is not the intended one. */
  faults: 1_000,
} as const;

/** An OData identifier has at most this many characters (CSDL XML 4.01, 17.2). */
export const maxIdentifierLength = 128;
