import type { EntityContainer } from '../../../edm/index.js';
import type { Row } from './columns.js';
import { buildingFeatures, lotFeatures, roomFeatures, waterViews } from './features.js';
import { momentText } from './life.js';
import { places } from './places.js';
import { propertyKinds } from './property-kinds.js';
import { streetNames } from './address.js';

const { InteriorFeatures, ...otherBuildingFeatures } = buildingFeatures;

// oxfmt-ignore
/** Values of the open lists that the sample data uses; closed lists are in the model. */
const openLookups: { readonly [lookup: string]: readonly string[] } = {
  ...otherBuildingFeatures,
  ...lotFeatures,
  View: [...lotFeatures.View, ...waterViews],
  InteriorOrRoomFeatures: InteriorFeatures,
  RoomFeatures: roomFeatures,
  City: places.map(({ city }) => city),
  CountyOrParish: places.map(({ county }) => county),
  StateOrProvince: places.map(({ state }) => state),
  Country: places.map(({ country }) => country),
  PropertyType: propertyKinds.map(({ type }) => type),
  PropertySubType: propertyKinds.map(({ subType }) => subType),
  TransactionType: ['For Sale', 'For Lease'],
  StreetDirection: [...streetNames.english.directions, ...streetNames.french.directions],
  StreetSuffix: [...streetNames.english.suffixes, ...streetNames.french.suffixes],
  FeeFrequency: ['Annually', 'Monthly', 'Quarterly'],
  MemberType: ['Designated REALTOR Participant', 'REALTOR Salesperson', 'Licensed Assistant', 'Office Manager'],
  MediaCategory: ['Photo', 'Floor Plan', 'Video', 'Document'],
  MediaStatus: ['Complete', 'Incomplete'],
  ImageSizeDescription: ['Thumbnail', 'Small', 'Medium', 'Large'],
  RoomType: ['Kitchen', 'Living Room', 'Primary Bedroom', 'Bedroom', 'Bathroom', 'Dining Room', 'Laundry', 'Family Room', 'Office', 'Den', 'Mud Room'],
  RoomLevel: ['Main', 'Second', 'Third', 'Fourth'],
  OpenHouseType: ['Public', 'Broker'],
};

const changedAt = momentText(Date.UTC(2023, 10, 1) / 1000);

/** One row for every value of every list that the model names. */
export function lookupRows(container: EntityContainer): readonly Row<'Lookup'>[] {
  return [...lookupValues(container)].flatMap(([name, values]) => [...values].map((value, index) => lookupRow(name, value, index + 1)));
}

/** One row for every property of every entity type. */
export function fieldRows(container: EntityContainer): readonly Row<'Field'>[] {
  return Object.values(container.entityTypes).flatMap((type) =>
    Object.keys(type.fields).map((name) => fieldRow(type.entitySet ?? type.name, name)),
  );
}

function lookupValues(container: EntityContainer): ReadonlyMap<string, ReadonlySet<string>> {
  const lists = new Map<string, Set<string>>();
  const property = container.entityTypes['Property'];
  const moves = Object.values(property?.transitions?.moves ?? {}).flat();
  for (const [name, field] of Object.values(container.entityTypes).flatMap(({ fields }) => Object.entries(fields))) {
    if (field.lookup === undefined) continue;
    // A status has the values that transitions set, and its initial value.
    const set = name === property?.transitions?.property ? [] : moves.flatMap(({ sets }) => sets?.[name] ?? []);
    const open = [...(field.default === undefined ? [] : [field.default]), ...set, ...(openLookups[field.lookup] ?? [])];
    lists.set(field.lookup, new Set([...(lists.get(field.lookup) ?? []), ...(field.allowedValues ?? open)]));
  }
  addChangeTypes(lists, property?.fields['StandardStatus']?.allowedValues ?? []);
  return lists;
}

// The kinds of changes, shared by the service and the sample data.
function addChangeTypes(lists: ReadonlyMap<string, Set<string>>, states: readonly string[]): void {
  for (const value of ['New Listing', 'Price Change', 'Price Decrease', 'Price Increase', 'Status Change', ...states])
    lists.get('ChangeType')?.add(value);
}

function lookupRow(name: string, value: string, index: number): Row<'Lookup'> {
  return {
    LookupKey: `${name}-${index}`,
    LookupName: name,
    LookupValue: value,
    StandardLookupValue: value,
    LegacyODataValue: value.normalize('NFD').replace(/[^A-Za-z0-9]/g, ''),
    ModificationTimestamp: changedAt,
  };
}

function fieldRow(resource: string, name: string): Row<'Field'> {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return {
    FieldKey: `${resource}.${name}`,
    ResourceName: resource,
    FieldName: name,
    DisplayName: words.replace(/ YN$/, ''),
    ModificationTimestamp: changedAt,
  };
}
