import type { EntityType, Stream } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';

/** Whether a media type, in lower case and without parameters, is among those accepted. */
export function mediaTypeAccepted(type: string, accepted: Stream['mediaTypes']): boolean {
  return (
    accepted === undefined ||
    accepted.some((one) => one === '*/*' || one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))
  );
}

/** The refusal of a stream where a value is needed. */
export function streamInExpression({ name: type }: Pick<EntityType, 'name'>, name: string, option: string): Error {
  return errors
    .typeMismatch(
      `${name} of ${type} is a media stream, but ${option} needs a value; its bytes are at the record's address followed by /${name}.`,
    )
    .at(name);
}
