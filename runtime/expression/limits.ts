/** The limits of an expression; messages name them. */
export const expressionLimits = {
  depth: 64,
  nodes: 1000,
  functionDepth: 15,
  lambdaDepth: 2,
  listItems: 1000,
  pathNames: 50,
  identifierLength: 128,
} as const;
