// prettier-ignore
/** Values of the open lists that describe a building. */
export const buildingFeatures = {
  ConstructionMaterials: ['Brick', 'Vinyl Siding', 'Stone', 'Stucco', 'Wood Siding', 'Concrete', 'Aluminum Siding', 'Log', 'Frame'],
  ArchitecturalStyle: ['Bungalow', 'Two Story', 'Ranch', 'Victorian', 'Craftsman', 'Contemporary', "Builder's Colonial", 'Split Level', 'Cape Cod'],
  Roof: ['Asphalt', 'Metal', 'Slate', 'Flat', 'Shingle', 'Tile'],
  Flooring: ['Hardwood', 'Carpet', 'Tile', 'Laminate', 'Vinyl', 'Concrete', 'Marble'],
  Basement: ['Full', 'Finished', 'Partial', 'Unfinished', 'Walk-Out Access', 'Crawl Space', 'None'],
  Heating: ['Forced Air', 'Natural Gas', 'Electric', 'Baseboard', 'Heat Pump', 'Radiant', 'Wood Stove'],
  Cooling: ['Central Air', 'Ductless', 'Window Unit(s)', 'Heat Pump'],
  InteriorFeatures: ['Bar', 'Breakfast Bar', 'Built-in Features', 'Central Vacuum', 'High Ceilings', 'Pantry', 'Sauna', 'Smart Home', 'Vaulted Ceiling(s)', 'Walk-In Closet(s)', "Butler's Pantry"],
  ExteriorFeatures: ['Balcony', 'Barbecue', 'Courtyard', 'Garden', 'Lighting', 'Private Yard', 'Rain Gutters', 'Storage', 'Dock'],
  Appliances: ['Dishwasher', 'Disposal', 'Dryer', 'Microwave', 'Oven', 'Range', 'Refrigerator', 'Washer', 'Water Heater', 'Wine Refrigerator'],
} as const;

/** Values of the open lists that describe a lot and its utilities. */
export const lotFeatures = {
  ParkingFeatures: ['Attached', 'Detached', 'Driveway', 'Garage', 'Garage Door Opener', 'On Street', 'Underground', 'Carport', 'Assigned'],
  PoolFeatures: ['In Ground', 'Above Ground', 'Heated', 'Salt Water', 'Community'],
  WaterSource: ['Public', 'Well', 'Cistern'],
  Sewer: ['Public Sewer', 'Septic Tank', 'Holding Tank'],
  View: ['City', 'Garden', 'Trees/Woods', 'Park/Greenbelt', 'Hills', 'Neighborhood', 'Pasture'],
} as const;

/** The views of a property on water. */
export const waterViews: readonly string[] = ['Lake', 'River', 'Water'];

/** Features of rooms. */
export const roomFeatures: readonly string[] = [
  'Ceiling Fan(s)',
  'Fireplace',
  'Closet',
  'Window',
  'Tile Floors',
  'Skylight',
  'Double Vanity',
  'Pantry',
];
