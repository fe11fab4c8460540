import type { EntityType } from '../../../edm/entity-type.js';
import { maxTop } from '../../../plan/limits.js';
import type { Target } from '../../../plan/path-target.js';
import { createAliases } from '../../../plan/scope.js';
import type { Exchange } from '../../../http/service.js';
import type { ODataResponse } from '../../../protocol/message.js';
import { readCollection } from '../../../http/read/read-collection.js';
import { readEntity } from '../../../http/read/read-entity.js';

/** Reads the entities of an answer, like a GET of them. */
export function readAnswer(target: Target, exchange: Exchange, isAction: boolean): Promise<ODataResponse> {
  if (target.kind === 'entity') return readEntity(target, exchange);
  if (target.kind !== 'collection') throw new Error('The result of an operation is a set of records.');
  return readCollection(target, isAction ? wholeAnswer(target.type, exchange) : exchange);
}

// The result of an action has no next page, so the first page is complete.
function wholeAnswer(type: EntityType, exchange: Exchange): Exchange {
  const { options, context } = exchange;
  const top = options.top ?? maxTop(type, options);
  return { ...exchange, options: { ...options, top }, context: { ...context, settings: { ...context.settings, topMeaning: 'pageSize' } } };
}

/** The exchange for the answer alone: conditions in the headers apply to the binding value. */
export function asReading(exchange: Exchange): Exchange {
  const { request } = exchange;
  const header = (name: string): string | undefined => (name === 'if-match' || name === 'if-none-match' ? undefined : request.header(name));
  const { keeping: _, ...others } = exchange;
  return { ...others, request: { ...request, header }, context: { ...exchange.context, aliases: createAliases() } };
}

/** The context for paths after an answer. */
export function contextOf({
  context,
  parameters,
}: Exchange): Exchange['context'] & { readonly parameters?: NonNullable<Exchange['parameters']> } {
  return { ...context, ...(parameters && { parameters }) };
}
