import { stepsOf, type EntityType } from '../../edm/index.js';
import type { JsonObject } from '../../json/json.js';
import { editItems, shownAt } from './item-links.js';
import type { GraphContext } from './plan-link.js';
import type { KeptStream } from './write-plan.js';

/** The streams that the items of a body keep: those of which it repeats the ETag that an answer showed. */
export function planKeptStreams({ itemStreams = {} }: EntityType, body: JsonObject, context: Pick<GraphContext, 'container'>): readonly KeptStream[] {
  const kept: KeptStream[] = [];
  for (const path of Object.keys(itemStreams)) {
    const { name } = stepsOf(path);
    editItems(body, path, context, (item, names) => {
      const etag = item.members.get(`${name}@odata.mediaEtag`) ?? item.members.get(`${name}@mediaEtag`);
      if (typeof etag === 'string') kept.push({ path, names, etag, at: `${shownAt(names)}/${name}` });
      return item;
    });
  }
  return kept;
}
