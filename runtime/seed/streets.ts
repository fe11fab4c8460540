interface StreetNames {
  readonly names: readonly string[];
  readonly suffixes: readonly string[];
  readonly directions: readonly string[];
}

/** Names, suffixes and directions of streets by language. */
export const streetNames: { readonly [language in 'english' | 'french']: StreetNames } = {
  english: {
    names: [
      'Maple', 'King', 'Queen', 'Main', 'Church', "O'Connor", "D'Arcy", 'St. Clair', 'Lakeshore', 'Elgin', 'Wellington', 'Birch', 'Cedar', 'Dundas',
      'Victoria', 'Albert', 'Riverside', 'Hunt Club', "King's Mill", 'Heron', 'Bank', 'Simcoe', 'Ridgeway', 'Orchard', 'Mill', 'Sherwood Forest',
      'Old Orchard', "Saddler's Croft", 'Brock', 'Talbot', 'Oxford', '1st', '42nd', 'County Road 12', 'Concession 7', 'Lake', 'Park', 'Willow',
      'Chestnut', 'Fox Hollow', 'Stone', 'Princess', 'Cathcart', 'Pine Ridge', 'Meadowlands', 'Fernbank', 'St. Lawrence', 'Kingfisher',
    ],
    suffixes: ['Street', 'Avenue', 'Road', 'Drive', 'Crescent', 'Boulevard', 'Court', 'Lane', 'Way', 'Trail', 'Place', 'Circle'],
    directions: ['N', 'S', 'E', 'W', 'NE', 'SW'],
  },
  french: {
    names: [
      'Saint-Denis', "de l'Église", 'Sherbrooke', 'Saint-André', 'de Lorimier', 'Papineau', 'des Érables', "de l'Hôtel-de-Ville", 'Laurier', 'Beaubien',
      'Garnier', 'Marquette', 'Saint-Hubert', 'Bélanger', 'des Forges', 'Notre-Dame', 'Décarie', 'Monkland', 'Girouard', "d'Orléans",
    ],
    suffixes: ['Rue', 'Avenue', 'Boulevard', 'Chemin', 'Place'],
    directions: ['E', 'O'],
  },
};
