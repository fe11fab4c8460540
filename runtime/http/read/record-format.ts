import { httpHooks } from '../hooks.js';
import type { Preferences } from '../../protocol/prefer.js';
import type { PayloadFormat } from '../../response/payload-format.js';
import type { RecordFormat } from '../../response/record-format.js';
import type { Service } from '../service.js';
import { expandLinks } from './links.js';

/** The format in which a service writes entities, as negotiated and preferred, with links to it. */
export function recordFormat(format: PayloadFormat, service: Service, { omitValues }: Preferences): RecordFormat {
  const omit = omitValues?.values;
  const known = formatsBy
    .get(ownerOf(format, service))
    ?.get(format)
    ?.find((entry) => entry.omit === omit && entry.root === service.root);
  return known ?? addFormat(service, format, omit);
}

type Formats = WeakMap<PayloadFormat, readonly RecordFormat[]>;

// One object for each format, by which derived data is cached.
const formatsBy = new WeakMap<object, Formats>();

// Services that differ in their store or caller, as within a batch, share the formats of the seal of their links.
function ownerOf({ metadata }: PayloadFormat, service: Service): object {
  return metadata === 'full' ? service : service.seal;
}

function addFormat(service: Service, format: PayloadFormat, omit: RecordFormat['omit']): RecordFormat {
  const operationsOf = service.operations ? httpHooks.find('advertised')?.(service) : undefined;
  const entry = {
    ...format,
    root: service.root,
    linkOf: expandLinks(service),
    ...(omit && { omit }),
    ...(operationsOf && { operationsOf }),
  };
  const owner = ownerOf(format, service);
  const formats = formatsBy.get(owner) ?? new WeakMap<PayloadFormat, readonly RecordFormat[]>();
  formatsBy.set(owner, formats);
  formats.set(format, [...(formats.get(format) ?? []), entry]);
  return entry;
}
