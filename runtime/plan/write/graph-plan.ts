import { isDirect, type EntityContainer, type EntityType, type Navigation } from '../../edm/index.js';
import { stepsOf } from '../path/nested-path.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { type JsonObject } from '../../json/json.js';
import { contentIdOf } from './content-id.js';
import { valueAlong } from '../value/value-along.js';
import { type GraphContext, type Related } from './plan-link.js';
import type { WritePlan } from './write-plan.js';

/** The context of a body's own properties: what follows from its links is given, and no fault where it is missing. */
export function givenBy({ given }: Related, context: GraphContext): GraphContext {
  return given.size === 0 ? context : { ...context, given: new Set([...(context.given ?? []), ...given]) };
}

/** The plan of a record with those of the records around it; member by member, since V8 has no quick way to give a copy other members than it was copied with. */
export function inGraph(
  { type, values, patches, whole, dynamic, format, references }: WritePlan,
  body: JsonObject,
  { links, children, related, faults }: Pick<WritePlan, 'links' | 'children' | 'related' | 'faults'>,
): WritePlan {
  return {
    type,
    values,
    patches,
    whole,
    dynamic,
    format,
    references,
    faults,
    contentId: contentIdOf(body),
    links,
    children,
    related,
  };
}

/**
 * The faults of a body without the related records that its own cannot be without, where no property says them. What leads
 * from a complex value is needed where the body has the value.
 */
export function unrelatedFaults(
  type: EntityType,
  body: JsonObject,
  container: EntityContainer,
  given: ReadonlySet<string> = new Set(),
): readonly ErrorDetail[] {
  const isThere = (path: string): boolean => isDirect(path) || valueAlong(body, stepsOf(path).steps, container) !== undefined;
  const isGiven = ({ join }: Navigation): boolean => Object.keys(join).every((column) => given.has(column));
  const missing = Object.entries(type.navigation).filter(
    ([path, one]) => one.required && one.follows === undefined && !isGiven(one) && isThere(path),
  );
  return missing.map(([name]) => errors.missingRequired(name).at(name).asDetail());
}
