/** A part of a town: its name, the prefix of its postal codes, and its centre. */
export type Area = readonly [name: string, postal: string, latitude: number, longitude: number];

/** A town with consistent county, province, postal codes, coordinates and prices. */
export interface Place {
  readonly city: string;
  readonly county: string;
  readonly state: string;
  readonly country: 'CA' | 'US';
  readonly weight: number;
  /** Dollars per square foot of an ordinary house. */
  readonly perSquareFoot: number;
  /** Dollars per acre of bare land. */
  readonly perAcre: number;
  /** Yearly property tax per 10 000 dollars of price. */
  readonly taxRate: number;
  readonly areaCode: string;
  readonly streets: 'english' | 'french';
  readonly metric?: true;
  readonly areas: readonly Area[];
}

// oxfmt-ignore
/** The towns of the sample data. */
export const places: readonly Place[] = [
  { city: 'Toronto', county: 'Toronto', state: 'ON', country: 'CA', weight: 18, perSquareFoot: 820, perAcre: 900_000, taxRate: 72, areaCode: '416', streets: 'english',
    areas: [['Liberty Village', 'M6K', 43.6387, -79.4198], ['The Annex', 'M5R', 43.6727, -79.4057], ['Leslieville', 'M4M', 43.6626, -79.3345], ["L'Amoreaux", 'M1W', 43.7991, -79.3057]] },
  { city: 'Ottawa', county: 'Ottawa', state: 'ON', country: 'CA', weight: 14, perSquareFoot: 390, perAcre: 210_000, taxRate: 112, areaCode: '613', streets: 'english',
    areas: [['Centretown', 'K2P', 45.4161, -75.6947], ['The Glebe', 'K1S', 45.3995, -75.6886], ['Orléans', 'K1C', 45.4786, -75.5311], ['Kanata', 'K2K', 45.3442, -75.9217]] },
  { city: 'Mississauga', county: 'Peel', state: 'ON', country: 'CA', weight: 10, perSquareFoot: 610, perAcre: 620_000, taxRate: 84, areaCode: '905', streets: 'english',
    areas: [['Port Credit', 'L5G', 43.5532, -79.5864], ['Streetsville', 'L5M', 43.5807, -79.7144], ['Erin Mills', 'L5L', 43.5396, -79.6865]] },
  { city: 'Hamilton', county: 'Hamilton', state: 'ON', country: 'CA', weight: 9, perSquareFoot: 430, perAcre: 260_000, taxRate: 126, areaCode: '905', streets: 'english',
    areas: [['Westdale', 'L8S', 43.2609, -79.9192], ['Durand', 'L8P', 43.2503, -79.8782], ['Stoney Creek', 'L8G', 43.2173, -79.7653]] },
  { city: 'London', county: 'Middlesex', state: 'ON', country: 'CA', weight: 8, perSquareFoot: 360, perAcre: 120_000, taxRate: 140, areaCode: '519', streets: 'english',
    areas: [['Old North', 'N6A', 43.0026, -81.2547], ['Byron', 'N6K', 42.9539, -81.3379], ['Wortley Village', 'N6C', 42.9661, -81.2483]] },
  { city: 'Kingston', county: 'Frontenac', state: 'ON', country: 'CA', weight: 5, perSquareFoot: 350, perAcre: 70_000, taxRate: 138, areaCode: '613', streets: 'english',
    areas: [['Sydenham', 'K7L', 44.2308, -76.4861], ['Cataraqui', 'K7M', 44.2416, -76.5624], ['Bayridge', 'K7P', 44.2489, -76.6008]] },
  { city: 'Guelph', county: 'Wellington', state: 'ON', country: 'CA', weight: 5, perSquareFoot: 450, perAcre: 150_000, taxRate: 119, areaCode: '519', streets: 'english',
    areas: [["St. George's Park", 'N1E', 43.5553, -80.2392], ['Old University', 'N1G', 43.5337, -80.2301], ['Exhibition Park', 'N1H', 43.5559, -80.2634]] },
  { city: 'Barrie', county: 'Simcoe', state: 'ON', country: 'CA', weight: 5, perSquareFoot: 410, perAcre: 130_000, taxRate: 124, areaCode: '705', streets: 'english',
    areas: [['Allandale', 'L4N', 44.3726, -79.6898], ['Codrington', 'L4M', 44.3965, -79.6732], ['Painswick', 'L9J', 44.3383, -79.6473]] },
  { city: 'Greater Sudbury', county: 'Greater Sudbury', state: 'ON', country: 'CA', weight: 3, perSquareFoot: 270, perAcre: 28_000, taxRate: 158, areaCode: '705', streets: 'english',
    areas: [['New Sudbury', 'P3A', 46.5167, -80.9487], ['South End', 'P3E', 46.4627, -81.0056], ['Val Caron', 'P3N', 46.6112, -81.0121]] },
  { city: 'Montréal', county: 'Montréal', state: 'QC', country: 'CA', weight: 9, perSquareFoot: 480, perAcre: 480_000, taxRate: 81, areaCode: '514', streets: 'french', metric: true,
    areas: [['Le Plateau-Mont-Royal', 'H2J', 45.5279, -73.5796], ['Rosemont–La Petite-Patrie', 'H2G', 45.5436, -73.5932], ['Notre-Dame-de-Grâce', 'H4A', 45.4716, -73.6157]] },
  { city: 'Trois-Rivières', county: 'Mauricie', state: 'QC', country: 'CA', weight: 2, perSquareFoot: 230, perAcre: 45_000, taxRate: 117, areaCode: '819', streets: 'french', metric: true,
    areas: [['Cap-de-la-Madeleine', 'G8T', 46.3705, -72.5211], ['Centre-ville', 'G9A', 46.3452, -72.5447]] },
  { city: 'Buffalo', county: 'Erie', state: 'NY', country: 'US', weight: 5, perSquareFoot: 165, perAcre: 38_000, taxRate: 265, areaCode: '716', streets: 'english',
    areas: [['Elmwood Village', '14222', 42.9186, -78.8767], ['North Park', '14216', 42.9501, -78.8603], ['Allentown', '14201', 42.8999, -78.8787]] },
  { city: 'Austin', county: 'Travis', state: 'TX', country: 'US', weight: 6, perSquareFoot: 330, perAcre: 170_000, taxRate: 198, areaCode: '512', streets: 'english',
    areas: [['Hyde Park', '78751', 30.3107, -97.7246], ['Travis Heights', '78704', 30.2427, -97.7653], ['Circle C Ranch', '78739', 30.1788, -97.8881]] },
  { city: "Coeur d'Alene", county: 'Kootenai', state: 'ID', country: 'US', weight: 3, perSquareFoot: 300, perAcre: 95_000, taxRate: 61, areaCode: '208', streets: 'english',
    areas: [['Fort Grounds', '83814', 47.6765, -116.7894], ["Coeur d'Alene Place", '83815', 47.7292, -116.7958]] },
  { city: "Lee's Summit", county: 'Jackson', state: 'MO', country: 'US', weight: 3, perSquareFoot: 190, perAcre: 52_000, taxRate: 132, areaCode: '816', streets: 'english',
    areas: [['Lakewood', '64064', 38.9897, -94.3628], ["Longview Farm's Edge", '64081', 38.9127, -94.4097], ['Downtown', '64063', 38.9199, -94.3619]] },
];
