import type { CellOrigin } from '../../response/cell.js';
import { responseHooks } from '../../response/hooks.js';
import { addressOf, type AdvertisedOperation, type MembersWriter, type RecordFormat } from '../../response/record-format.js';
import { castOf } from '../../response/address.js';
import type { Selection } from '../../plan/read-plan.js';
import { linkValue, valueLinksWriter } from './value-links.js';

/** Registers the links of full metadata. */
export function registerFullMetadata(): void {
  responseHooks.register({ fullLinks: { steps: linkSteps, ofValues: valueLinksWriter, ofValue: linkValue } });
}

function linkSteps(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly MembersWriter[] {
  return [
    ...(selection.links ?? []).map((name) => linkStep(name, selection, format, origin)),
    ...(format.operationsOf?.(selection.type) ?? []).map((operation) => operationStep(operation, selection, format, origin)),
  ];
}

// JSON format 4.5.11: the addresses of the related records and of their references.
function linkStep(name: string, selection: Selection, { root }: RecordFormat, origin: CellOrigin): MembersWriter {
  const members = (['associationLink', 'navigationLink'] as const).map((kind) => `,${JSON.stringify(`${name}@odata.${kind}`)}:`);
  return (out, cells) => {
    const url = `${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${name}`;
    out.text(`${members[0]}${JSON.stringify(`${url}/$ref`)}${members[1]}${JSON.stringify(url)}`);
  };
}

function operationStep(
  { name, title, target }: AdvertisedOperation,
  selection: Selection,
  { root }: RecordFormat,
  origin: CellOrigin,
): MembersWriter {
  const before = `,${JSON.stringify(`#${name}`)}:{"title":${JSON.stringify(title)},"target":`;
  return (out, cells) =>
    out.text(`${before}${JSON.stringify(`${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${target}`)}}`);
}
