/** Makes a switch exhaustive: a new kind of node does not compile until every switch knows it. */
export function unreachable(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}
