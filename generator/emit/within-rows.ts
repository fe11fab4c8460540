import type { EntityNode } from '../graph/model-graph.js';
import type { Literal } from './print-literal.js';

/** Rows that most types lack: navigation to records of any type, and streams. */
export function withinRows({ navigation, streams }: EntityNode): readonly (readonly [string, Literal | undefined])[] {
  return [
    ['anyNavigation', anyRows(navigation)],
    ['streams', streamRows(streams)],
  ];
}

// By its name, the parts of each that leads to records of any type.
function anyRows(navigation: EntityNode['navigation']): Literal | undefined {
  const parts = navigation.filter(({ arm }) => arm !== undefined);
  const names = [...new Set(parts.map(({ arm }) => arm?.of ?? ''))];
  const rowOf = (name: string): Literal => {
    const own = parts.filter(({ arm }) => arm?.of === name);
    const type = own[0]?.arm?.type;
    return {
      paths: own.map((node) => node.name),
      ...(own.some(({ navigation: one }) => one.collection) && { collection: true }),
      ...(own.some(({ arm }) => arm?.required) && { required: true }),
      ...(type && { type }),
    };
  };
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, rowOf(name)]));
}

function streamRows(streams: EntityNode['streams']): Literal | undefined {
  return streams.length === 0 ? undefined : Object.fromEntries(streams.map(({ name, stream }) => [name, { ...stream }]));
}
