import { childrenNamed, descendants, type XmlNode } from './xml-node.js';

/** Faults of the value lists and the transitions of one property. */
export function checkValues(property: XmlNode): readonly string[] {
  const allowed = allowedValues(property);
  const moves = transitions(property);
  const pairs = moves.flatMap(({ from, to }) => from.map((state) => `${state} to ${to}`));
  const states = new Set(moves.flatMap(({ from, to }) => [...from, to]));
  const initial = property.attributes['DefaultValue'];
  return [
    ...duplicates(allowed).map((value) => `'${value}' is allowed twice.`),
    ...duplicates(pairs).map((pair) => `the transition ${pair} is listed twice.`),
    ...[...states].filter((state) => !allowed.includes(state)).map((state) => `the state '${state}' is not an allowed value.`),
    ...(allowed.length > 0 && initial !== undefined && !allowed.includes(initial)
      ? [`the default '${initial}' is not an allowed value.`]
      : []),
    ...(moves.length > 0 ? unreachable(allowed, initial ?? '', moves) : []),
  ].map((fault) => `${property.attributes['Name']}: ${fault}`);
}

interface Move {
  readonly from: readonly string[];
  readonly to: string;
}

function allowedValues(property: XmlNode): readonly string[] {
  return annotationsOf(property, 'Validation.AllowedValues')
    .flatMap(descendants)
    .filter((node) => node.attributes['Property'] === 'Value')
    .map((node) => node.attributes['String'] ?? '');
}

function transitions(property: XmlNode): readonly Move[] {
  const records = annotationsOf(property, 'Rules.Transitions')
    .flatMap(descendants)
    .filter((node) => member(node, 'To') !== undefined);
  return records.map((record) => ({
    from: descendants(member(record, 'From') ?? record)
      .filter((node) => node.name === 'String')
      .map((node) => node.text),
    to: member(record, 'To')?.attributes['String'] ?? '',
  }));
}

function unreachable(allowed: readonly string[], initial: string, moves: readonly Move[]): readonly string[] {
  const reached = new Set([initial]);
  // No path without a detour is longer than the list of states.
  for (const move of allowed.flatMap(() => moves)) {
    if (move.from.some((state) => reached.has(state))) reached.add(move.to);
  }
  return allowed.filter((state) => !reached.has(state)).map((state) => `no transition leads to '${state}'.`);
}

function annotationsOf(property: XmlNode, term: string): readonly XmlNode[] {
  return childrenNamed(property, 'Annotation').filter((annotation) => annotation.attributes['Term'] === term);
}

function member(record: XmlNode, name: string): XmlNode | undefined {
  return childrenNamed(record, 'PropertyValue').find((value) => value.attributes['Property'] === name);
}

function duplicates(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
