/** What a model may cost to read; a document beyond one of these is refused before it is parsed. */
export const inputLimits = {
  bytes: 16 * 1024 * 1024,
  elements: 200_000,
  depth: 64,
  attributes: 64,
} as const;

/** An OData identifier has at most this many characters (CSDL XML 4.01, 17.2). */
export const maxIdentifierLength = 128;
