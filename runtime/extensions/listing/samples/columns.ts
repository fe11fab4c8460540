import type { CopyValue } from '../../../database/copy.js';

// prettier-ignore
/** The properties that the sample data knows, by entity type, in loading order. */
export const seedColumns = {
  Office: [
    'OfficeKey', 'OfficeMlsId', 'OfficeName', 'OfficePhone', 'OfficeEmail', 'OfficeCity', 'OfficeStateOrProvince', 'OfficePostalCode',
    'OfficeStatus', 'MainOfficeKey', 'OfficeBrokerKey', 'PhotosChangeTimestamp', 'ModificationTimestamp',
  ],
  Member: [
    'MemberKey', 'MemberMlsId', 'MemberFirstName', 'MemberLastName', 'MemberFullName', 'MemberEmail', 'MemberPreferredPhone',
    'MemberType', 'MemberStatus', 'OfficeKey', 'ModificationTimestamp',
  ],
  Property: [
    'ListingKey', 'ListingId', 'OriginatingSystemID', 'ListAgentKey', 'ListOfficeKey', 'PropertyType', 'StreetNumber', 'StreetName',
    'City', 'StandardStatus', 'ContractStatus', 'MlsStatus', 'PropertySubType', 'TransactionType', 'StreetNumberNumeric',
    'StreetDirPrefix', 'StreetSuffix', 'UnitNumber', 'StateOrProvince', 'CountyOrParish', 'PostalCode', 'Country', 'UnparsedAddress',
    'CrossStreet', 'Directions', 'SubdivisionName', 'Latitude', 'Longitude', 'GeoLocation', 'ListPrice', 'OriginalListPrice',
    'PreviousListPrice', 'SoldPrice', 'ClosePrice', 'AssociationFee', 'AssociationFeeFrequency', 'TaxAnnualAmount', 'TaxYear',
    'ListingContractDate', 'OnMarketDate', 'OffMarketDate', 'PurchaseContractDate', 'CloseDate', 'ExpirationDate', 'DaysOnMarket',
    'CumulativeDaysOnMarket', 'BedroomsTotal', 'BathroomsTotalInteger', 'BathroomsFull', 'BathroomsHalf', 'RoomsTotal', 'Stories',
    'YearBuilt', 'LivingArea', 'LivingAreaUnits', 'BuildingAreaTotal', 'BuildingAreaUnits', 'LotSizeArea', 'LotSizeUnits',
    'LotSizeAcres', 'GarageSpaces', 'ParkingTotal', 'FireplacesTotal', 'GarageYN', 'HeatingYN', 'CoolingYN', 'FireplaceYN',
    'WaterfrontYN', 'AssociationYN', 'ConstructionMaterials', 'ArchitecturalStyle', 'Roof', 'Flooring', 'Basement', 'Heating',
    'Cooling', 'InteriorFeatures', 'ExteriorFeatures', 'Appliances', 'ParkingFeatures', 'PoolFeatures', 'WaterSource', 'Sewer', 'View',
    'PublicRemarks', 'PrivateRemarks', 'ShowingInstructions', 'InternetEntireListingDisplayYN', 'InternetAddressDisplayYN',
    'VirtualTourURLUnbranded', 'PhotosCount', 'CoListAgentKey', 'BuyerAgentKey', 'ChangedByMemberKey', 'OriginalEntryTimestamp',
    'StatusChangeTimestamp', 'PriceChangeTimestamp', 'PhotosChangeTimestamp', 'DocumentsChangeTimestamp', 'MajorChangeTimestamp',
    'MajorChangeType', 'ModificationTimestamp',
  ],
  Media: [
    'MediaKey', 'ResourceName', 'ResourceRecordKey', 'MediaURL', 'MediaType', 'MediaCategory', 'MediaStatus', 'ImageSizeDescription',
    'ShortDescription', 'LongDescription', 'Order', 'PreferredPhotoYN', 'ImageWidth', 'ImageHeight', 'MediaModificationTimestamp',
    'ModificationTimestamp',
  ],
  PropertyRooms: [
    'RoomKey', 'ListingKey', 'RoomType', 'RoomLevel', 'RoomDimensions', 'RoomDescription', 'RoomArea', 'RoomFeatures', 'Order',
    'ModificationTimestamp',
  ],
  OpenHouse: [
    'OpenHouseKey', 'OpenHouseId', 'ListingKey', 'OpenHouseDate', 'OpenHouseStartTime', 'OpenHouseEndTime', 'OpenHouseStatus',
    'OpenHouseType', 'OpenHouseRemarks', 'ShowingAgentKey', 'OriginalEntryTimestamp', 'ModificationTimestamp',
  ],
  HistoryTransactional: [
    'HistoryTransactionalKey', 'ResourceName', 'ResourceRecordKey', 'FieldName', 'FieldKey', 'PreviousValue', 'NewValue', 'ChangeType',
    'ChangedByMemberKey', 'ModificationTimestamp',
  ],
  Lookup: ['LookupKey', 'LookupName', 'LookupValue', 'StandardLookupValue', 'LegacyODataValue', 'ModificationTimestamp'],
  Field: ['FieldKey', 'ResourceName', 'FieldName', 'DisplayName', 'ModificationTimestamp'],
} as const satisfies { readonly [entityType: string]: readonly string[] };

/** An entity type that the sample data fills. */
export type SeedType = keyof typeof seedColumns;

/** A row of an entity type, with every property that the sample data knows. */
export type Row<Type extends SeedType> = { readonly [Name in (typeof seedColumns)[Type][number]]: CopyValue };

/** A whole number of the smallest unit as decimal text: 12345 with two digits is 123.45. */
export function decimalText(units: number, digits: number): string {
  const text = String(Math.abs(units)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${units < 0 ? '-' : ''}${whole}.${text.slice(text.length - digits)}`;
}

/** Whole dollars in the database's form. */
export function dollars(amount: number): string {
  return decimalText(amount * 100, 2);
}

/** The error when no sample data can be written: the database is not empty, or the model does not fit. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly exitCode = 2;
}
