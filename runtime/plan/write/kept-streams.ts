import { mediaStream, type EntityType } from '../../edm/index.js';
import { stepsOf } from '../path/nested-path.js';
import type { Json, JsonObject } from '../../json/json.js';
import { shownAt } from '../value/changed-items.js';
import { valueBehind } from '../value/value-behind.js';
import { editItems } from './item-links.js';
import type { GraphContext } from './plan-link.js';
import type { KeptStream, OwnStream } from './write-plan.js';

/** The streams that the items of a body keep: those of which it repeats the ETag that an answer showed. */
export function planKeptStreams(
  type: EntityType,
  body: JsonObject,
  context: Pick<GraphContext, 'container' | 'items'>,
): readonly KeptStream[] {
  const kept: KeptStream[] = [];
  for (const path of Object.keys(type.itemStreams ?? {})) {
    const { name } = stepsOf(path);
    editItems(type, body, path, context, (item, names) => {
      const etag = etagOf(item, name);
      if (typeof etag === 'string') kept.push({ path, names, etag, at: `${shownAt(names)}/${name}` });
      return item;
    });
  }
  return kept;
}

/** The streams that a new record within an item keeps, likewise: its own, and those of its complex values. */
export function planOwnStreams(
  { streams = {} }: EntityType,
  body: JsonObject,
  { container }: Pick<GraphContext, 'container'>,
): readonly OwnStream[] {
  return Object.keys(streams).flatMap((path) => {
    const { steps, name } = stepsOf(path);
    const owner = valueBehind(body, steps, container);
    const etag = owner && etagOf(owner, name === mediaStream ? '' : name);
    return typeof etag === 'string' ? [{ name: path, etag }] : [];
  });
}

function etagOf({ members }: JsonObject, name: string): Json | undefined {
  return members.get(`${name}@odata.mediaEtag`) ?? members.get(`${name}@mediaEtag`);
}
