import { decimalText } from './columns.js';
import type { PropertyKind } from './property-kinds.js';
import { chance, integer, orNull, pickSome, type Random, randomOf } from './random.js';

/** Features of a property; yes-or-no properties are consistent with their lists. */
export function featuresOf(seed: number, number: number, kind: PropertyKind) {
  const random = randomOf(seed, 'features', number);
  const building = kind.area !== undefined;
  const waterfront = !kind.unit && chance(random, 0.06);
  const lists = buildingLists(random, building, kind);
  return {
    ...lists,
    ...parkingOf(random, building),
    ...fireplaces(random, building),
    PoolFeatures: some(random, lotFeatures.PoolFeatures, building ? 0.12 : 0, 2),
    WaterSource: some(random, lotFeatures.WaterSource, 0.8, 1),
    Sewer: some(random, lotFeatures.Sewer, 0.75, 1),
    View: [...some(random, lotFeatures.View, 0.4, 2), ...(waterfront ? pickSome(random, waterViews, 1, 2) : [])],
    HeatingYN: building ? orNull(random, 0.05, lists.Heating.length > 0) : null,
    CoolingYN: building ? orNull(random, 0.1, lists.Cooling.length > 0) : null,
    WaterfrontYN: orNull(random, waterfront ? 0 : 0.3, waterfront),
  };
}

function buildingLists(random: Random, building: boolean, { use, unit }: PropertyKind) {
  const share = building ? 1 : 0;
  const home = building && use !== 'business' ? 1 : 0;
  return {
    ConstructionMaterials: some(random, buildingFeatures.ConstructionMaterials, 0.9 * share, 3),
    ArchitecturalStyle: some(random, buildingFeatures.ArchitecturalStyle, 0.7 * home, 1),
    Roof: some(random, buildingFeatures.Roof, 0.6 * share, 2),
    Flooring: some(random, buildingFeatures.Flooring, 0.8 * home, 3),
    Basement: unit ? [] : some(random, buildingFeatures.Basement, 0.7 * home, 1),
    Heating: some(random, buildingFeatures.Heating, 0.95 * share, 2),
    Cooling: some(random, buildingFeatures.Cooling, 0.65 * share, 1),
    InteriorFeatures: some(random, buildingFeatures.InteriorFeatures, 0.75 * home, 4),
    ExteriorFeatures: some(random, buildingFeatures.ExteriorFeatures, 0.6 * share, 3),
    Appliances: some(random, buildingFeatures.Appliances, 0.75 * home, 6),
  };
}

function parkingOf(random: Random, building: boolean) {
  const garage = building && chance(random, 0.55) ? integer(random, 1, 3) : 0;
  const more = building ? integer(random, 0, 4) : 0;
  return {
    GarageYN: building ? garage > 0 : null,
    GarageSpaces: garage > 0 ? decimalText(garage * 100, 2) : null,
    ParkingTotal: garage + more > 0 ? orNull(random, 0.15, decimalText((garage + more) * 100, 2)) : null,
    ParkingFeatures: garage + more > 0 ? some(random, lotFeatures.ParkingFeatures, 0.85, 3) : [],
  };
}

function fireplaces(random: Random, building: boolean) {
  const count = building && chance(random, 0.35) ? integer(random, 1, 3) : 0;
  return { FireplaceYN: building ? count > 0 : null, FireplacesTotal: building ? orNull(random, count > 0 ? 0 : 0.6, count) : null };
}

function some(random: Random, values: readonly string[], share: number, most: number): readonly string[] {
  return chance(random, share) ? pickSome(random, values, 1, most) : [];
}

// oxfmt-ignore
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

// oxfmt-ignore
/** Features of rooms. */
export const roomFeatures: readonly string[] = [
  'Ceiling Fan(s)', 'Fireplace', 'Closet', 'Window', 'Tile Floors', 'Skylight', 'Double Vanity', 'Pantry',
];
