import type { Constraint } from '../../runtime/schema/schema.js';
import type { EntityNode, NavigationNode } from '../graph/model-graph.js';
import { databaseName } from '../graph/names.js';
import { quote } from './identifier.js';

/** What rows are held to beside foreign keys, where columns have numbers of other records. */
export function numberChecks(entity: EntityNode): readonly Constraint[] {
  return [...armChecks(entity), ...valueChecks(entity)];
}

// What leads to one record of any type has a column for each set, of which one says where.
function armChecks({ table, navigation }: EntityNode): readonly Constraint[] {
  const names = new Map<string, number>();
  return propertiesOf(navigation).flatMap((nodes): readonly Constraint[] => {
    const { of: name = '' } = nodes[0]?.arm ?? {};
    const required = nodes[0]?.arm?.required === true && valueOf(nodes) === undefined;
    const before = names.get(name) ?? 0;
    names.set(name, before + 1);
    // One column alone says one record anyway.
    if (nodes.length === 1 && !required) return [];
    const columns = nodes.map(({ relation }) => quote(relation?.internal?.column ?? '')).join(', ');
    return [
      {
        kind: 'check',
        name: databaseName(`${table}#${name}${before === 0 ? '' : `.${before}`}#one`),
        expression: `num_nonnulls(${columns}) ${required ? '=' : '<='} 1`,
      },
    ];
  });
}

// The parts of one property stand together; types that share a table may have properties of one name.
function propertiesOf(navigation: readonly NavigationNode[]): readonly (readonly NavigationNode[])[] {
  const groups: NavigationNode[][] = [];
  for (const node of navigation) {
    // What contains the record is checked with its parents.
    if (!node.arm || node.navigation.collection || node.navigation.container) continue;
    const last = groups.at(-1);
    const isFurther = last?.every(({ arm, at }) => at === node.at && arm?.of === node.arm?.of && arm?.set !== node.arm?.set) ?? false;
    if (last && isFurther) last.push(node);
    else groups.push([node]);
  }
  return groups;
}

// Whoever has a complex value that leads somewhere at any time has a number; a record without the value has none.
function valueChecks({ table, navigation }: EntityNode): readonly Constraint[] {
  const alone = navigation.filter(({ arm }) => !arm).map((node) => [node]);
  return [...alone, ...propertiesOf(navigation)].flatMap((nodes): readonly Constraint[] => {
    const value = valueOf(nodes);
    const [first = '', ...more] = nodes.map(({ relation }) => relation?.internal?.column ?? '');
    return value === undefined
      ? []
      : [
          {
            kind: 'check',
            name: databaseName(`${table}${first}#needed`),
            expression: `${value} is null or num_nonnulls(${[first, ...more].map(quote).join(', ')}) = 1`,
          },
        ];
  });
}

function valueOf([first]: readonly NavigationNode[]): string | undefined {
  return first?.relation?.internal?.value;
}
