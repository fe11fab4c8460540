/** Given names of members. */
export const firstNames: readonly string[] = [
  'Amelia', 'Liam', 'Zoë', 'Noah', 'Priya', 'Wei', 'Fatima', 'José', 'Chloé', 'Mohammed', 'Hannah', 'Siobhán', 'Lucas', 'Aiko', 'Kwame', 'Ingrid',
  'François', 'Anne-Marie', 'Darius', 'Nguyễn', 'Olivia', 'Ravi', 'Sofía', 'Jean-Luc', 'Tomasz', 'Émilie', 'Grace', 'Marcus', 'Leïla', 'Björn',
];

/** Family names of members. */
export const lastNames: readonly string[] = [
  "O'Connor", 'Tremblay', 'Singh', 'Chen', "D'Souza", 'MacDonald', 'Gagné', 'Nguyen', 'Smith', 'van der Berg', "O'Brien", 'Müller', 'Patel', 'Côté',
  'García-López', 'Kowalski', 'Brown', 'Kim', 'Haddad', 'Lévesque', 'Okafor', 'Rossi', 'St. John', 'Bergström', 'Thompson', 'Ali', 'Fraser', 'Yamamoto',
];

/** What a brokerage is called; the place's name is put in for the braces. */
export const officeNames: readonly string[] = [
  '{city} Realty Inc., Brokerage', 'Harbour & Main Real Estate', "O'Neill & Daughters Realty", 'Northern Gable Realty Ltd.', 'Immeubles Côté inc.',
  '{city} Homes Group', 'Keystone “Key” Realty', 'Maple Leaf Property Partners', "St. George's Real Estate Co.", 'First {city} Brokerage', 'Blue Door Realty',
  'Old Mill Realty Corp.',
];
