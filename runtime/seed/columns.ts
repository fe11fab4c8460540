/** A value of a record: the database's text form, or what has an obvious one. */
export type Cell = string | number | boolean | null | readonly string[];

/** The properties that the sample data knows, by entity type, in the order in which they are loaded. */
export const seedColumns = {
  Office: [
    'OfficeKey', 'OfficeMlsId', 'OfficeName', 'OfficePhone', 'OfficeEmail', 'OfficeCity', 'OfficeStateOrProvince', 'OfficePostalCode',
    'OfficeStatus', 'MainOfficeKey', 'OfficeBrokerKey', 'PhotosChangeTimestamp', 'ModificationTimestamp',
  ],
  Member: [
    'MemberKey', 'MemberMlsId', 'MemberFirstName', 'MemberLastName', 'MemberFullName', 'MemberEmail', 'MemberPreferredPhone', 'MemberType',
    'MemberStatus', 'OfficeKey', 'ModificationTimestamp',
  ],
  Property: [
    'ListingKey', 'ListingId', 'OriginatingSystemID', 'ListAgentKey', 'ListOfficeKey', 'PropertyType', 'StreetNumber', 'StreetName', 'City',
    'StandardStatus', 'ContractStatus', 'MlsStatus', 'PropertySubType', 'TransactionType', 'StreetNumberNumeric', 'StreetDirPrefix', 'StreetSuffix',
    'UnitNumber', 'StateOrProvince', 'CountyOrParish', 'PostalCode', 'Country', 'UnparsedAddress', 'CrossStreet', 'Directions', 'SubdivisionName',
    'Latitude', 'Longitude', 'GeoLocation', 'ListPrice', 'OriginalListPrice', 'PreviousListPrice', 'SoldPrice', 'ClosePrice', 'AssociationFee',
    'AssociationFeeFrequency', 'TaxAnnualAmount', 'TaxYear', 'ListingContractDate', 'OnMarketDate', 'OffMarketDate', 'PurchaseContractDate', 'CloseDate',
    'ExpirationDate', 'DaysOnMarket', 'CumulativeDaysOnMarket', 'BedroomsTotal', 'BathroomsTotalInteger', 'BathroomsFull', 'BathroomsHalf', 'RoomsTotal',
    'Stories', 'YearBuilt', 'LivingArea', 'LivingAreaUnits', 'BuildingAreaTotal', 'BuildingAreaUnits', 'LotSizeArea', 'LotSizeUnits', 'LotSizeAcres',
    'GarageSpaces', 'ParkingTotal', 'FireplacesTotal', 'GarageYN', 'HeatingYN', 'CoolingYN', 'FireplaceYN', 'WaterfrontYN', 'AssociationYN',
    'ConstructionMaterials', 'ArchitecturalStyle', 'Roof', 'Flooring', 'Basement', 'Heating', 'Cooling', 'InteriorFeatures', 'ExteriorFeatures',
    'Appliances', 'ParkingFeatures', 'PoolFeatures', 'WaterSource', 'Sewer', 'View', 'PublicRemarks', 'PrivateRemarks', 'ShowingInstructions',
    'InternetEntireListingDisplayYN', 'InternetAddressDisplayYN', 'VirtualTourURLUnbranded', 'PhotosCount', 'CoListAgentKey', 'BuyerAgentKey',
    'ChangedByMemberKey', 'OriginalEntryTimestamp', 'StatusChangeTimestamp', 'PriceChangeTimestamp', 'PhotosChangeTimestamp', 'DocumentsChangeTimestamp',
    'MajorChangeTimestamp', 'MajorChangeType', 'ModificationTimestamp',
  ],
  Media: [
    'MediaKey', 'ResourceName', 'ResourceRecordKey', 'MediaURL', 'MediaType', 'MediaCategory', 'MediaStatus', 'ImageSizeDescription', 'ShortDescription',
    'LongDescription', 'Order', 'PreferredPhotoYN', 'ImageWidth', 'ImageHeight', 'MediaModificationTimestamp', 'ModificationTimestamp',
  ],
  PropertyRooms: [
    'RoomKey', 'ListingKey', 'RoomType', 'RoomLevel', 'RoomDimensions', 'RoomDescription', 'RoomArea', 'RoomFeatures', 'Order', 'ModificationTimestamp',
  ],
  OpenHouse: [
    'OpenHouseKey', 'OpenHouseId', 'ListingKey', 'OpenHouseDate', 'OpenHouseStartTime', 'OpenHouseEndTime', 'OpenHouseStatus', 'OpenHouseType',
    'OpenHouseRemarks', 'ShowingAgentKey', 'OriginalEntryTimestamp', 'ModificationTimestamp',
  ],
  HistoryTransactional: [
    'HistoryTransactionalKey', 'ResourceName', 'ResourceRecordKey', 'FieldName', 'FieldKey', 'PreviousValue', 'NewValue', 'ChangeType',
    'ChangedByMemberKey', 'ModificationTimestamp',
  ],
  Lookup: ['LookupKey', 'LookupName', 'LookupValue', 'StandardLookupValue', 'LegacyODataValue', 'ModificationTimestamp'],
  Field: ['FieldKey', 'ResourceName', 'FieldName', 'DisplayName', 'ModificationTimestamp'],
  EntityEvent: ['EntityEventSequence', 'ResourceName', 'ResourceRecordKey', 'ResourceRecordUrl'],
} as const satisfies { readonly [entityType: string]: readonly string[] };

/** An entity type that the sample data fills. */
export type SeedType = keyof typeof seedColumns;

/** A record of an entity type, with every property that the sample data knows. */
export type Row<Type extends SeedType> = { readonly [Name in (typeof seedColumns)[Type][number]]: Cell };
