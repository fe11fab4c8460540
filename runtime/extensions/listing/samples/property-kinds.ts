type Range = readonly [low: number, high: number];

/** A kind of property, with its sizes and price factor. */
export interface PropertyKind {
  readonly weight: number;
  readonly type: string;
  readonly subType: string;
  readonly use: 'house' | 'flat' | 'income' | 'business' | 'land' | 'farm';
  readonly lease?: true;
  readonly bedrooms?: Range;
  /** Square feet of building. */
  readonly area?: Range;
  /** Per cent of the town's price per square foot. */
  readonly factor: number;
  /** Thousandths of an acre. */
  readonly lot?: Range;
  readonly stories: Range;
  readonly unit?: true;
}

// oxfmt-ignore
/** Kinds of property with their weights. */
export const propertyKinds: readonly PropertyKind[] = [
  { weight: 40, type: 'Residential', subType: 'Single Family Residence', use: 'house', bedrooms: [2, 6], area: [850, 4_200], factor: 100, lot: [60, 900], stories: [1, 3] },
  { weight: 16, type: 'Residential', subType: 'Condominium', use: 'flat', bedrooms: [0, 3], area: [420, 1_800], factor: 105, stories: [1, 2], unit: true },
  { weight: 11, type: 'Residential', subType: 'Townhouse', use: 'house', bedrooms: [2, 4], area: [950, 2_300], factor: 94, lot: [20, 80], stories: [2, 3] },
  { weight: 2, type: 'Residential', subType: 'Cabin', use: 'house', bedrooms: [1, 3], area: [500, 1_400], factor: 82, lot: [500, 9_000], stories: [1, 2] },
  { weight: 7, type: 'Residential Lease', subType: 'Apartment', use: 'flat', lease: true, bedrooms: [0, 3], area: [380, 1_400], factor: 100, stories: [1, 1], unit: true },
  { weight: 3, type: 'Residential Lease', subType: 'Single Family Residence', use: 'house', lease: true, bedrooms: [2, 5], area: [900, 2_800], factor: 92, lot: [60, 500], stories: [1, 2] },
  { weight: 3, type: 'Residential Income', subType: 'Duplex', use: 'income', bedrooms: [3, 6], area: [1_500, 3_200], factor: 80, lot: [60, 250], stories: [2, 3] },
  { weight: 1, type: 'Residential Income', subType: 'Triplex', use: 'income', bedrooms: [4, 9], area: [2_200, 4_500], factor: 74, lot: [60, 250], stories: [3, 3] },
  { weight: 1, type: 'Manufactured In Park', subType: 'Manufactured Home', use: 'house', bedrooms: [1, 3], area: [600, 1_500], factor: 48, stories: [1, 1] },
  { weight: 6, type: 'Land', subType: 'Unimproved Land', use: 'land', factor: 100, lot: [150, 60_000], stories: [0, 0] },
  { weight: 2, type: 'Farm', subType: 'Farm', use: 'farm', bedrooms: [3, 6], area: [1_400, 4_000], factor: 85, lot: [20_000, 250_000], stories: [1, 2] },
  { weight: 3, type: 'Commercial Sale', subType: 'Office', use: 'business', area: [900, 12_000], factor: 72, lot: [80, 1_200], stories: [1, 4] },
  { weight: 2, type: 'Commercial Sale', subType: 'Retail', use: 'business', area: [700, 9_000], factor: 88, lot: [50, 900], stories: [1, 2] },
  { weight: 1, type: 'Commercial Sale', subType: 'Warehouse', use: 'business', area: [4_000, 60_000], factor: 38, lot: [400, 9_000], stories: [1, 1] },
  { weight: 2, type: 'Commercial Lease', subType: 'Office', use: 'business', lease: true, area: [400, 6_000], factor: 70, stories: [1, 1], unit: true },
];
