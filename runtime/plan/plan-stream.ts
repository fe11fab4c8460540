import { type EntityType, isDirect, type Stream, streamOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { QueryOptions } from '../uri/query-options.js';
import { missingRecord } from './mistaken-segments.js';
import { type Caller, isHidden, requireReadable } from './caller.js';
import type { RecordTarget, StreamTarget } from './path-target.js';

/** The stream with the name after a record's address. */
export function streamTarget(target: RecordTarget, name: string): StreamTarget | undefined {
  const stream = streamOf(target.type, name);
  return stream && { ...target, kind: 'stream', name, stream };
}

/** Refuses to read a stream that none of the caller's scopes shows. */
export function requireReadableStream({ type, name }: StreamTarget, options: QueryOptions, caller: Caller): void {
  const { format: _, aliases: __, schemaversion: ___, ...others } = options;
  const [option] = Object.keys(others);
  if (option !== undefined) throw errors.badOption(`$${option} cannot be used with a media stream.`).at(`$${option}`);
  requireReadable(type, caller);
  if (isHidden(type, name, caller)) throw errors.notPermitted(name).at(name);
}

/** Why there is no such stream: no record, or no complex value that would have it. */
export function noSuchStream({ type, name }: Pick<StreamTarget, 'type' | 'name'>): Error {
  if (isDirect(name)) return missingRecord(type);
  const value = name.slice(0, name.lastIndexOf('/'));
  return errors.notFound(`${type.name} with that key and a value of ${value}`, ` The stream belongs to that value: PATCH ${value} first.`);
}

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
