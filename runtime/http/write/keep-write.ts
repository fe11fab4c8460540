import type { RecordRoute, RecordsTarget } from '../../protocol/routes.js';
import { type PreparedWrite, withKeyOf } from '../read/plan-cache.js';
import type { Exchange } from '../service.js';

/** Keeps the planned path of a write for other keys; returns it with the key of this request. */
export function keepWrite(target: RecordsTarget, route: RecordRoute, { keeping }: Exchange): Omit<PreparedWrite, 'kind'> {
  if (keeping === undefined || target.suffix !== '' || target.parents.length > 0) return { target, route };
  const own = withKeyOf(target, ({ parameter, form }) => parameter.bound(form));
  keeping.keep({ kind: 'write', target, route });
  return { target: own, route };
}
