-- The records that the HTTP cases ask for. Six listings: two drafts, three active, one sold; nulls where they matter.
insert into "Office" ("#id", "OfficeKey", "OfficeName", "OfficeCity", "ModificationTimestamp") values
  (1, 'O1', 'Lakeside Realty', 'Toronto', '2026-01-01T00:00:00Z'),
  (2, 'O2', 'Maple & Sons', 'Ottawa', '2026-01-02T00:00:00Z');

insert into "Member" ("#id", "MemberKey", "MemberFirstName", "MemberLastName", "MemberEmail", "OfficeKey", "ModificationTimestamp") values
  (1, 'M1', 'Anna', 'Berg', 'anna@example.org', 'O1', '2026-01-01T00:00:00Z'),
  (2, 'M2', 'Noah', 'O''Brien', 'noah@example.org', 'O2', '2026-01-02T00:00:00Z'),
  (3, 'M3', 'Zoé', 'Ünal', null, null, '2026-01-03T00:00:00Z');

insert into "Property" ("#id", "ListingKey", "ListAgentKey", "ListOfficeKey", "ChangedByMemberKey", "PropertyType", "StreetNumber", "StreetName", "City",
  "StandardStatus", "ContractStatus", "MlsStatus", "ListPrice", "SoldPrice", "ClosePrice", "CloseDate", "DaysOnMarket", "BuildingAreaTotal", "TaxYear",
  "GeoLocation", "ConstructionMaterials", "OriginatingSystemName", "ModificationTimestamp", "PrivateRemarks", "PhotosCount", "GarageYN", "Latitude") values
  (1, 'Draft1', 'M1', 'M2', null, 'Residential', '1', 'Elm', 'Toronto', 'Incomplete', 'Draft', 'Draft', null, null, null, null, null, null, null, null, '{}', 'Gable', '2026-02-01T10:00:00Z', null, 0, null, null),
  (2, 'Draft2', 'M3', 'M2', 'M1', 'Land', '22B', 'O''Connor', 'Ottawa', 'Incomplete', 'Draft', 'Draft', 99999999999.99, null, null, null, 0, 1250.50, 2024, '(-75.6972,45.4215)', '{}', 'Gable', '2026-02-02T10:00:00Z', 'seller in a hurry', 0, false, 45.4215),
  (3, '3', 'M1', 'M1', 'M1', 'Residential', '300', 'King', 'Toronto', 'Active', 'Available', 'New', 500000.00, null, null, null, 90, 2000.00, 2025, '(-79.3832,43.6532)', '{Brick,Wood}', 'Gable', '2026-03-01T10:00:00Z', null, 2, true, 43.6532),
  (4, '4', 'M2', 'M2', 'M2', 'Residential', '4', 'Queen', 'Toronto', 'Active', 'Available', 'New', 750000.50, null, null, null, 10, 1800.25, 2025, '(-79.4000,43.6500)', '{Brick}', 'Gable', '2026-03-01T10:00:00Z', null, 1, true, 43.65),
  (5, '5', 'M2', 'M1', 'M2', 'Commercial Sale', '55', 'Rue "Été" \ 100%', 'Montréal', 'Active', 'Available', 'New', 1000000.00, null, null, null, null, null, null, '(-73.5673,45.5017)', '{Stone,"Steel, painted"}', 'Gable', '2026-03-02T23:30:00Z', null, 0, null, null),
  (6, '6', 'M1', 'M2', 'M1', 'Residential', '6', 'King', 'Ottawa', 'Sold', 'Unavailable', 'Sold', 400000.00, 390000.00, 390000.00, '2026-04-01', 33, 1500.00, 2023, '(-75.7000,45.4000)', '{Wood}', 'Gable', '2026-04-01T12:00:00Z', 'buyer paid cash', 0, false, 45.4);

insert into "Media" ("#id", "MediaKey", "ResourceName", "ResourceRecordKey", "#Property", "MediaURL", "MediaType", "Order", "MediaModificationTimestamp", "ModificationTimestamp") values
  (1, 'P1', 'Property', '3', 3, 'https://img.example.org/1.jpg', 'image/jpeg', 1, '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'),
  (2, 'P2', 'Property', '3', 3, 'https://img.example.org/2.jpg', 'image/jpeg', 2, null, '2026-03-01T09:30:00Z'),
  (3, 'P3', 'Property', '4', 4, 'https://img.example.org/3.png', 'image/png', 1, '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'),
  (4, 'P4', 'Property', 'Draft2', 2, 'https://img.example.org/4.png', 'image/png', 1, '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z');

insert into "PropertyRooms" ("#id", "RoomKey", "ListingKey", "#Property", "RoomType", "RoomArea", "RoomFeatures", "Order", "ModificationTimestamp") values
  (1, 'R1', '3', 3, 'Kitchen', 12.50, '{Pantry}', 1, '2026-03-01T09:00:00Z'),
  (2, 'R2', '3', 3, 'Bedroom', null, '{}', 2, '2026-03-01T09:00:00Z'),
  (3, 'R3', '6', 6, 'Kitchen', 9.00, '{}', 1, '2026-03-01T09:00:00Z');

select setval(pg_get_serial_sequence('"Property"', '#id'), 100);
