/** A draft of a listing, as a create of it needs. */
export const draft = {
  ListAgentKey: 'M1',
  ListOfficeKey: 'M1',
  PropertyType: 'Residential',
  StreetNumber: '1',
  StreetName: 'Elm',
  City: 'Guelph',
};
