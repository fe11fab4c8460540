import type { Constraint } from '../../runtime/schema/schema.js';
import type { EntityNode } from '../graph/model-graph.js';
import { databaseName } from '../graph/names/names.js';
import { quote } from '../../runtime/schema/identifier.js';

/** Checks that a complex value with a required navigation property has the number of a related record; a record without the value has none. */
export function numberChecks({ table, navigation }: EntityNode): readonly Constraint[] {
  return navigation.flatMap(({ relation }): readonly Constraint[] => {
    const { column = '', value } = relation?.internal ?? {};
    return value === undefined
      ? []
      : [
          {
            kind: 'check',
            name: databaseName(`${table}${column}#needed`),
            expression: `${value} is null or num_nonnulls(${quote(column)}) = 1`,
          },
        ];
  });
}
