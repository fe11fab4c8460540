import type { PayloadFormat } from '../../response/payload-format.js';
import type { RecordFormat } from '../../response/record-writer.js';
import { advertisedBy } from '../advertised.js';
import { expandLinks } from './links.js';
import type { Preferences } from '../../protocol/prefer.js';
import type { Service } from '../service.js';

/** The format in which a service writes entities, as negotiated and preferred, with links to it. */
export function recordFormat(format: PayloadFormat, service: Service, { omitValues }: Preferences): RecordFormat {
  const omit = omitValues?.values;
  const known = formatsOf(service)
    .get(format)
    ?.find((entry) => entry.omit === omit);
  return known ?? addFormat(service, format, omit);
}

type Formats = WeakMap<PayloadFormat, readonly RecordFormat[]>;

// One object for each format, by which derived data is cached.
const services = new WeakMap<Service, Formats>();

function formatsOf(service: Service): Formats {
  const known = services.get(service) ?? new WeakMap<PayloadFormat, readonly RecordFormat[]>();
  services.set(service, known);
  return known;
}

function addFormat(service: Service, format: PayloadFormat, omit: RecordFormat['omit']): RecordFormat {
  const operationsOf = format.metadata === 'full' && service.operations ? advertisedBy(service) : undefined;
  const entry = {
    ...format,
    root: service.root,
    linkOf: expandLinks(service),
    ...(omit && { omit }),
    ...(operationsOf && { operationsOf }),
  };
  const formats = formatsOf(service);
  formats.set(format, [...(formats.get(format) ?? []), entry]);
  return entry;
}
